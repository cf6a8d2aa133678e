// The features behind a move, as bars.

import { percent } from "./graph.js";
import { shapeOf } from "./shape.js";

const FULL = 400; // Elo of a bar that fills its half

export function tag(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/** Fill the panel with an explanation from the server. */
export function showExplanation(panel, one, legal, colour) {
  panel.hidden = false;
  panel.querySelector("h2").textContent =
    `${one.vertex}: ${percent(one.probability)}, number ${one.rank}${legal ? ` of ${legal}` : ""}, ${one.name}`;
  panel.querySelector(".why").textContent = `It ${one.why}.${one.reason ? ` Less usual: ${one.reason}.` : ""}`;
  const drawn = one.groups.filter((group) => group.drawing);
  panel.querySelector(".drawn").replaceChildren(...drawn.map((group) => figure(group, colour)));
  panel.querySelector(".bars").replaceChildren(...one.groups.map(bar));
}

function figure({ title, drawing }, colour) {
  const words = title === "Answer" ? "The largest known answer to the last move (ringed)" : "The largest known shape around it";
  const liberties = /[XO@][123]/.test(drawing) ? "; numbers are liberties, 3 for more." : ".";
  return tag("figure", {}, tag("div", { className: "shape" }, shapeOf(drawing, colour)),
    tag("figcaption", {}, `${words}, turned as it is kept${liberties}`));
}

function bar(group) {
  const track = tag("span", { className: "track" });
  const fill = tag("i", { className: group.elo >= 0 ? "for" : "against" });
  fill.style.width = `${Math.min(Math.abs(group.elo) / FULL, 1) * 50}%`;
  track.append(fill);
  const elo = `${group.elo >= 0 ? "+" : "−"}${Math.abs(group.elo).toFixed(0)}`;
  const row = tag("div", { className: "bar", title: `${group.title}: gamma ${group.gamma.toPrecision(3)}` },
    tag("span", {}, group.sentence), track, tag("span", { className: "elo" }, elo));
  if (group.members.length < 2) return row;
  const together = group.members.some((member) => member.sentence);
  const kind = together ? "that count together" : group.title === "Answer" ? "ways to see it" : "shapes, one within the other";
  const rest = tag("details", {}, tag("summary", {}, `${group.members.length} ${kind}`));
  for (const member of group.members) {
    const worth = `${member.elo >= 0 ? "+" : "−"}${Math.abs(member.elo).toFixed(0)} Elo`;
    const times = `played ${member.wins.toLocaleString("en")} of ${member.appearances.toLocaleString("en")} times`;
    rest.append(tag("div", { className: "members" },
      together ? `${worth}: it ${member.sentence}` : `${member.title}: ${worth}, ${times}`));
  }
  return tag("div", {}, row, rest);
}
