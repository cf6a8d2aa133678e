// The marks of SGF on the board: shown, put and taken.

import { changed } from "./autosave.js";
import { at, tag } from "./dom.js";
import { onMode } from "./modes.js";
import { fromLetters, toLetters } from "./rules.js";
import { layer, onPress, redraw } from "./show.js";
import { guessing, state } from "./state.js";
import { W } from "./words.js";

const KINDS = ["TR", "SQ", "CR", "MA"];
const SIGNS = { "": "●", TR: "△", SQ: "□", CR: "○", MA: "✕", LB: "A", N: "1" };

/** The points of raw values, rectangles ("aa:cc") spread out. */
function pointsOf(values, size) {
  const found = [];
  for (const value of values ?? []) {
    const [from, to] = value.trim().split(":").map((name) => fromLetters(name, size));
    if (from === null || to === null) continue;
    const last = to ?? from, low = Math.min(from % size, last % size), high = Math.max(from % size, last % size);
    for (let row = Math.floor(from / size); row <= Math.floor(last / size); row += 1) for (let column = low; column <= high; column += 1) found.push(row * size + column);
  }
  return found;
}

/** [index, words] of the labels of raw values. */
function labelsOf(values, size) {
  return (values ?? []).map((value) => [fromLetters(value.slice(0, 2), size), value.slice(3).replace(/\\(.)/gs, "$1")]).filter(([index]) => index !== null);
}

/** All marks of a node: [index, kind, words]. */
export function marksOf(tree, node) {
  const { properties } = tree.nodes[node], found = [];
  for (const kind of KINDS) for (const index of pointsOf(properties[kind], tree.size)) found.push([index, kind, ""]);
  for (const [index, words] of labelsOf(properties.LB, tree.size)) found.push([index, "LB", words]);
  return found;
}

/** Put the mark of the tool on a point; if it is there already, take it away. */
function put(index) {
  const { tree, node, tool } = state, kind = tool === "N" ? "LB" : tool, before = marksOf(tree, node);
  const was = before.find(([i, k, words]) => i === index && k === kind && (kind !== "LB" || /^\d+$/.test(words) === (tool === "N")));
  const rest = before.filter(([i]) => i !== index);
  if (!was) rest.push([index, kind, kind === "LB" ? unused(rest, tool === "N") : ""]);
  for (const name of KINDS) tree.set(node, name, rest.filter(([, k]) => k === name).map(([i]) => toLetters(i, tree.size)));
  tree.set(node, "LB", rest.filter(([, k]) => k === "LB").map(([i, , words]) => `${toLetters(i, tree.size)}:${words.replace(/[\\\]:]/g, "\\$&")}`));
  changed();
  redraw();
}

/** The next letter or number that labels nothing yet. */
function unused(marks, numbers) {
  const used = new Set(marks.map(([, , words]) => words));
  for (let i = 0; ; i += 1) {
    const words = numbers || i >= 26 ? String(i + 1) : String.fromCharCode(65 + i);
    if (!used.has(words)) return words;
  }
}

function choose(tool) {
  state.tool = tool;
  at("tools").querySelector(`input[value="${tool}"]`).checked = true;
}

export function wire() {
  at("tools").append(...Object.entries(SIGNS).map(([tool, sign]) => {
    const input = tag("input", { type: "radio", name: "tool", value: tool, checked: tool === "", ariaLabel: W.tools[tool], onchange: () => choose(tool) });
    return tag("label", { title: W.tools[tool] }, input, sign);
  }));
  onPress((index) => {
    if (!state.tool || index < 0) return false;
    put(index);
    return true;
  });
  onMode(() => choose(""));
  layer(() => (guessing() ? {} : { marks: marksOf(state.tree, state.node) }));
}
