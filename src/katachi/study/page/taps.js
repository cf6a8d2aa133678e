// A finger is broader than a point: the first tap shows and explains a move, the second plays it.

import { explain } from "./candidates.js";
import { counted } from "./counting.js";
import { at } from "./dom.js";
import { onBegin, onMode } from "./modes.js";
import { explanation } from "./position.js";
import { vertex } from "./rules.js";
import { layer, onTap, press, redraw } from "./show.js";
import { hiding, state, still } from "./state.js";
import { onLeave } from "./steps.js";
import { W } from "./words.js";

function hint(words) {
  at("hint").textContent = words;
  at("hint").hidden = !words;
}

function forget() {
  state.tapped = -1;
  hint("");
}

async function tapped(index) {
  const board = state.tree.board(state.node);
  if (state.tool || counted() || index === state.tapped || board.fault(index, board.turn)) { forget(); press(index); return; }
  state.tapped = index;
  const name = vertex(index, state.tree.size), same = still(), mine = () => same() && state.tapped === index;
  hint(W.tapAgain(name, null, state.mode));
  redraw();
  if (hiding()) return;
  try {
    const one = await explanation(name);
    if (!mine()) return;
    hint(W.tapAgain(name, one, state.mode));
    explain(name);
  } catch { /* told when the position was asked for */ }
}

export function wire() {
  onTap(tapped);
  onLeave(forget);
  onBegin(forget);
  onMode(forget);
  layer((found, board) => (state.tapped >= 0 ? { ghosts: [[state.tapped, board.turn, ""]] } : {}));
}
