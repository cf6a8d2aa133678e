// The tree of variations, drawn: a column to a move, a row to a variation. Only what is in view is drawn.

import { changed } from "./autosave.js";
import { at } from "./dom.js";
import { onKey } from "./controls.js";
import { say } from "./messages.js";
import { onBegin } from "./modes.js";
import { onShow, show } from "./show.js";
import { guessing, state } from "./state.js";
import { goTo } from "./steps.js";
import { element } from "./svg.js";
import { W } from "./words.js";

const PITCH = 24, AROUND = 4; // pixels; columns drawn beyond what is in view
let layout = null; // { tree, version, columns, rows, place }
let undo = null; // puts back what was taken away last
let drawn = ""; // what is drawn now

/** Where each node is: the first child goes on in the row, others begin a row of their own. */
function laidOut(tree) {
  if (layout?.tree === tree && layout.version === tree.version) return layout;
  const place = new Map(), columns = [];
  let rows = 0;
  for (const n of tree.order()) {
    const { parent } = tree.nodes[n], before = place.get(parent);
    const column = before ? before[0] + 1 : 0;
    const first = before && tree.nodes[parent].children[0] === n;
    const row = !before ? 0 : first ? before[1] : (rows += 1);
    place.set(n, [column, row]);
    (columns[column] ??= []).push(n);
  }
  layout = { tree, version: tree.version, place, columns, rows: rows + 1 };
  return layout;
}

const x = (column) => (column + 0.5) * PITCH;

function branch([column, row], [from, top]) {
  return element("path", { class: "branch", d: top === row ? `M${x(from)} ${x(row)}H${x(column)}`
    : `M${x(from)} ${x(top)}V${x(row) - 8}L${x(from) + 8} ${x(row)}H${x(column)}` });
}

function nodeDrawn(tree, n, [column, row]) {
  const move = tree.move(n), here = n === state.node;
  const made = element("g", { "data-node": n, role: "button", "aria-label": W.treeNode(tree.board(n).moves, move) });
  if (here) made.append(element("circle", { cx: x(column), cy: x(row), r: 11, class: "here" }));
  if (move) made.append(element("circle", { cx: x(column), cy: x(row), r: 8.2, class: move.colour === "B" ? "black" : "white" }));
  else made.append(element("rect", { x: x(column) - 5, y: x(row) - 5, width: 10, height: 10, class: "setup" }));
  if (move) {
    const words = String(tree.board(n).moves);
    made.append(element("text", { x: x(column), y: x(row), "font-size": words.length > 2 ? 7 : 8.5, class: move.colour === "B" ? "onblack" : "onwhite" }, words));
  }
  if (tree.nodes[n].comment) made.append(element("circle", { cx: x(column) + 7, cy: x(row) - 7, r: 3, class: "told" }));
  return made;
}

function draw() {
  const { tree, node } = state, box = at("tree"), hidden = guessing();
  at("record").hidden = hidden;
  if (hidden) return;
  const { place, columns, rows } = laidOut(tree);
  const first = Math.max(0, Math.floor(box.scrollLeft / PITCH) - AROUND);
  const last = Math.min(columns.length - 1, Math.ceil((box.scrollLeft + box.clientWidth) / PITCH) + AROUND);
  const now = [tree.version, node, first, last].join();
  if (now === drawn && box.firstChild?.tree === tree) return;
  drawn = now;
  const svg = element("svg", { width: columns.length * PITCH, height: rows * PITCH, role: "group", "aria-label": W.treeLabel(place.size) });
  svg.tree = tree;
  const found = [];
  for (let column = first; column <= last; column += 1) found.push(...columns[column]);
  // Lines down from a node out of view are drawn with the node that they lead to
  for (const n of found) if (n) svg.append(branch(place.get(n), place.get(tree.nodes[n].parent)));
  svg.append(...found.map((n) => nodeDrawn(tree, n, place.get(n))));
  box.replaceChildren(svg);
}

/** Bring the node that is shown into view, then draw. */
function follow() {
  if (guessing()) { draw(); return; }
  at("record").hidden = false;
  const box = at("tree"), [column, row] = laidOut(state.tree).place.get(state.node) ?? [0, 0];
  const width = Math.max(layout.columns.length * PITCH, box.clientWidth);
  draw();
  const inView = (from, size, where) => (where - PITCH < from || where + PITCH > from + size ? where - size / 2 : from);
  box.scrollLeft = Math.min(inView(box.scrollLeft, box.clientWidth, x(column)), width);
  box.scrollTop = inView(box.scrollTop, box.clientHeight, x(row));
  draw();
  at("remove").disabled = state.node === 0;
  at("promote").disabled = !state.tree.path(state.node).some((n) => state.tree.nodes[n].parent >= 0 && state.tree.nodes[state.tree.nodes[n].parent].children[0] !== n);
  at("undo").hidden = !undo;
}

function remove() {
  const { tree, node } = state;
  if (node === 0 || guessing() || state.thinking) return;
  const { parent } = tree.nodes[node], many = tree.count(node), back = tree.remove(node);
  undo = () => { back(); changed(); goTo(node); };
  goTo(parent);
  changed();
  say(W.removed(many));
}

function promote() {
  if (guessing() || !state.tree.promote(state.node)) return;
  changed();
  show();
}

export function wire() {
  onShow(follow);
  onBegin(() => { undo = null; });
  at("tree").addEventListener("scroll", draw);
  at("tree").addEventListener("click", (event) => {
    const found = event.target.closest("[data-node]");
    if (found && !state.thinking) goTo(Number(found.dataset.node));
  });
  at("remove").addEventListener("click", remove);
  at("promote").addEventListener("click", promote);
  at("undo").addEventListener("click", () => { const again = undo; undo = null; again?.(); });
  onKey("Delete", remove);
  onKey("m", promote);
}
