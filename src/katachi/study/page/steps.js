// Stepping through the game, and playing a move of one's own.

import { changed } from "./autosave.js";
import { at } from "./dom.js";
import { say, stepped } from "./messages.js";
import { vertex } from "./rules.js";
import { onShow, show } from "./show.js";
import { guessing, state } from "./state.js";
import { W } from "./words.js";

const leaving = [];
export const onLeave = (act) => leaving.push(act); // before another node is shown; called with it

export function goTo(node) {
  if (node === undefined || node < 0 || node === state.node) return;
  for (const act of leaving) act(node);
  state.node = node;
  state.chosen = null;
  state.guess = null;
  stepped();
  show();
}

export const back = () => goTo(state.tree.nodes[state.node].parent);
export const forward = () => goTo(state.tree.nodes[state.node].children[0]);
export const first = () => goTo(0);
export const last = () => goTo(state.tree.line(state.node).at(-1));

/** To another variation of the move that is shown. */
export function sideways(step) {
  const parent = state.tree.nodes[state.node].parent;
  if (parent < 0) return;
  const all = state.tree.nodes[parent].children, here = all.indexOf(state.node);
  goTo(all[(here + step + all.length) % all.length]);
}

/** The nodes of the main line that hold moves. */
export function mainLine() {
  return state.tree.line(0).filter((n) => state.tree.move(n));
}
export const mainNode = (number) => mainLine()[number - 1];
export const mainNumber = (node) => mainLine().indexOf(node) + 1;

/** Play a move here; whether it can be played. */
export function play(index) {
  const board = state.tree.board(state.node), fault = board.fault(index, board.turn);
  if (fault) { say(W.cannotPlay(vertex(index, state.tree.size), fault)); return false; }
  const before = state.tree.nodes.length, node = state.tree.play(state.node, index);
  goTo(node);
  if (state.tree.nodes.length > before) changed();
  return true;
}

function header() {
  const { tree, node } = state;
  const all = tree.line(node).reduce((sum, n) => sum + (tree.move(n) ? 1 : 0), 0);
  at("count").textContent = `${tree.board(node).moves} / ${all}`;
  const name = (who, rank) => who && `${who} ${rank ?? ""}`.trim();
  const names = [name(tree.black, tree.black_rank), name(tree.white, tree.white_rank)];
  const players = names[0] || names[1] ? W.players(names[0] || "?", names[1] || "?") : "";
  at("title").textContent = [players, tree.date, guessing() ? "" : tree.result].filter(Boolean).join(" · ");
  const { fault } = tree.nodes[node];
  if (fault) say(W.cannotFollow(fault));
}

export function wire() {
  for (const [id, act] of Object.entries({ first, back, forward, last })) at(id).addEventListener("click", act);
  onShow(header);
}
