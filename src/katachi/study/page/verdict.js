// What the search says of the position that is shown, where it has searched it.

import { at, tag } from "./dom.js";
import { explain } from "./candidates.js";
import { candidates, BAR, loss } from "./losses.js";
import { after, onSearched, searched } from "./searching.js";
import { onShow } from "./show.js";
import { hiding, state } from "./state.js";
import { W } from "./words.js";

let drawn = null; // the numbers that are shown: they come again with every answer of the search

function draw() {
  const panel = at("verdict"), one = hiding() ? undefined : searched(state.node);
  panel.hidden = !one;
  const move = state.tree.nextMove(state.node), then = after(state.node), now = [one, then, move?.vertex];
  if (!one || drawn?.every((part, i) => part === now[i])) return;
  drawn = now;
  const [whole, played] = panel.querySelectorAll("p");
  whole.textContent = W.verdict(one, BAR);
  const lost = move && loss(one, then, move);
  played.textContent = lost ? W.lostBy(move.vertex, lost) : "";
  panel.querySelector(".heads").replaceChildren(...W.verdictColumns(one.to_move).map((words) => tag("span", {}, words)));
  panel.querySelector("ol").replaceChildren(...candidates(one, then, move).map(row));
}

function row(one) {
  const button = tag("button", { type: "button", className: one.played ? "played" : "", title: W.searchedLine(one.line) },
    tag("span", { className: "vertex" }, one.vertex), tag("span", { className: "chance" }, W.rateOf(one)),
    tag("span", { className: "chance" }, W.leadOf(one)), tag("span", { className: "chance" }, W.visitsOf(one)));
  button.addEventListener("click", () => explain(one.vertex));
  return tag("li", {}, button);
}

export function wire() {
  onShow(draw);
  onSearched(draw);
}
