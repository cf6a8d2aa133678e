// What is likely to follow a move, played out on the board as numbered stones: by the search as far as it has looked
// there, by the model's likeliest replies from there on, or from the beginning. The board goes back afterwards.

import { post } from "./api.js";
import { onKey } from "./controls.js";
import { at } from "./dom.js";
import { failed } from "./messages.js";
import { onBegin, onMode } from "./modes.js";
import { key, opinion, request } from "./position.js";
import { EMPTY, fromVertex, vertex } from "./rules.js";
import { after, searched } from "./searching.js";
import { lay, onHold, onHover } from "./show.js";
import { hiding, state, still } from "./state.js";
import { onLeave } from "./steps.js";
import { W } from "./words.js";

const REST = 60; // ms that the pointer rests on a point
const lines = new Map(); // position and first moves → the promise of a line
let wanted = null; // the move whose line is shown, or on its way
let waiting = 0, title = null;

/** The longest line of the search that begins with a move; only the move if there is none. */
function begun(name) {
  const one = searched(state.node), next = state.tree.nextMove(state.node), then = after(state.node);
  const found = [one?.moves.find((m) => m.vertex === name)?.line, one?.apart?.vertex === name ? one.apart.line : null,
    next?.vertex === name && then ? [name, ...then.line] : null];
  return found.reduce((best, line) => (line?.[0] === name && line.length > best.length ? line : best), [name]);
}

/** Play out what is likely to follow this move of the position that is shown. */
export async function playOut(name) {
  if (hiding() || !state.shown.sequences || fromVertex(name, state.tree.size) < 0) return;
  if (wanted !== name) putBack();
  wanted = name;
  const same = still(), moves = begun(name), known = `${key(state.node)}:${moves.join()}`;
  try {
    if (!lines.has(known)) {
      const asked = post("expected", request(state.node, { moves }));
      asked.catch(() => lines.delete(known));
      lines.set(known, asked);
    }
    const { line } = await lines.get(known);
    if (same() && wanted === name) show(line, moves.length > 1 ? moves.length : 0);
  } catch (error) { if (same()) failed(error); }
}

/** `deep`: how many of the moves are the search's. */
function show(line, deep) {
  const { tree, node } = state, first = new Map(), again = [];
  let board = tree.board(node);
  line.forEach((name, i) => {
    const index = fromVertex(name, tree.size), { turn } = board;
    board = board.copy();
    board.play(index, turn);
    if (first.has(index)) again.push(W.sequenceAgain(i + 1, first.get(index)[2]));
    else if (index >= 0) first.set(index, [index, turn, String(i + 1)]);
  });
  // What the line itself takes again is not there at its end
  const ghosts = [...first.values()].filter(([index]) => board.stones[index] !== EMPTY);
  lay({ board, ghosts });
  title ??= at("title").textContent;
  at("title").textContent = at("status").textContent = W.sequence(line, deep, again);
  document.body.dataset.sequence = line.join(" ");
}

/** The board as it is. */
export function putBack() {
  clearTimeout(waiting);
  wanted = null;
  delete document.body.dataset.sequence;
  if (title === null) return;
  at("title").textContent = title;
  title = null;
  lay(null);
}

/** Whether there is something to see at a point: a usual move, the one that was played, or one that was searched. */
async function told(index) {
  const board = state.tree.board(state.node), name = vertex(index, state.tree.size);
  if (index < 0 || board.stones[index] !== EMPTY || hiding() || !state.shown.squares) return false;
  if (state.tree.nextMove(state.node)?.vertex === name || searched(state.node)?.moves.some((one) => one.vertex === name)) return true;
  return (await opinion(state.node)).moves.some((one) => one.vertex === name);
}

function hovered(index) {
  putBack();
  if (index < 0 || !state.shown.sequences) return;
  const same = still();
  waiting = setTimeout(async () => {
    const mine = waiting;
    try {
      if (await told(index) && same() && mine === waiting) playOut(vertex(index, state.tree.size));
    } catch { /* told when the position was asked for */ }
  }, REST);
}

/** A row of a list of moves that the pointer is on. */
function listed(event) {
  const button = event.target.closest("button");
  if (event.pointerType === "touch" || !button || button.disabled) return;
  playOut(button.querySelector(".vertex").textContent);
}

/** The line of the move that is explained, else of the most usual; once more puts the board back. */
async function toggle() {
  if (wanted) { putBack(); return; }
  const same = still();
  try {
    const found = await opinion(state.node);
    if (same()) playOut(state.chosen ?? found.moves.find((one) => one.vertex !== "pass")?.vertex ?? "pass");
  } catch { /* told when the position was asked for */ }
}

export function wire() {
  onHover(hovered);
  onHold(hovered);
  for (const list of document.querySelectorAll("#candidates ol, #verdict ol")) {
    list.addEventListener("pointerover", listed);
    list.addEventListener("pointerleave", putBack);
  }
  onLeave(putBack);
  onBegin(() => { putBack(); lines.clear(); });
  onMode(putBack);
  onKey("e", toggle);
}
