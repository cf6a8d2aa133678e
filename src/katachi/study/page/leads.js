// The game by a search: who leads by how many points after each move, and how likely Black wins, with the errors of
// that as bands. Black's side is dark and White's is light, whatever the theme.

import { BAR } from "./losses.js";
import { clicks, COLOURS, frame, GROUND, here, label, LEFT, resizes, RIGHT, rule } from "./plot.js";
import { element } from "./svg.js";
import { W } from "./words.js";

const TOP = 9, POINTS = 62, GAP = 12, RATES = 40, BOTTOM = 17; // pixels
const HIGH = TOP + POINTS + GAP + RATES + BOTTOM;
const BAND = "#6e5f45", MARK = "#ffb000";
const STEPS = [5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 400];
const NARROW = 480; // pixels: a phone

/** The positions that are known, as runs without a gap: [[number, one], …]. */
function runs(found) {
  const all = [];
  found.forEach((one, number) => {
    if (!one) return;
    if (found[number - 1]) all.at(-1).push([number, one]);
    else all.push([[number, one]]);
  });
  return all;
}

export class Leads {
  constructor(place, go) {
    this.place = place;
    this.now = [[], [], 0, true];
    clicks(place, () => (this.place.firstChild ? this.now[0].length - 1 : 0), go);
    resizes(place, () => this.draw(...this.now));
  }

  /** `found`: by number of moves, what the search says of the position, or nothing; `lost`: the mistakes. */
  draw(found, lost, current, hidden) {
    this.now = [found, lost, current, hidden];
    const total = found.length - 1, known = found.filter(Boolean);
    if (hidden || !known.length) { this.place.replaceChildren(); return; }
    const { svg, wide, x } = frame(this.place, HIGH, W.leads(known.length), total);
    const largest = Math.max(...known.map((one) => Math.abs(one.lead)));
    const most = STEPS.find((step) => step >= largest) ?? STEPS.at(-1);
    const zero = TOP + POINTS / 2, inside = (share) => Math.min(Math.max(share, -1), 1);
    const points = (lead) => zero - (inside(lead / most) * POINTS) / 2;
    const low = TOP + POINTS + GAP, rates = (rate) => low + (1 - Math.min(Math.max(rate, 0), 1)) * RATES;
    for (const run of runs(found)) {
      const area = (upper, lower, more) => {
        const at = (number, y) => `${x(number).toFixed(1)},${y.toFixed(1)}`;
        // A position by itself is a line as broad as a move
        const wider = run.length > 1 ? run : [run[0], [run[0][0] + 0.6, run[0][1]]];
        const there = wider.map(([n, one]) => at(n, upper(one))), back = wider.map(([n, one]) => at(n, lower(one))).reverse();
        svg.append(element("polygon", { points: [...there, ...back].join(" "), ...more }));
      };
      const error = (one) => BAR * (one.lead_error ?? 0);
      area((one) => points(one.lead + error(one)), (one) => points(one.lead - error(one)), { fill: BAND, class: "band" });
      area((one) => Math.min(points(one.lead), zero), () => zero, { fill: COLOURS.black, "fill-opacity": 0.85, class: "black" });
      area(() => zero, (one) => Math.max(points(one.lead), zero), { fill: COLOURS.white, "fill-opacity": 0.85, class: "white" });
      area((one) => rates(one.win_rate), () => rates(0), { fill: COLOURS.black, class: "black" });
      area(() => rates(1), (one) => rates(one.win_rate), { fill: COLOURS.white, class: "white" });
      area((one) => rates(one.win_rate + BAR * one.rate_error), (one) => rates(one.win_rate - BAR * one.rate_error), { fill: GROUND, class: "band" });
    }
    svg.append(rule(wide, zero, { "stroke-opacity": 0.8 }), rule(wide, rates(0.5), { stroke: MARK, "stroke-opacity": 0.9, "stroke-dasharray": "3 4" }));
    for (const [lead, words] of [[most, W.ahead("black", most)], [0, "0"], [-most, W.ahead("white", most)]]) svg.append(label(LEFT - 5, points(lead), words));
    for (const [rate, words] of [[1, "100 %"], [0.5, "50 %"], [0, "0 %"]]) svg.append(label(LEFT - 5, rates(rate), words));
    for (const one of lost) svg.append(mark(x(one.number), points(found[one.number].lead), one));
    svg.append(label(wide - RIGHT, HIGH - 7, (wide < NARROW ? W.leadsShort : W.leadsNote)(known[0].simulations)));
    this.x = x;
    this.place.replaceChildren(svg);
    this.move(current);
  }

  /** Another move is shown, and nothing else has changed. */
  move(current) {
    this.now[2] = current;
    const svg = this.place.firstChild;
    svg?.querySelector(".here")?.remove();
    if (svg && current >= 1) svg.append(here(this.x(current), TOP - 4, HIGH - BOTTOM + 4));
  }
}

/** A mistake: a triangle in the colour of who made it. */
function mark(x, y, one) {
  const made = element("path", {
    d: `M${(x - 5).toFixed(1)} ${(y - 4.5).toFixed(1)}h10l-5 9z`, fill: one.colour === "B" ? COLOURS.black : COLOURS.white,
    stroke: MARK, "stroke-width": 1.6, class: "mistake", "data-number": one.number,
  });
  made.append(element("title", {}, W.mistake(one)));
  return made;
}
