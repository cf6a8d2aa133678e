// What the server says of a position, asked once each.

import { post } from "./api.js";
import { answered } from "./messages.js";
import { LETTER } from "./rules.js";
import { state } from "./state.js";

const opinions = new Map(); // the actions of a position → what the server says of it

/** The name of a node's position. */
export const key = (node) => `${state.tree.size}:${state.tree.komi}:${state.tree.actions(node).join()}:${state.tree.board(node).turn}`;

/** A node's position for the server. */
export function request(node, more = {}) {
  const { tree } = state, board = tree.board(node), actions = tree.actions(node);
  // Whose turn it is goes along: a record may say otherwise than the moves
  return { size: tree.size, komi: tree.komi, actions: [...actions, `PL ${LETTER[board.turn]}`], ...more };
}

export async function opinion(node) {
  const name = key(node);
  if (!opinions.has(name)) {
    const asked = post("position", request(node)).then((found) => { answered(); return found; });
    asked.catch(() => opinions.delete(name)); // ask again the next time
    opinions.set(name, asked);
  }
  return opinions.get(name);
}

export const forgetOpinions = () => opinions.clear();

/** The features of one move, of the node that is shown. */
export async function explanation(name, node = state.node) {
  const asked = request(node, { vertex: name }); // now: what is shown may change while we wait
  const found = await opinion(node);
  const known = found.moves.find((one) => one.vertex === name);
  if (known) return { ...known, legal: found.legal };
  return { ...(await post("explain", asked)), legal: found.legal };
}
