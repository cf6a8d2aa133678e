// The clock of a game against the engine: a main time, then periods of byo-yomi. It runs for the student only, and
// while the student plays; the engine plays by its level.

import { at } from "./dom.js";
import { onShow } from "./show.js";
import { state } from "./state.js";
import { W } from "./words.js";

const BEAT = 200; // ms
let before = null; // when the clock was looked at last, null while it stands
const ending = [];
export const onTimeUp = (act) => ending.push(act);

/** Whether the game is on, and the student is to move where it ends. */
function running() {
  const { tree, node, mode, thinking } = state, { match } = tree;
  if (!match?.clock || match.result || mode !== "play" || thinking) return false;
  const end = tree.line(node).at(-1), parent = tree.nodes[end].parent;
  const passes = [end, parent].every((n) => n > 0 && tree.move(n)?.vertex === "pass");
  return !passes && tree.board(end).turn === match.yours;
}

/** What is left after so many seconds; the same object. */
export function spend(left, { seconds }, spent) {
  const over = Math.max(spent - left.main, 0);
  left.main = Math.max(left.main - spent, 0);
  left.period -= over;
  while (left.periods > 0 && left.period <= 0) {
    left.periods -= 1;
    left.period += seconds;
  }
  return left;
}

/** Whether nothing is left. */
export const isUp = (left) => left.main <= 0 && left.periods <= 0;

/** The student has moved: a period that is not used up begins anew. */
export function moved(match) {
  beat();
  before = null;
  if (match.clock && match.left.main <= 0) match.left.period = match.clock.seconds;
}

function beat() {
  const now = performance.now(), { match } = state.tree;
  if (!running()) { before = null; return; }
  if (before !== null) spend(match.left, match.clock, (now - before) / 1000);
  before = now;
  tell();
  if (isUp(match.left)) for (const act of ending) act();
}

function tell() {
  const { match } = state.tree;
  at("clock").hidden = !match?.clock;
  const words = match?.clock ? W.clock(match.left) : "";
  if (at("clock").textContent !== words) at("clock").textContent = words;
}

export function wire() {
  setInterval(beat, BEAT);
  onShow(tell);
}
