// What is tried is kept in this browser at once, and the page says so: a reload loses nothing.

import { at } from "./dom.js";
import { keep, keepRecent } from "./kept.js";
import { collected, nameOfGame } from "./collection.js";
import { state } from "./state.js";
import { W } from "./words.js";

const PAUSE = 400; // ms without a change before a text that is being written is kept
let waiting = 0;

function tell(words) {
  at("saved").textContent = words;
  at("saved").classList.toggle("lost", state.lost);
}

/** Keep the game for a reload; what the page began with needs no keeping. */
export function keepTree() {
  clearTimeout(waiting);
  waiting = 0;
  if (state.start === null) return;
  state.lost = !keep({ ...state, ...state.session?.before }) && state.changed;
  if (!state.changed || state.session) return;
  if (!state.lost) keepRecent(state.id, nameOfGame(state.tree), collected());
  tell(state.lost ? W.notKept : W.kept);
}

/** Something was tried or written: keep it now, or when there is a pause in the writing. */
export function changed(soon = false) {
  if (state.session) return; // a problem is nobody's game
  state.changed = true;
  clearTimeout(waiting);
  if (!soon) { keepTree(); return; }
  tell(W.keeping);
  waiting = setTimeout(keepTree, PAUSE);
}

/** Another game is shown: nothing of it has been kept yet. */
export const fresh = () => tell("");

export function wire() {
  addEventListener("pagehide", keepTree); // the node that is shown
  addEventListener("beforeunload", (event) => { if (waiting) keepTree(); if (state.lost) event.preventDefault(); }); // the browser asks
}
