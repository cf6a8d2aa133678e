// Guessing: the score by stage, kept in this browser.

import { remember, remembered, tag } from "./dom.js";
import { W } from "./words.js";

const PLACE = "guesses";
const STAGES = [["opening", 1], ["middle game", 61], ["endgame", 151]];

export function stageOf(number, size) {
  let found = STAGES[0][0];
  for (const [name, first] of STAGES) if ((number - 1) * 361 >= (first - 1) * size * size) found = name;
  return found;
}

export function scores() {
  const found = remembered(PLACE, {});
  return typeof found === "object" ? found : {};
}

export const forget = () => remember(PLACE, null);

/** Count a guess: whether it was the move played, and how usual it is beside the most usual. */
export function count(stage, same, share) {
  const all = scores();
  const one = all[stage] ?? { guesses: 0, same: 0, share: 0 };
  all[stage] = { guesses: one.guesses + 1, same: one.same + (same ? 1 : 0), share: one.share + share };
  remember(PLACE, all);
}

export function showScores(table) {
  const all = scores();
  const rows = STAGES.map(([name]) => [name, all[name]]).filter(([, one]) => one);
  table.replaceChildren();
  if (!rows.length) return;
  const cells = (kind, ...words) => tag("tr", {}, ...words.map((w) => tag(kind, {}, w)));
  table.append(cells("th", "", ...W.scoreColumns));
  const whole = { guesses: 0, same: 0, share: 0 };
  for (const [name, one] of rows) {
    for (const key of Object.keys(whole)) whole[key] += one[key];
    table.append(row(name, one));
  }
  table.append(row(W.all, whole));
  function row(name, one) {
    const part = (n) => `${Math.round((100 * n) / one.guesses)} %`;
    return cells("td", name, String(one.guesses), part(one.same), part(one.share));
  }
}
