// The game with all that was tried in it, kept for this tab: it is there again after a reload.

import { Tree } from "./tree.js";

const PLACE = "katachi.tree";

/** Keep a tree and the node that is shown. `start` is what the server began with: with another game
 *  it is another page. Returns whether there was room. */
export function keep(tree, node, start) {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ start, link: location.hash, node, tree: tree.data() }));
    return true;
  } catch {
    try { sessionStorage.removeItem(PLACE); } catch { /* not allowed to keep anything */ }
    return false;
  }
}

/** { tree, node, start } of this address as it was kept, or null. */
export function kept() {
  try {
    const found = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    if (!found || found.link !== location.hash) return null;
    const tree = Tree.from(found.tree), node = tree.nodes[found.node] ? found.node : 0;
    tree.board(node); // as a test that it is whole
    return { tree, node, start: found.start };
  } catch { return null; }
}

/** A short name for what the server began with. */
export function nameOf(game) {
  const text = JSON.stringify(game);
  let sum = 7;
  for (let i = 0; i < text.length; i += 1) sum = (31 * sum + text.charCodeAt(i)) | 0;
  return `${text.length}:${sum}`;
}
