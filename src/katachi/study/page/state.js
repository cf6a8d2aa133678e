// What the page knows: the game, the node that is shown, and what is on the board.

import { Tree } from "./tree.js";

export const state = {
  tree: new Tree(19),
  node: 0,
  games: [], // of the file: { name, result, sgf } and, if it was looked at, { tree }
  place: 0, // of the game that is shown, among them
  id: "", // of the file, as this browser keeps it
  tool: "", // the mark that a click puts on the board, "" if it plays
  mode: "study", // or "guess", "play"
  shown: { squares: true, owners: false, ranks: false, numbers: false, coordinates: true, sequences: true },
  chosen: null, // the vertex that is explained
  tapped: -1, // the point that a finger has chosen, and that another tap plays
  guess: null, // { vertex, played } after a guess
  session: null, // { kind, problems, place, right, done, before }, while problems are guessed at
  review: [], // of the main line, a move each
  reviewed: null, // what the review says of the players
  hints: false, // whether moves are suggested while one plays
  thinking: null, // AbortController, while the engine thinks about its move
  thought: [], // the nodes at which the engine's numbers are shown: before its move, and after
  start: null, // the name of what the server began with, as soon as it is known
  changed: false, // whether something was tried in the game, or it was opened here
  lost: false, // whether that could not be kept
};

/** Whether a guess is waited for: nothing may be shown that gives it away. */
export const guessing = () => state.mode === "guess" && !state.guess;

/** Whether nothing may be suggested: before a guess, and while one plays without hints. */
export const hiding = () => guessing() || (state.mode === "play" && !state.hints);

/** A function that says whether the same node of the same game is still shown. */
export function still() {
  const { tree, node } = state;
  return () => tree === state.tree && node === state.node;
}
