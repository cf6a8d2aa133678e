// Playing against the engine: a game that was arranged (tree.match, see arranging.js), or from any position.

import { lines } from "./api.js";
import { rulesOf } from "./arranging.js";
import { changed } from "./autosave.js";
import { moved, onTimeUp } from "./clock.js";
import { counted, over, toggle } from "./counting.js";
import { at, tag } from "./dom.js";
import { answered, failed, onReturn, say } from "./messages.js";
import { onBegin, onMode } from "./modes.js";
import { request } from "./position.js";
import { fromVertex, LETTER, other } from "./rules.js";
import { onPress, onShow, show } from "./show.js";
import { state, still } from "./state.js";
import { goTo, onLeave, play } from "./steps.js";
import { W } from "./words.js";

const visitor = crypto.randomUUID?.() ?? String(Math.random());
let levels = []; // of the server: { name } and, where it was measured, elo, low, high and games

/** The game against the engine that is on, or null. */
const running = () => (state.tree.match && !state.tree.match.result ? state.tree.match : null);
const turn = () => state.tree.board(state.node).turn;

async function engineMove() {
  if (over() || state.thinking) return;
  const { tree, node } = state, same = still(), colour = turn(), match = running(), task = new AbortController();
  const yours = at("you").value === "B" ? 1 : 2;
  if (!match && colour === yours) at("you").value = LETTER[other(yours)]; // asked to move for you: you change sides
  state.thinking = task;
  state.thought = [node];
  at("stop").hidden = Boolean(match);
  at("engine").disabled = true;
  at("thinking").textContent = W.thinking;
  try {
    let move = null;
    const terms = { strength: match?.strength ?? at("strength").value, visitor, rules: rulesOf(tree), cleanup: match?.cleanup ?? false };
    await lines("play", request(node, terms), (found) => {
      if (found.move) move = found;
      else if (same()) thinking(found, colour);
    }, task.signal);
    answered();
    if (!move || task.signal.aborted || (match ? tree !== state.tree : !same())) return;
    state.thinking = null;
    if (match) goTo(node); // whatever one has looked at meanwhile
    if (move.move === "resign") {
      if (match) finish(`${LETTER[other(colour)]}+R`, W.resigns);
      else { thinking(move, colour); say(W.resigns); }
      return;
    }
    play(move.move === "pass" ? -1 : fromVertex(move.move, tree.size));
    thinking(move, colour); // it is about the move: it stays while that is looked at
    state.thought = [node, state.node];
    if (match && move.move === "pass" && !over()) say(W.enginePasses);
    if (!match && over()) say(W.over);
  } catch (error) {
    if (error.name === "AbortError") at("thinking").textContent = match ? "" : W.stopped;
    else { at("thinking").replaceChildren(); failed(error); }
  } finally {
    if (state.thinking === task) state.thinking = null;
    at("stop").hidden = true;
    at("engine").disabled = false;
  }
}

/** What the engine thinks, or has thought: the win rates are those of the side to move. Without hints only that it does. */
function thinking(found, colour) {
  if (!state.hints) { at("thinking").textContent = found.move ? "" : W.thinking; return; }
  const moves = found.moves ?? [], most = Math.max(...moves.map((m) => m.visits), 1);
  const done = found.of ? [tag("p", {}, W.simulated(found, colour, !found.move && moves.length > 0))] : [];
  at("thinking").replaceChildren(
    ...done,
    ...moves.map((m) => {
      const fill = tag("i");
      fill.style.width = `${(100 * m.visits) / most}%`;
      return tag("div", { className: m.vertex === found.move ? "row chosen" : "row" }, tag("span", { className: "vertex" }, m.vertex),
        tag("span", { className: "track" }, fill), tag("span", {}, W.winsOf(m)));
    }),
    ...(found.comment ? [tag("p", {}, `${found.comment}.`)] : []));
}

/** The game is over: the record says how. */
function finish(result, words = "") {
  const { tree } = state, { match } = tree;
  tree.set(0, "RE", [result]);
  tree.result = result;
  if (match) {
    match.result = result;
    while (tree.promote(state.node)); // what was played is the main line
  }
  state.thinking?.abort();
  changed();
  show();
  say([words, W.result(result)].filter(Boolean).join(" "));
}

/** Take back your last move, and what the engine has answered; or that you have resigned. */
function takeBack() {
  const { tree } = state, { match } = tree;
  if (match.result) {
    if (match.result !== `${LETTER[other(match.yours)]}+R`) return;
    match.result = tree.result = "";
    tree.set(0, "RE", []);
    changed();
    show();
    resume();
    return;
  }
  const own = tree.path(state.node).reverse().find((n) => tree.move(n)?.colour === LETTER[match.yours]);
  if (own === undefined) { say(W.nothingBack); return; }
  state.thinking?.abort();
  state.thinking = null;
  const { parent } = tree.nodes[own];
  tree.remove(own);
  goTo(parent);
  changed();
}

/** Both have passed, but the dead are disputed: the game goes on before the passes. */
function playOn() {
  const { tree } = state, match = running(), before = tree.nodes[tree.nodes[state.node].parent];
  if (match) {
    match.cleanup = true;
    tree.remove(tree.nodes[state.node].parent);
  }
  goTo(before.parent);
  changed();
  resume();
}

/** Where the engine is to move at the end of a game that is on, it does. */
function resume() {
  const match = running();
  if (state.mode !== "play" || !match || state.thinking || turn() === match.yours) return;
  if (!state.tree.nodes[state.node].children.length) engineMove();
}

function pressed(index) {
  if (state.mode === "guess" || state.thinking) return;
  const match = running();
  if (state.mode === "play" && counted()) {
    if (!state.tree.match?.result) toggle(index);
    return;
  }
  if (match && state.mode === "play" && turn() !== match.yours) { engineMove(); return; }
  if (!play(index) || state.mode !== "play") return;
  if (match) { moved(match); changed(); }
  engineMove();
}

function panel() {
  const { match } = state.tree, on = running();
  at("playing").hidden = state.mode !== "play";
  at("hints").checked = state.hints;
  at("graph").hidden = state.mode === "play" && !state.hints;
  at("play-from").hidden = Boolean(on);
  at("match").hidden = !match;
  if (!match) return;
  at("match-told").textContent = W.match(match, state.tree.komi, levels.find((one) => one.name === match.strength));
  at("match-result").textContent = match.result && W.result(match.result);
  at("prisoners").textContent = W.captured(state.tree.board(state.node).captured, match.yours);
  at("resign").disabled = !on;
  at("take-back").disabled = Boolean(match.result) && match.result !== `${LETTER[other(match.yours)]}+R`;
}

export function wire() {
  at("engine").addEventListener("click", () => { if (over()) say(W.over); else engineMove(); });
  at("stop").addEventListener("click", () => state.thinking?.abort());
  at("take-back").addEventListener("click", takeBack);
  at("resign").addEventListener("click", () => { if (running()) finish(`${LETTER[other(running().yours)]}+R`); });
  at("count-accept").addEventListener("click", () => { if (counted()) finish(counted().result); });
  at("count-on").addEventListener("click", playOn);
  at("hints").addEventListener("change", () => { state.hints = at("hints").checked; at("thinking").replaceChildren(); show(); });
  onPress(pressed);
  onTimeUp(() => finish(`${LETTER[other(running().yours)]}+T`, W.timeUp));
  onLeave((node) => { if (!state.thought.includes(node)) at("thinking").replaceChildren(); }); // it was about another position
  onBegin(() => { state.thinking?.abort(); state.thinking = null; state.thought = []; at("thinking").replaceChildren(); });
  onMode((mode) => {
    state.thinking?.abort();
    state.thinking = null;
    if (mode !== "play") return;
    at("you").value = LETTER[turn()];
    resume();
  });
  onReturn(resume);
  onShow(panel);
}

/** The levels that the server offers: to play from here, and for a game that is arranged. */
export function offer(offered) {
  levels = offered;
  for (const [list, told] of [["strength", "level-told"], ["terms-strength", "terms-told"]]) {
    at(list).replaceChildren(...levels.map((one) => tag("option", { value: one.name }, W.level(one))));
    const tell = () => { at(told).textContent = W.levelTold(levels[at(list).selectedIndex] ?? levels[0]); };
    at(list).addEventListener("change", tell);
    tell();
  }
}
