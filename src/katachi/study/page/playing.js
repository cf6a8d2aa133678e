// Playing against the engine from any position.

import { lines } from "./api.js";
import { at, tag } from "./dom.js";
import { answered, failed, say } from "./messages.js";
import { onBegin, onMode } from "./modes.js";
import { request } from "./position.js";
import { fromVertex, LETTER } from "./rules.js";
import { onPress, onShow } from "./show.js";
import { state, still } from "./state.js";
import { onLeave, play } from "./steps.js";
import { W } from "./words.js";

const visitor = crypto.randomUUID?.() ?? String(Math.random());

/** Whether the last two moves are passes. */
function over() {
  const { tree, node } = state, parent = tree.nodes[node].parent;
  return parent >= 0 && tree.move(node)?.vertex === "pass" && tree.move(parent)?.vertex === "pass";
}

async function engineMove() {
  if (over()) { say(W.over); return; }
  const { tree, node } = state, same = still(), { turn } = tree.board(node);
  const yours = at("you").value === "B" ? 1 : 2;
  if (turn === yours) at("you").value = yours === 1 ? "W" : "B"; // asked to move for you: you change sides
  state.thinking = new AbortController();
  state.thought = [node];
  at("stop").hidden = false;
  at("engine").disabled = true;
  at("thinking").textContent = W.thinking;
  try {
    let move = null;
    await lines("play", request(node, { strength: at("strength").value, visitor }), (found) => {
      if (found.move) move = found;
      else if (same()) thinking(found, turn);
    }, state.thinking.signal);
    answered();
    if (!same() || !move) return;
    thinking(move, turn);
    if (move.move === "resign") say(W.resigns);
    else {
      const kept = [...at("thinking").childNodes]; // what is said is about the move: it stays while that is looked at
      play(move.move === "pass" ? -1 : fromVertex(move.move, tree.size));
      at("thinking").replaceChildren(...kept);
      state.thought = [node, state.node];
      if (over()) say(W.over);
    }
  } catch (error) {
    if (error.name === "AbortError") at("thinking").textContent = W.stopped;
    else { at("thinking").replaceChildren(); failed(error); }
  } finally {
    state.thinking = null;
    at("stop").hidden = true;
    at("engine").disabled = false;
  }
}

/** What the engine thinks, or has thought: the win rates are those of the side to move. */
function thinking(found, turn) {
  const moves = found.moves ?? [], most = Math.max(...moves.map((m) => m.visits), 1);
  const done = found.of ? [tag("p", {}, W.simulated(found, turn, !found.move && moves.length > 0))] : [];
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

export function wire() {
  at("engine").addEventListener("click", engineMove);
  at("stop").addEventListener("click", () => state.thinking?.abort());
  onPress((index) => {
    if (state.mode === "guess" || state.thinking) return;
    if (play(index) && state.mode === "play") engineMove();
  });
  onLeave((node) => { if (!state.thought.includes(node)) at("thinking").replaceChildren(); }); // it was about another position
  onBegin(() => { state.thinking?.abort(); state.thought = []; at("thinking").replaceChildren(); });
  onMode((mode) => {
    state.thinking?.abort();
    if (mode === "play") at("you").value = LETTER[state.tree.board(state.node).turn];
  });
  onShow(() => { at("playing").hidden = state.mode !== "play"; });
}

/** The strengths that the server offers. */
export function offer(strengths) {
  at("strength").replaceChildren(...strengths.map((s) => tag("option", { value: s }, W.strength(s))));
}
