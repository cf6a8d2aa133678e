// The record at this node: its comment, and the variations from here.

import { at, tag } from "./dom.js";
import { onShow } from "./show.js";
import { hiding, state } from "./state.js";
import { goTo } from "./steps.js";
import { W } from "./words.js";

function comment() {
  const words = state.tree.nodes[state.node].comment;
  at("words").hidden = !words || hiding();
  at("comment").textContent = words;
}

function branches() {
  const { tree, node } = state, { parent } = tree.nodes[node], found = [];
  const button = (n, words) => tag("button", { type: "button", onclick: () => goTo(n), className: n === node ? "chosen" : "" }, words);
  if (parent >= 0 && tree.nodes[parent].children.length > 1) {
    for (const n of tree.nodes[parent].children) found.push(button(n, W.instead(tree.move(n)?.vertex)));
  }
  if (tree.nodes[node].children.length > 1 && !hiding()) {
    for (const n of tree.nodes[node].children) found.push(button(n, W.then(tree.move(n)?.vertex)));
  }
  at("branches").hidden = !found.length || state.mode === "guess";
  at("branches").querySelector("div").replaceChildren(...found);
}

export function wire() {
  onShow(comment);
  onShow(branches);
}
