// The review of the main line: the graph, the most unusual moves, the players.

import { lines } from "./api.js";
import { at, tag } from "./dom.js";
import { Graph } from "./graph.js";
import { failed, onReturn } from "./messages.js";
import { onShow, panels } from "./show.js";
import { hiding, state } from "./state.js";
import { goTo, mainLine, mainNode, mainNumber } from "./steps.js";
import { percent, W } from "./words.js";

const graph = new Graph(at("graph"), (number) => goTo(mainNode(number)));
let reviewing = null;

/** Ask for the review of the game that is shown. */
export async function review() {
  reviewing?.abort();
  if (!mainLine().length) { panels(); return; }
  reviewing = new AbortController();
  const { tree } = state;
  try {
    const actions = tree.actions(tree.line(0).at(-1));
    await lines("review", { size: tree.size, komi: tree.komi, actions }, (found) => {
      if (tree !== state.tree) return;
      if (found.players) state.reviewed = found;
      else state.review.push(found);
      if (found.players || state.review.length % 25 === 0) { panels(); tell(); }
    }, reviewing.signal);
  } catch (error) { if (tree === state.tree) failed(error); }
}

function tell() {
  if (!state.reviewed) return;
  const by = new Map(state.review.map((m) => [m.number, m]));
  at("unusual").querySelector("ol").replaceChildren(...state.reviewed.unusual.map((number) => {
    const m = by.get(number);
    const button = tag("button", { type: "button" }, tag("span", { className: "sign" }, String(m.number)),
      tag("span", { className: "vertex" }, `${m.colour} ${m.vertex}`),
      tag("span", { className: "chance" }, percent(m.probability)), tag("span", { className: "because" }, m.reason));
    button.addEventListener("click", () => goTo(state.tree.nodes[mainNode(number)].parent));
    return tag("li", {}, button);
  }));
  const table = at("players").querySelector("table");
  const row = (kind, ...words) => tag("tr", {}, ...words.map((w) => tag(kind, {}, w)));
  table.replaceChildren(row("th", "", ...W.playerColumns));
  for (const [colour, about] of Object.entries(state.reviewed.players)) {
    const part = (name, one) => row("td", name, String(one.moves), `${Math.round(100 * one.first_choices)} %`, one.mean_log_evidence.toFixed(2));
    table.append(part(colour, about));
    for (const [stage, one] of Object.entries(about.stages)) {
      table.append(Object.assign(part(stage, one), { className: "stage" }));
    }
  }
}

export function wire() {
  onReturn(() => { if (!state.reviewed) { state.review = []; review(); } });
  onShow(() => {
    at("unusual").hidden = hiding() || !state.reviewed;
    at("players").hidden = hiding() || !state.reviewed;
    graph.draw(state.review, mainLine().length, mainNumber(state.node), state.mode === "guess");
  });
}
