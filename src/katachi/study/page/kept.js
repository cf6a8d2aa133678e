// The games with all that was tried in them, kept for this tab: they are there again after a reload. The last
// few that were changed stay in this browser after that.

import { remember, remembered } from "./dom.js";
import { Tree } from "./tree.js";

const PLACE = "katachi.tree", RECENT = "recent", MOST = 8;

/** Keep what is shown. `start` is what the server began with: with another game it is another page. Returns
 *  whether there was room. */
export function keep({ tree, node, start, games, place, id, changed }) {
  try {
    const others = games.map((game, i) => ({ ...game, tree: i === place ? null : game.tree?.data().tree }));
    sessionStorage.setItem(PLACE, JSON.stringify({ start, link: location.hash, ...tree.data(node), games: others, place, id, changed }));
    return true;
  } catch {
    try { sessionStorage.removeItem(PLACE); } catch { /* not allowed to keep anything */ }
    return false;
  }
}

/** { tree, node, start, games, place, id, changed } of this address as they were kept, or null. */
export function kept() {
  try {
    const found = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    if (!found || found.link !== location.hash) return null;
    const tree = Tree.from(found.tree), node = tree.nodes[found.node] ? found.node : 0;
    tree.board(node); // as a test that it is whole
    const games = (found.games ?? []).map((game) => ({ ...game, tree: game.tree ? Tree.from(game.tree) : null }));
    const { start, place = 0, id, changed } = found;
    return { tree, node, start, games, place, id, changed };
  } catch { return null; }
}

/** Keep a game for after this tab is closed; older ones make room for it. */
export function keepRecent(id, name, sgf) {
  let all = [{ id, name, when: Date.now(), sgf }, ...recent().filter((one) => one.id !== id)].slice(0, MOST);
  while (all.length && !remember(RECENT, all)) all = all.slice(0, -1);
}

/** [{ id, name, when, sgf }], the last first. */
export function recent() {
  const found = remembered(RECENT, []);
  return Array.isArray(found) ? found.filter((one) => typeof one?.sgf === "string") : [];
}

/** A short name for what the server began with. */
export function nameOf(game) {
  const text = JSON.stringify(game);
  let sum = 7;
  for (let i = 0; i < text.length; i += 1) sum = (31 * sum + text.charCodeAt(i)) | 0;
  return `${text.length}:${sum}`;
}
