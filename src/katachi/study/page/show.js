// What is drawn when. A part of the page registers what it shows; `show` draws all of them.
//
//   onShow(draw)      called at once whenever the node, the game or the mode has changed
//   onOpinion(draw)   called with the model's opinion of the node shown, as soon as it is there
//   layer(parts)      called with (opinion or null, board); gives what to draw on the board: any of
//                     candidates, rings, marks, ghosts, owners as BoardView.draw wants them

import { at } from "./dom.js";
import { BoardView } from "./board.js";
import { failed, onReturn } from "./messages.js";
import { opinion } from "./position.js";
import { guessing, hiding, state, still } from "./state.js";
import { percent, W } from "./words.js";

const shows = [], opinions = [], layers = [];
export const onShow = (draw) => shows.push(draw);
export const onOpinion = (draw) => opinions.push(draw);
export const layer = (parts) => layers.push(parts);

const pressing = [], tapping = [], hovering = [], holding = [];
export const onPress = (act) => pressing.push(act); // with the index of a point, -1 for a pass; true ends it
export const onHover = (act) => hovering.push(act); // with the index, -1 if the pointer has left
export const onTap = (act) => tapping.push(act); // the same by a finger
export const onHold = (act) => holding.push(act); // by a finger that stays there; onHover tells when it is lifted
export const press = (index) => pressing.some((act) => act(index) === true);

export const view = new BoardView(at("board"), (kind, index) => {
  if (kind === "play") press(index);
  else if (kind === "tap") tapping.forEach((act) => act(index));
  else if (kind === "hold") holding.forEach((act) => act(index));
  else hovering.forEach((act) => act(kind === "hover" ? index : -1));
});

/** Draw all that depends on the node; what the server says comes when it comes. */
export async function show() {
  const { tree, node } = state, same = still();
  draw(null);
  panels();
  try {
    const found = await opinion(node);
    if (!same()) return;
    draw(found);
    announce(found);
    for (const each of opinions) each(found);
    const next = tree.nodes[node].children[0];
    if (next !== undefined) opinion(next).catch(() => {}); // so that the next key finds it here
  } catch (error) {
    if (same()) failed(error);
  }
}

onReturn(() => show());

/** Only what needs no opinion. */
export function panels() {
  for (const each of shows) each();
}

let known = { is: () => false, found: null }; // the opinion that was drawn last

let over = null; // what lies over the position for now

/** Show another board, { board, ghosts }, in place of the position, until null puts that back. */
export function lay(found) {
  over = found;
  redraw();
}

/** Draw the board anew, with the opinion of the node if that is there. */
export const redraw = () => draw(known.is() ? known.found : null);

function draw(found) {
  const { tree, node } = state, board = tree.board(node);
  known = { is: still(), found };
  const parts = { candidates: [], rings: [], marks: [], ghosts: [], owners: [] };
  for (const each of layers) {
    for (const [name, list] of Object.entries(each(found, board))) parts[name].push(...list);
  }
  if (over) view.draw(over.board, { ghosts: over.ghosts, shown: { ...state.shown, numbers: false } });
  else view.draw(board, { ...parts, shown: state.shown });
  document.body.dataset.node = String(node);
  document.body.dataset.drawn = found ? String(node) : "";
}

function announce(found) {
  const { tree, node } = state, move = tree.move(node), number = tree.board(node).moves;
  const before = move ? W.moveTold(number, move.colour, move.vertex) : "";
  const usual = guessing() ? W.guessNext : hiding() ? "" :
    W.usualFor(found.to_move, found.moves.slice(0, 3).map((m) => `${m.vertex} ${percent(m.probability)}`));
  at("status").textContent = before + usual;
}
