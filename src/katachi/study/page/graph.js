// How usual each move of the game was: a dot to a move, the higher the more usual.

import { element } from "./svg.js";
import { percent, W } from "./words.js";

const WIDE = 640, HIGH = 130, LEFT = 42, TOP = 8, BOTTOM = 16;
const LEAST = -4; // log10 of the smallest probability that is told apart
// The same in the light and in the dark: black and white are both seen on a ground between them
const GROUND = "#9b8560", INK = "#14110a", HERE = "#0b2f6b", COLOURS = { black: "#0c0c0c", white: "#ffffff" };

export class Graph {
  constructor(place, go) {
    this.place = place;
    this.go = go;
    this.moves = [];
    this.place.addEventListener("click", (event) => {
      const box = this.place.querySelector("svg")?.getBoundingClientRect();
      if (!box || !this.moves.length) return;
      const x = ((event.clientX - box.left) / box.width) * WIDE;
      const number = Math.round(((x - LEFT) / (WIDE - LEFT - 8)) * Math.max(this.total - 1, 1)) + 1;
      this.go(Math.min(Math.max(number, 1), this.total));
    });
  }

  x(number) { return LEFT + ((number - 1) / Math.max(this.total - 1, 1)) * (WIDE - LEFT - 8); }
  y(chance) {
    const log = Math.max(Math.log10(Math.max(chance, 1e-9)), LEAST);
    return TOP + (log / LEAST) * (HIGH - TOP - BOTTOM);
  }

  draw(moves, total, current, hidden) {
    this.moves = moves;
    this.total = total;
    if (!total || hidden) { this.place.replaceChildren(); return; }
    const svg = element("svg", {
      viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img",
      "aria-label": W.graph(total),
    });
    svg.append(element("rect", { width: WIDE, height: HIGH, fill: GROUND }));
    for (const [log, words] of [[0, "100 %"], [-1, "10 %"], [-2, "1 %"], [-3, "0.1 %"], [-4, "0.01 %"]]) {
      const y = this.y(10 ** log);
      svg.append(element("line", { x1: LEFT, x2: WIDE - 8, y1: y, y2: y, stroke: INK, "stroke-opacity": 0.25 }));
      svg.append(element("text", { x: LEFT - 5, y, "font-size": 9.5, fill: INK,
        "text-anchor": "end", "dominant-baseline": "central" }, words));
    }
    for (const colour of ["black", "white"]) {
      const own = moves.filter((m) => m.colour === colour);
      const points = own.map((m, i) => {
        // The mean of the logarithm over nine moves: the trend
        const near = own.slice(Math.max(0, i - 4), i + 5);
        const mean = near.reduce((sum, n) => sum + Math.max(Math.log10(n.probability), LEAST), 0) / near.length;
        return `${this.x(m.number).toFixed(1)},${this.y(10 ** mean).toFixed(1)}`;
      });
      svg.append(element("polyline", {
        points: points.join(" "), fill: "none", "stroke-width": 1.6, "stroke-linejoin": "round",
        stroke: COLOURS[colour], class: colour,
      }));
    }
    for (const m of moves) {
      const dot = element("circle", {
        cx: this.x(m.number), cy: this.y(m.probability), r: 2.3, stroke: INK, "stroke-width": 0.5,
        fill: COLOURS[m.colour], class: m.colour, "data-number": m.number,
      });
      dot.append(element("title", {}, W.dot(m, percent(m.probability))));
      svg.append(dot);
    }
    if (current >= 1) {
      const x = this.x(current);
      svg.append(element("line", { x1: x, x2: x, y1: TOP - 4, y2: HIGH - BOTTOM + 4, stroke: HERE, "stroke-width": 2 }));
    }
    svg.append(element("text", { x: WIDE - 8, y: HIGH - 5, "font-size": 9.5, fill: INK,
      "text-anchor": "end" }, W.graphNote(total)));
    this.place.replaceChildren(svg);
  }
}
