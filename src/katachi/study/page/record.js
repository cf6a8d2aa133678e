// The record: what it says of the game, the comment of the node, and the variations from here.

import { changed } from "./autosave.js";
import { at, tag } from "./dom.js";
import { onShow } from "./show.js";
import { guessing, state } from "./state.js";
import { goTo } from "./steps.js";
import { W } from "./words.js";

function comment() {
  at("words").hidden = guessing();
  if (at("comment").value !== state.tree.nodes[state.node].comment) at("comment").value = state.tree.nodes[state.node].comment;
}

function branches() {
  const { tree, node } = state, { parent } = tree.nodes[node], found = [];
  const button = (n, words) => tag("button", { type: "button", onclick: () => goTo(n), className: n === node ? "chosen" : "" }, words);
  if (parent >= 0 && tree.nodes[parent].children.length > 1) {
    for (const n of tree.nodes[parent].children) found.push(button(n, W.instead(tree.move(n)?.vertex)));
  }
  if (tree.nodes[node].children.length > 1 && !guessing()) {
    for (const n of tree.nodes[node].children) found.push(button(n, W.then(tree.move(n)?.vertex)));
  }
  at("branches").hidden = !found.length || state.mode === "guess";
  at("branches").replaceChildren(...found);
}

/** Event, komi, rules, time: what the record tells of the game. */
function about() {
  const { tree } = state, time = tree.told("TM");
  const komi = tree.told("KM") || (tree.komi === null ? "" : String(tree.komi));
  const told = { ...Object.fromEntries(Object.keys(W.about).map((name) => [name, tree.told(name)])), KM: komi, TM: /^\d+(\.\d+)?$/.test(time) ? W.seconds(Number(time)) : time };
  if (guessing()) delete told.RE;
  const rows = Object.entries(W.about).filter(([name]) => told[name]);
  at("about").replaceChildren(...rows.flatMap(([name, words]) => [tag("dt", {}, words), tag("dd", {}, told[name])]));
}

export function wire() {
  onShow(comment);
  onShow(branches);
  onShow(about);
  at("comment").addEventListener("input", () => {
    state.tree.setComment(state.node, at("comment").value);
    changed(true);
  });
}
