// A game against the engine is arranged: a dialog asks for its terms, which stand in the record, too.
//
// tree.match is { yours: 1 or 2, strength, rules, cleanup, result, clock, left }: `cleanup` says that dead stones are
// disputed, `result` is "" until the game is over, `clock` is { main, periods, seconds } or null, `left` what is left of it.

import { at, remember, remembered, tag } from "./dom.js";
import { setMode } from "./modes.js";
import { opened } from "./opening.js";
import { BLACK, toLetters, WHITE } from "./rules.js";
import { state } from "./state.js";
import { Tree } from "./tree.js";
import { W } from "./words.js";

export const RULES = { chinese: "Chinese", japanese: "Japanese", "tromp-taylor": "Tromp-Taylor" }; // as SGF has them
const KOMI = { chinese: 7.5, japanese: 6.5, "tromp-taylor": 7.5 };

/** Where the fixed handicap of 2 to 9 stones goes, as programs place it: indices. */
export function handicapPoints(size, stones) {
  const low = size >= 12 ? 3 : 2, middle = (size - 1) / 2, high = size - 1 - low;
  const spots = [[high, low], [low, high], [low, low], [high, high]].slice(0, stones);
  if (stones >= 6) spots.push([middle, low], [middle, high]);
  if (stones >= 8) spots.push([high, middle], [low, middle]);
  if (stones % 2 && stones >= 5) spots.push([middle, middle]);
  return spots.map(([row, column]) => row * size + column);
}

/** The rules that a record names: one of RULES. */
export function rulesOf(tree) {
  if (tree.match) return tree.match.rules;
  const told = tree.told("RU").toLowerCase();
  return Object.keys(RULES).find((name) => told.startsWith(name.slice(0, 5))) ?? "chinese";
}

const escaped = (text) => text.replace(/[\\\]]/g, "\\$&");

/** The record of a game that begins on these terms. */
export function arranged({ name, yours, strength, size, handicap, komi, rules, clock }, today = new Date()) {
  const tree = new Tree(size, komi), names = { [yours]: name, [3 - yours]: W.engineName(strength) };
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
  const told = { PB: names[BLACK], PW: names[WHITE], DT: date, KM: String(komi), RU: RULES[rules] };
  if (handicap) told.HA = String(handicap);
  if (clock) {
    told.TM = String(clock.main);
    if (clock.periods) told.OT = `${clock.periods}x${clock.seconds} byo-yomi`;
  }
  for (const [property, text] of Object.entries(told)) tree.set(0, property, [escaped(text)]);
  if (handicap) {
    const points = handicapPoints(size, handicap);
    tree.set(0, "AB", points.map((index) => toLetters(index, size)));
    tree.set(0, "PL", ["W"]);
    tree.nodes[0].actions.push(...points.map((index) => `AB ${"ABCDEFGHJKLMNOPQRST"[index % size]}${size - Math.floor(index / size)}`), "PL W");
  }
  Object.assign(tree, { black: names[BLACK], white: names[WHITE], date });
  const left = clock && { main: clock.main, periods: clock.periods, period: clock.seconds };
  tree.match = { yours, strength, rules, cleanup: false, result: "", clock, left };
  return tree;
}

const whole = (id) => Math.max(0, Math.floor(Number(at(id).value)) || 0);

/** What the dialog asks for, as it is filled in. */
function terms() {
  const colour = at("terms-colour").value, clock = { main: 60 * whole("terms-main"), periods: whole("terms-periods"), seconds: whole("terms-seconds") };
  if (!clock.seconds) clock.periods = 0;
  const komi = Number(at("terms-komi").value);
  return {
    name: at("terms-name").value.trim() || W.student, strength: at("terms-strength").value, size: Number(at("terms-size").value),
    yours: { B: BLACK, W: WHITE }[colour] ?? (Math.random() < 0.5 ? BLACK : WHITE), handicap: Number(at("terms-handicap").value),
    komi: Number.isFinite(komi) ? Math.round(2 * Math.min(Math.max(komi, -361), 361)) / 2 : 0, rules: at("terms-rules").value,
    clock: at("terms-clock").checked && (clock.main || clock.periods) ? clock : null,
  };
}

let usual = true; // whether the komi is the one that the other terms suggest

function follow() {
  if (usual) at("terms-komi").value = at("terms-handicap").value === "0" ? KOMI[at("terms-rules").value] : 0.5;
  at("terms-times").hidden = !at("terms-clock").checked;
}

function begin(event) {
  event.preventDefault();
  at("terms-dialog").close();
  const asked = terms();
  remember("name", asked.name);
  remember("terms", { size: asked.size, strength: asked.strength, rules: asked.rules, colour: at("terms-colour").value });
  history.replaceState(null, "", location.pathname);
  state.hints = at("terms-hints").checked;
  opened(arranged(asked));
  setMode("play");
}

function ask() {
  const before = remembered("terms", {});
  for (const [name, value] of Object.entries({ size: String(state.tree.size), ...before })) {
    const list = at(`terms-${name}`), there = list && [...list.options].some((one) => one.value === String(value));
    if (there) list.value = String(value);
  }
  at("terms-name").value = remembered("name", W.student);
  at("terms-hints").checked = false;
  usual = true;
  follow();
  at("terms-strength").dispatchEvent(new Event("change"));
  at("terms-dialog").showModal();
}

export function wire() {
  at("terms-rules").append(...Object.keys(RULES).map((name) => tag("option", { value: name }, W.rules[name])));
  at("terms-handicap").append(...[0, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => tag("option", { value: String(n) }, n ? W.stones(n) : W.noHandicap)));
  at("arrange").addEventListener("click", ask);
  at("terms-close").addEventListener("click", () => at("terms-dialog").close());
  at("terms").addEventListener("submit", begin);
  at("terms-komi").addEventListener("input", () => { usual = false; });
  for (const id of ["terms-rules", "terms-handicap", "terms-clock"]) at(id).addEventListener("change", follow);
}
