// What is tried is kept in this browser at once, and the page says so: a reload loses nothing.

import { collected, nameOfGame } from "./collection.js";
import { at } from "./dom.js";
import { keep, keepRecent } from "./kept.js";
import { state } from "./state.js";
import { W } from "./words.js";

const PAUSE = 400; // ms without a change, before what takes longer is kept
const LARGE = 1_000_000; // characters of a file that is not kept for after this tab
let writing = 0, waiting = 0;

function tell(words) {
  at("saved").textContent = words;
  at("saved").classList.toggle("lost", state.lost);
}

/** Keep the game for a reload; what the page began with needs no keeping. */
export function keepTree() {
  clearTimeout(writing);
  writing = 0;
  if (state.start === null) return;
  state.lost = !keep({ ...state, ...state.session?.before }) && state.changed;
  if (state.changed && !state.session) tell(state.lost ? W.notKept : W.kept);
}

/** Keep what was tried for after this tab is closed. */
function keepFile() {
  if (!waiting) return;
  clearTimeout(waiting);
  waiting = 0;
  const sgf = collected();
  if (sgf.length < LARGE) keepRecent(state.id, nameOfGame(state.tree), sgf);
}

/** Something was tried or written: keep it now, or when there is a pause in the writing. */
export function changed(soon = false) {
  if (state.session) return; // a problem is nobody's game
  state.changed = true;
  clearTimeout(waiting);
  waiting = setTimeout(keepFile, PAUSE);
  clearTimeout(writing);
  if (!soon) { keepTree(); return; }
  tell(W.keeping);
  writing = setTimeout(keepTree, PAUSE);
}

/** Before another game is shown: what was tried in this one is kept, and nothing of that one yet. */
export function fresh() {
  keepFile();
  tell("");
}

export function wire() {
  addEventListener("pagehide", () => { keepFile(); keepTree(); }); // with the node that is shown
  addEventListener("beforeunload", (event) => { if (writing) keepTree(); if (state.lost) event.preventDefault(); }); // the browser asks
}
