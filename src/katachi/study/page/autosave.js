// The game is kept in this tab, so that a reload loses nothing.

import { keep } from "./kept.js";
import { state } from "./state.js";

/** Keep the game for a reload; what the page began with needs no keeping. */
export function keepTree() {
  if (state.start === null) return;
  state.lost = !keep(state.tree, state.node, state.start) && state.changed;
}

export function wire() {
  addEventListener("pagehide", keepTree); // the node that is shown
  addEventListener("beforeunload", (event) => { if (state.lost) event.preventDefault(); }); // the browser asks
}
