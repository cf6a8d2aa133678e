// How usual each move of the game was: a dot to a move, the higher the more usual.

import { clicks, COLOURS, frame, here, INK, label, LEFT, resizes, RIGHT, rule } from "./plot.js";
import { element } from "./svg.js";
import { percent, W } from "./words.js";

const HIGH = 122, TOP = 9, BOTTOM = 17;
const LEAST = -4; // log10 of the smallest probability that is told apart

const y = (chance) => {
  const log = Math.max(Math.log10(Math.max(chance, 1e-9)), LEAST);
  return TOP + (log / LEAST) * (HIGH - TOP - BOTTOM);
};

export class Graph {
  constructor(place, go) {
    this.place = place;
    this.now = [[], 0, 0, true];
    clicks(place, () => (this.now[0].length ? this.now[1] : 0), go);
    resizes(place, () => this.draw(...this.now));
  }

  draw(moves, total, current, hidden) {
    this.now = [moves, total, current, hidden];
    if (!total || hidden) { this.place.replaceChildren(); return; }
    const { svg, wide, x } = frame(this.place, HIGH, W.graph(total), total);
    for (const [log, words] of [[0, "100 %"], [-1, "10 %"], [-2, "1 %"], [-3, "0.1 %"], [-4, "0.01 %"]]) {
      svg.append(rule(wide, y(10 ** log)), label(LEFT - 5, y(10 ** log), words));
    }
    for (const colour of ["black", "white"]) {
      const own = moves.filter((m) => m.colour === colour);
      const points = own.map((m, i) => {
        // The mean of the logarithm over nine moves: the trend
        const near = own.slice(Math.max(0, i - 4), i + 5);
        const mean = near.reduce((sum, n) => sum + Math.max(Math.log10(n.probability), LEAST), 0) / near.length;
        return `${x(m.number).toFixed(1)},${y(10 ** mean).toFixed(1)}`;
      });
      svg.append(element("polyline", {
        points: points.join(" "), fill: "none", "stroke-width": 1.6, "stroke-linejoin": "round",
        stroke: COLOURS[colour], class: colour,
      }));
    }
    for (const m of moves) {
      const dot = element("circle", {
        cx: x(m.number), cy: y(m.probability), r: 2.3, stroke: INK, "stroke-width": 0.5,
        fill: COLOURS[m.colour], class: m.colour, "data-number": m.number,
      });
      dot.append(element("title", {}, W.dot(m, percent(m.probability))));
      svg.append(dot);
    }
    if (current >= 1) svg.append(here(x(current), TOP - 4, HIGH - BOTTOM + 4));
    svg.append(label(wide - RIGHT, HIGH - 7, W.graphNote(total)));
    this.place.replaceChildren(svg);
  }
}
