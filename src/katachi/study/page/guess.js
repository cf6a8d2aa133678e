// The score of guesses, kept in this browser: by stage, by kind of move, and which problems were hard.

import { remember, remembered, tag } from "./dom.js";
import { W } from "./words.js";

const STAGES = [["opening", 1], ["middle game", 61], ["endgame", 151]];
const MOST_HARD = 200, MOST_SESSIONS = 50, KINDS = 3;
const ENOUGH = 2; // times in a row that a hard problem is solved before it is no longer hard

export const stages = STAGES.map(([name]) => name);

export function stageOf(number, size) {
  let found = STAGES[0][0];
  for (const [name, first] of STAGES) if ((number - 1) * 361 >= (first - 1) * size * size) found = name;
  return found;
}

function table(name) {
  const found = remembered(name, {});
  return found && typeof found === "object" && !Array.isArray(found) ? found : {};
}

const list = (name) => [remembered(name, [])].flat();

export function forget() {
  for (const name of ["guesses", "kinds", "hard", "sessions"]) remember(name, null);
}

/** Count a guess: whether it was the move played, how usual it is beside the most usual, and what kind of move
 *  was to be found. */
export function count(stage, kind, same, share) {
  const all = table("guesses"), one = all[stage] ?? { guesses: 0, same: 0, share: 0 };
  all[stage] = { guesses: one.guesses + 1, same: one.same + (same ? 1 : 0), share: one.share + share };
  remember("guesses", all);
  const kinds = table("kinds"), [seen, missed] = kinds[kind] ?? [0, 0];
  kinds[kind] = [seen + 1, missed + (same ? 0 : 1)];
  remember("kinds", kinds);
}

/** The kinds of moves that were missed most, by share and number; the worst first. */
export function weakKinds() {
  const worth = ([seen, missed]) => missed / (seen + 2); // few guesses tell little
  return Object.entries(table("kinds")).filter(([, one]) => one[1] > 0)
    .sort(([, one], [, two]) => worth(two) - worth(one)).slice(0, KINDS).map(([kind]) => kind);
}

/** The problems that were missed, and not solved often enough since. */
export const hard = () => list("hard").filter((one) => Array.isArray(one?.problem?.actions));

const nameOf = (problem) => `${problem.size}:${problem.actions.join()}`;

/** Note how a problem went. */
export function noteProblem(problem, same) {
  const before = hard(), name = nameOf(problem), known = before.find((one) => nameOf(one.problem) === name);
  if (same && !known) return;
  const solved = same ? known.solved + 1 : 0, rest = before.filter((one) => one !== known);
  remember("hard", solved >= ENOUGH ? rest : [{ problem, solved }, ...rest].slice(0, MOST_HARD));
}

/** Keep the result of a session: { when, right, of, name }. */
export const noteSession = (one) => remember("sessions", [one, ...list("sessions")].slice(0, MOST_SESSIONS));

const cells = (kind, ...words) => tag("tr", {}, ...words.map((w) => tag(kind, {}, w)));

export function showScores(into) {
  const all = table("guesses"), rows = STAGES.map(([name]) => [name, all[name]]).filter(([, one]) => one);
  into.replaceChildren();
  if (!rows.length) return;
  into.append(cells("th", "", ...W.scoreColumns));
  const whole = { guesses: 0, same: 0, share: 0 };
  for (const [name, one] of rows) {
    for (const key of Object.keys(whole)) whole[key] += one[key];
    into.append(row(name, one));
  }
  into.append(row(W.all, whole));
  function row(name, one) {
    const part = (n) => `${Math.round((100 * n) / one.guesses)} %`;
    return cells("td", name, String(one.guesses), part(one.same), part(one.share));
  }
}

/** The last sessions, and the kinds of moves that are missed most. */
export function showHistory(into) {
  const kinds = table("kinds"), weak = weakKinds();
  into.replaceChildren(
    ...(weak.length ? [tag("p", {}, W.weak(weak.map((kind) => W.missed(kind, ...kinds[kind]))))] : []),
    ...list("sessions").slice(0, 5).map((one) => tag("p", {}, W.session(new Date(one.when).toLocaleString("en-GB"), one))));
}
