// The light search of the whole game, in the background: asked for, shown as it goes on, stopped, and kept with the
// nodes of the tree.

import { lines } from "./api.js";
import { at, remember, remembered, tag } from "./dom.js";
import { Leads } from "./leads.js";
import { loss, mistakes } from "./losses.js";
import { answered, failed, onReturn } from "./messages.js";
import { onBegin } from "./modes.js";
import { LETTER } from "./rules.js";
import { onShow } from "./show.js";
import { hiding, state } from "./state.js";
import { goTo, mainLine, mainNode, mainNumber } from "./steps.js";
import { W } from "./words.js";

const PLACE = "katachi.searched", PAUSE = 250; // ms between two drawings while answers come
const visitor = crypto.randomUUID?.() ?? String(Math.random());
const leads = new Leads(at("leads"), (number) => goTo(mainNode(number)));
const telling = [];
let under = null; // { control, done, of }, while the game is searched
let broken = false; // the server has gone in the middle
let waiting = 0, changes = 0, drawn = null; // what was drawn last

/** Called when more is known of some position. */
export const onSearched = (act) => telling.push(act);

/** The nodes of the main line at which a move was played, each with it; and the last, with null. */
function places(tree) {
  const found = mainLine().map((n) => [tree.nodes[n].parent, tree.move(n)]);
  return [...found, [tree.line(0).at(-1), null]];
}

/** What the search says of a node's position, and of that after the move that was played there; or undefined. */
export const searched = (node) => state.tree.nodes[node].searched;
export function after(node) {
  const child = state.tree.nodes[node].children[0];
  return child === undefined ? undefined : state.tree.nodes[child].searched;
}

/** What each move of the game lost, as far as that is known. */
function losses() {
  const { tree } = state, all = places(tree);
  return all.slice(0, -1).map(([node, move], i) => {
    const one = loss(searched(node), searched(all[i + 1][0]), move);
    return one && { ...one, number: i + 1, ...move };
  }).filter(Boolean);
}

/** Those that are to be searched by so many simulations, the one that is shown and what follows it first. */
function missing(tree, simulations) {
  const all = places(tree), from = Math.max(all.findIndex(([node]) => node === state.node), 0);
  return [...all.slice(from), ...all.slice(0, from)].filter(([node, move]) => {
    const known = tree.nodes[node].searched;
    return !known || known.simulations < simulations || (move && known.best !== move.vertex && known.played !== move.vertex);
  });
}

async function search() {
  if (under) return;
  const { tree } = state, simulations = Number(at("depth").value), wanted = missing(tree, simulations);
  if (!wanted.length || !mainLine().length) return;
  const work = { control: new AbortController(), done: 0, of: wanted.length };
  under = work;
  broken = false;
  redraw();
  const positions = wanted.map(([node, move]) => [tree.actions(node).length, LETTER[tree.board(node).turn], move?.vertex ?? null]);
  const actions = tree.actions(tree.line(0).at(-1));
  try {
    await lines("search", { size: tree.size, komi: tree.komi, actions, positions, simulations, visitor }, (found) => {
      answered();
      if (found.end) work.ended = true;
      if (found.place === undefined || tree !== state.tree) return;
      const { place, ...one } = found, [node, move] = wanted[place];
      tree.nodes[node].searched = { ...one, simulations, played: move?.vertex ?? null };
      work.done += 1;
      soon();
    }, work.control.signal);
    broken = !work.ended && tree === state.tree;
  } catch (error) {
    if (tree === state.tree && error.name !== "AbortError") { broken = true; failed(error); }
  }
  if (under === work) under = null;
  redraw();
}

function soon() {
  waiting ||= setTimeout(() => { waiting = 0; redraw(); }, PAUSE);
}

function stop() {
  under?.control.abort();
  under = null;
  redraw();
}

function redraw() {
  changes += 1;
  draw();
}

/** Draw all of it, if anything but the move that is shown has changed. */
function draw() {
  const hidden = hiding() || state.mode === "guess", { tree } = state, now = [tree, tree.version, changes, hidden, state.mode];
  if (drawn?.every((part, i) => part === now[i])) { leads.move(mainNumber(state.node)); return; }
  drawn = now;
  controls();
  const found = places(state.tree).map(([node]) => searched(node));
  const lost = hidden ? [] : losses(), sure = mistakes(lost, at("mistakes-order").value);
  leads.draw(found, sure, mainNumber(state.node), hidden);
  list(lost, sure, hidden || !found.some(Boolean));
  for (const act of telling) act();
}

function controls() {
  const all = places(state.tree), known = all.filter(([node]) => searched(node)).length;
  at("search").hidden = hiding() || state.mode === "guess" || !mainLine().length;
  at("search-begin").hidden = Boolean(under);
  at("search-stop").hidden = at("search-bar").hidden = !under;
  at("depth").disabled = Boolean(under);
  if (under) Object.assign(at("search-bar"), { max: under.of, value: under.done });
  const rest = missing(state.tree, Number(at("depth").value)).length;
  at("search-begin").disabled = !rest;
  at("search-begin").textContent = known && rest && rest < all.length ? W.searchOn : W.searchGame;
  at("search-told").textContent = under ? W.searchGoes(under) : known ? W.searchKnown(known, all.length) : W.searchHint;
}

function list(lost, sure, hidden) {
  const panel = at("mistakes");
  panel.hidden = hidden;
  if (hidden) return;
  panel.querySelector("ol").replaceChildren(...sure.map((one) => {
    const button = tag("button", { type: "button" }, tag("span", { className: "sign" }, String(one.number)),
      tag("span", { className: "vertex" }, `${W.colours[one.colour]} ${one.vertex}`),
      tag("span", { className: "chance" }, W.lost(one)), tag("span", { className: "because" }, W.betterWas(one)));
    button.addEventListener("click", () => goTo(state.tree.nodes[mainNode(one.number)].parent));
    return tag("li", {}, button);
  }));
  const unsure = lost.filter((one) => !one.sure && one.points > 0).length;
  panel.querySelector("p").textContent = W.unsure(unsure, sure.length, lost.length);
}

/** Keep what is known for a reload, if there is room; nothing hangs on it. */
function keep() {
  const { tree, id, place } = { ...state, ...state.session?.before };
  const found = tree.order().map((n, i) => [i, tree.nodes[n].searched]).filter(([, one]) => one);
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ id, place, komi: tree.komi, found }));
  } catch { try { sessionStorage.removeItem(PLACE); } catch { /* not allowed to keep anything */ } }
}

/** After a reload: what was known of the game that is shown. */
export function restore() {
  try {
    const { id, place, komi, found } = JSON.parse(sessionStorage.getItem(PLACE) ?? "null") ?? {};
    const order = state.tree.order();
    if (id !== state.id || place !== state.place || komi !== state.tree.komi) return;
    for (const [i, one] of found) if (state.tree.nodes[order[i]]) state.tree.nodes[order[i]].searched = one;
  } catch { return; }
  redraw();
}

/** The depths that the server offers, in simulations. */
export function offer(depths) {
  at("depth").replaceChildren(...depths.map((n) => tag("option", { value: n }, W.simulations(n))));
  const usual = remembered("depth", 200);
  at("depth").value = String(depths.includes(usual) ? usual : depths[0]);
}

export function wire() {
  at("search-begin").addEventListener("click", search);
  at("search-stop").addEventListener("click", stop);
  at("depth").addEventListener("change", () => { remember("depth", Number(at("depth").value)); redraw(); });
  at("mistakes-order").replaceChildren(...Object.entries(W.mistakeOrders).map(([value, words]) => tag("option", { value }, words)));
  at("mistakes-order").addEventListener("change", redraw);
  onBegin(() => { under?.control.abort(); under = null; broken = false; });
  onReturn(() => { if (broken) search(); });
  onShow(draw);
  addEventListener("pagehide", keep);
}
