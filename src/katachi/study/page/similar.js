// Games of the library in which the position, or a shape in it, occurred; and what was played there.

import { post } from "./api.js";
import { at, tag } from "./dom.js";
import { answered, failed } from "./messages.js";
import { request } from "./position.js";
import { onOpinion, onShow } from "./show.js";
import { hiding, state, still } from "./state.js";
import { W } from "./words.js";

let library = null; // what the server says of it: { games, size }, or null if there is none
let asking = null;

/** What the server was started with. */
export const offer = (found) => { library = found ?? null; };

const usable = () => library !== null && library.size === state.tree.size && !hiding();

async function ask() {
  if (!usable()) return;
  asking?.abort();
  asking = new AbortController();
  const { tree, node } = state, same = still(), next = tree.nextMove(node), asked = request(node);
  if (next) asked.actions.push(`${next.colour} ${next.vertex}`);
  const whole = tree.actions(tree.line(0).at(-1));
  try {
    const found = await post("similar", { ...asked, played: Boolean(next), whole }, asking.signal);
    answered();
    if (same()) tell(found);
  } catch (error) { if (same()) failed(error); }
}

function tell(found) {
  const panel = at("similar"), parts = [found.board, found.last, found.move].filter((part) => part?.places);
  panel.querySelector("p").textContent = parts.length ? W.library(library) : W.nowhere(library);
  panel.querySelector("div").replaceChildren(...parts.map(section));
  panel.dataset.node = String(state.node);
}

function section(part) {
  const moves = tag("table", {}, row("th", ...W.nextColumns), ...part.next.flatMap((one) => {
    const made = row("td", W.nextMoveBy(one), W.times(one), W.won(one)), names = row("td", W.playedBy(one));
    made.title = W.of(one, part);
    Object.assign(names, { className: "by" }).firstChild.colSpan = 3;
    return [made, names];
  }));
  const games = tag("details", {}, tag("summary", {}, W.gamesOf(part)),
    tag("ol", {}, ...part.named.map((game) => tag("li", {}, W.gameThere(game)))));
  return tag("section", {}, tag("h3", {}, W.occurred(part)), moves, games);
}

const row = (kind, ...words) => tag("tr", {}, ...words.map((text) => tag(kind, {}, text)));

export function wire() {
  onShow(() => {
    const panel = at("similar");
    panel.hidden = !usable();
    if (panel.dataset.node !== String(state.node)) panel.querySelector("div").replaceChildren();
  });
  onOpinion(ask);
}
