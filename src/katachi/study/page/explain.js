// The features behind a move, as bars.

import { tag } from "./dom.js";
import { shapeOf } from "./shape.js";
import { percent, W } from "./words.js";

const FULL = 400; // Elo of a bar that fills its half

/** Fill the panel with an explanation from the server. */
export function showExplanation(panel, one, legal, colour) {
  panel.hidden = false;
  panel.querySelector("h2").textContent = W.explained(one, percent(one.probability), legal);
  panel.querySelector(".why").textContent = W.why(one);
  const drawn = one.groups.filter((group) => group.drawing);
  panel.querySelector(".drawn").replaceChildren(...drawn.map((group) => figure(group, colour)));
  panel.querySelector(".bars").replaceChildren(...one.groups.map(bar));
}

function figure({ title, drawing }, colour) {
  const liberties = /[XO@][123]/.test(drawing);
  return tag("figure", {}, tag("div", { className: "shape" }, shapeOf(drawing, colour)),
    tag("figcaption", {}, W.drawing(title, liberties)));
}

function bar(group) {
  const track = tag("span", { className: "track" });
  const fill = tag("i", { className: group.elo >= 0 ? "for" : "against" });
  fill.style.width = `${Math.min(Math.abs(group.elo) / FULL, 1) * 50}%`;
  track.append(fill);
  const row = tag("div", { className: "bar", title: W.gamma(group) },
    tag("span", {}, group.sentence), track, tag("span", { className: "elo" }, W.signed(group.elo)));
  if (group.members.length < 2) return row;
  const together = group.members.some((member) => member.sentence);
  const rest = tag("details", {}, tag("summary", {}, W.members(group, together)));
  for (const member of group.members) {
    rest.append(tag("div", { className: "members" }, W.member(member, together)));
  }
  return tag("div", {}, row, rest);
}
