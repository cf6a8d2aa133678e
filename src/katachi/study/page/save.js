// What can be taken away: files, and a link that holds the position.

import { Tree } from "./tree.js";

const ACTION = /^(B|W) (pass|[A-HJ-T]\d{1,2})$|^A[BWE] [A-HJ-T]\d{1,2}$|^PL [BW]$/;

export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A PNG of an SVG text, as a Blob. */
export async function picture(svg, pixels = 1200) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image(pixels, pixels);
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = pixels;
    canvas.height = pixels;
    canvas.getContext("2d").drawImage(image, 0, 0, pixels, pixels);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** "#19,7.5,B.Q16-W.D4" */
export function linkOf(tree, node) {
  const actions = tree.actions(node).map((action) => action.replace(" ", "."));
  return `#${tree.size},${tree.komi ?? ""},${actions.join("-")}`;
}

/** The tree of a link, and its last node; null if the link holds none. */
export function fromLink(hash) {
  const found = /^#(\d{1,2}),(-?[\d.]*),([A-Za-z0-9.-]*)$/.exec(hash);
  if (!found) return null;
  const size = Number(found[1]);
  if (size < 2 || size > 19) return null;
  const actions = found[3] ? found[3].split("-").map((part) => part.replace(".", " ")) : [];
  if (!actions.every((action) => ACTION.test(action))) return null;
  return treeOf(size, found[2] === "" ? null : Number(found[2]), actions);
}

/** The tree of a line of actions, and its last node. */
export function treeOf(size, komi, actions) {
  const tree = new Tree(size, komi);
  let node = 0;
  for (const action of actions) {
    const move = action[0] === "B" || action[0] === "W";
    if (move) node = tree.add(node, [action], { [action[0]]: [letters(action.slice(2), size)] });
    else addSetup(tree.nodes[node], action, size);
  }
  return { tree, node };
}

function addSetup(node, action, size) {
  const [kind, place] = action.split(" ");
  node.actions.push(action);
  (node.properties[kind] ??= []).push(kind === "PL" ? place : letters(place, size));
}

function letters(vertex, size) {
  if (vertex === "pass") return "";
  const column = "ABCDEFGHJKLMNOPQRST".indexOf(vertex[0]), line = Number(vertex.slice(1));
  return String.fromCharCode(97 + column, 97 + size - line);
}
