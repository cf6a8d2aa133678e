// The games of one file.

import { state } from "./state.js";
import { W } from "./words.js";

/** "Black – White", or what there is. */
export function nameOfGame(game) {
  return game.black || game.white ? `${game.black || "?"} – ${game.white || "?"}` : game.source || W.unnamed;
}

/** The whole file as SGF, with all that was tried in its games. */
export function collected() {
  if (state.games.length < 2) return state.tree.sgf();
  return state.games.map((game, i) => (i === state.place ? state.tree.sgf() : game.tree?.sgf() ?? game.sgf)).join("\n");
}

/** Before another game of the file is shown: what was tried in this one stays. */
export function putAside() {
  if (state.games[state.place]) state.games[state.place].tree = state.tree;
}
