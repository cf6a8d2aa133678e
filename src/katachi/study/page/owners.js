// Who is likely to own each point, asked for one position at a time, since each takes a search.

import { post } from "./api.js";
import { failed } from "./messages.js";
import { key, request } from "./position.js";
import { fromVertex } from "./rules.js";
import { layer, onOpinion, redraw } from "./show.js";
import { hiding, state, still } from "./state.js";

const known = new Map();
let asking = false;

export const forgetOwners = () => known.clear();

async function ask() {
  const { tree, node } = state, name = key(node), same = still();
  if (known.has(name) || asking) return; // when that answer is here, what is shown then is asked for
  asking = true;
  try {
    const { owners } = await post("owners", request(node));
    known.set(name, Object.entries(owners).map(([v, share]) => [fromVertex(v, tree.size), share]));
    if (same()) redraw();
  } catch (error) { failed(error); }
  asking = false;
  if (state.shown.owners && !same()) ask();
}

export function wire() {
  layer(() => ({ owners: state.shown.owners && !hiding() ? known.get(key(state.node)) ?? [] : [] }));
  onOpinion(() => { if (state.shown.owners) ask(); });
}
