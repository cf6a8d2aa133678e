// The usual moves: on the board, as a list, and one of them explained.

import { at, tag } from "./dom.js";
import { showExplanation } from "./explain.js";
import { short } from "./marks.js";
import { failed } from "./messages.js";
import { onBegin } from "./modes.js";
import { explanation, opinion } from "./position.js";
import { EMPTY, fromVertex, LETTER, vertex } from "./rules.js";
import { layer, onHover, onOpinion, onShow, redraw } from "./show.js";
import { hiding, state, still } from "./state.js";
import { onLeave } from "./steps.js";
import { percent, W } from "./words.js";

const LEAST = 0.0005; // probability of a move that is marked on the board

function circles(found) {
  if (!found || hiding() || !state.shown.squares) return {};
  const marked = found.moves.map((one, i) => [fromVertex(one.vertex, state.tree.size), one.probability,
    state.shown.ranks ? String(i + 1) : short(one.probability)]);
  return { candidates: marked.filter(([index, chance]) => index >= 0 && chance >= LEAST) };
}

/** The move that was played is ringed, and so is the one that is explained. */
function rings(found, board) {
  if (hiding()) return {};
  const made = [], add = (name, kind) => {
    const index = name ? fromVertex(name, state.tree.size) : -1;
    if (index >= 0 && board.stones[index] === EMPTY) made.push([index, kind]);
  };
  if (state.shown.squares || state.guess) add(state.tree.nextMove(state.node)?.vertex, "played");
  if (found && state.chosen !== state.tree.nextMove(state.node)?.vertex) add(state.chosen, "chosen");
  return { rings: made };
}

function list(found) {
  at("candidates").querySelector("ol").replaceChildren(...found.moves.map((one, i) => {
    const button = tag("button", { type: "button", className: one.vertex === state.chosen ? "chosen" : "" },
      tag("span", { className: "sign" }, String(i + 1)), tag("span", { className: "vertex" }, one.vertex),
      tag("span", { className: "chance" }, percent(one.probability)), tag("span", { className: "because", title: one.why }, one.why));
    for (const kind of ["click", "pointerenter", "focus"]) button.addEventListener(kind, () => { if (!button.disabled) explain(one.vertex); });
    return tag("li", {}, button);
  }));
  told(found);
}

/** The line about the move that was played. */
function told(found) {
  const next = state.tree.nextMove(state.node), same = still(), line = at("played");
  line.textContent = "";
  if (!next || hiding()) return;
  const known = found.moves.find((one) => one.vertex === next.vertex);
  if (known) line.textContent = W.wasPlayed(next.vertex, known);
  else explanation(next.vertex).then((one) => { if (same()) line.textContent = W.wasPlayed(next.vertex, one); }).catch(() => {});
}

/** Explain a move of the position that is shown. */
export async function explain(name) {
  if (hiding()) return;
  state.chosen = name;
  const { node } = state;
  try {
    const one = await explanation(name);
    if (node !== state.node || state.chosen !== name) return;
    showExplanation(at("explanation"), one, one.legal, W.colours[LETTER[state.tree.board(node).turn]]);
    for (const button of at("candidates").querySelectorAll("ol button")) {
      button.classList.toggle("chosen", button.querySelector(".vertex").textContent === name);
    }
    redraw();
  } catch (error) { failed(error); }
}

let waiting = 0;

function hovered(index) {
  clearTimeout(waiting);
  const board = state.tree.board(state.node);
  if (index < 0 || board.stones[index] !== EMPTY || hiding()) return;
  waiting = setTimeout(async () => {
    const name = vertex(index, state.tree.size), same = still();
    try {
      const found = await opinion(state.node);
      if (same() && name in found.squares) explain(name);
    } catch { /* told when it was asked for */ }
  }, 60);
}

/** Until the moves of the next node are here, the list has another node's: none of them may be asked about. */
function leave() {
  clearTimeout(waiting);
  for (const button of at("candidates").querySelectorAll("ol button")) button.disabled = true;
}

/** Explain the usual move of this number; once more plays it. */
export async function numbered(number, press) {
  try {
    const found = await opinion(state.node), one = found.moves[number - 1];
    if (!one || hiding()) return;
    if (state.chosen === one.vertex && !state.thinking) press(fromVertex(one.vertex, state.tree.size));
    else explain(one.vertex);
  } catch (error) { failed(error); }
}

export function wire() {
  layer(circles);
  layer(rings);
  onOpinion(list);
  onHover(hovered);
  onLeave(leave);
  onBegin(leave);
  onShow(() => {
    at("candidates").hidden = hiding();
    if (hiding() || !state.chosen) at("explanation").hidden = true;
  });
}
