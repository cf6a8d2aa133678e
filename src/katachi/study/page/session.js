// A session of problems: positions from several games, one after another. The student's own game is put aside
// meanwhile.

import { lines } from "./api.js";
import { fresh } from "./autosave.js";
import { at, tag } from "./dom.js";
import { hard, noteProblem, noteSession, stages, weakKinds } from "./guess.js";
import { failed, say } from "./messages.js";
import { onMode } from "./modes.js";
import { begin } from "./opening.js";
import { toLetters, fromVertex } from "./rules.js";
import { treeOf } from "./save.js";
import { onShow } from "./show.js";
import { state } from "./state.js";
import { W } from "./words.js";

const MANY = 10; // problems of a session

/** Put a problem on the board: the answer is the next move of its record. */
function set(problem) {
  const { tree, node } = treeOf(problem.size, problem.komi, problem.actions), colour = problem.colour === W.colours.B ? "B" : "W";
  tree.add(node, [`${colour} ${problem.vertex}`], { [colour]: [toLetters(fromVertex(problem.vertex, problem.size), problem.size)] });
  begin(tree, node, false);
}

async function found(kind) {
  if (kind === "hard") return hard().slice(0, MANY).map((one) => one.problem);
  const all = [], seed = Math.floor(Math.random() * 2 ** 31);
  await lines("problems", { count: MANY, stage: at("guess-stage").value, kinds: weakKinds(), seed }, (one) => { if (!one.end) all.push(one); });
  return all;
}

async function start(kind) {
  at("guess-games").disabled = true;
  try {
    const problems = await found(kind);
    if (state.mode !== "guess" || state.session) return;
    if (!problems.length) { say(kind === "hard" ? W.noHard : W.noProblems); return; }
    fresh();
    const { tree, node, games, place, id, changed } = state;
    state.session = { kind, problems, place: 0, right: 0, done: 0, before: { tree, node, games, place, id, changed } };
    set(problems[0]);
  } catch (error) { failed(error); } finally { at("guess-games").disabled = false; }
}

/** The next problem, or the end; false if there is no session. */
export function next() {
  const { session } = state;
  if (!session) return false;
  session.place += 1;
  if (session.place < session.problems.length) set(session.problems[session.place]);
  else end();
  return true;
}

/** A guess was made in the session. */
export function note(same) {
  const { session } = state;
  if (!session) return;
  session.done += 1;
  if (same) session.right += 1;
  noteProblem(session.problems[session.place], same);
}

/** The student's game again, and what came of the session. */
export function end() {
  const { session } = state;
  if (!session) return;
  state.session = null;
  const { tree, node, ...rest } = session.before;
  Object.assign(state, rest);
  if (session.done) noteSession({ when: Date.now(), right: session.right, of: session.done, name: W.sessionKinds[session.kind] });
  begin(tree, node);
  if (session.done) say(W.sessionDone(session.right, session.done));
}

export function wire() {
  at("guess-stage").append(...["", ...stages].map((stage) => tag("option", { value: stage }, stage || W.allStages)));
  at("guess-games").addEventListener("click", () => start("games"));
  at("guess-hard").addEventListener("click", () => start("hard"));
  at("guess-end").addEventListener("click", end);
  onMode((mode) => { if (mode !== "guess") end(); });
  onShow(() => {
    const { session } = state, many = hard().length;
    at("guess-hard").disabled = !many;
    at("guess-hard").textContent = W.hardOnes(many);
    at("guess-begin").hidden = Boolean(session);
    at("guess-session").hidden = !session;
    if (session) at("guess-place").textContent = W.problem(session.place + 1, session.problems.length, session.right);
  });
}
