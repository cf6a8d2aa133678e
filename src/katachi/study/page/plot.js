// What the graphs of a game share: their ground, a place for each move, and the line at the move that is shown.

import { element } from "./svg.js";

// The same in the light and in the dark: black and white are both seen on a ground between them
export const GROUND = "#9b8560", INK = "#14110a", HERE = "#0b2f6b", COLOURS = { black: "#0c0c0c", white: "#ffffff" };
export const LEFT = 50, RIGHT = 8;
const LEAST = 300, USUAL = 640; // pixels

/** An empty graph as wide as its place, so that a letter is as large as it says. */
export function frame(place, high, label, total) {
  const wide = Math.max(Math.round(place.clientWidth) || USUAL, LEAST);
  const svg = element("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": label });
  svg.append(element("rect", { width: wide, height: high, fill: GROUND }));
  const x = (number) => LEFT + ((Math.max(number, 1) - 1) / Math.max(total - 1, 1)) * (wide - LEFT - RIGHT);
  return { svg, wide, x };
}

export const label = (x, y, words, anchor = "end", more = {}) => element("text", {
  x, y, "font-size": 10, fill: INK, "text-anchor": anchor, "dominant-baseline": "central", ...more,
}, words);

export const rule = (wide, y, more = {}) => element("line", { x1: LEFT, x2: wide - RIGHT, y1: y, y2: y, stroke: INK, "stroke-opacity": 0.25, ...more });

/** The line at the move that is shown. */
export const here = (x, from, to) => element("line", { x1: x, x2: x, y1: from, y2: to, stroke: HERE, "stroke-width": 2, class: "here" });

/** Call `go` with the number of the move at which the graph is clicked; `total()` says how many there are. */
export function clicks(place, total, go) {
  place.addEventListener("click", (event) => {
    const svg = place.querySelector("svg"), all = total();
    if (!svg || !all) return;
    const box = svg.getBoundingClientRect(), wide = svg.viewBox.baseVal.width;
    const x = ((event.clientX - box.left) / box.width) * wide;
    const number = Math.round(((x - LEFT) / (wide - LEFT - RIGHT)) * Math.max(all - 1, 1)) + 1;
    go(Math.min(Math.max(number, 1), all));
  });
}

/** Call `draw` whenever the place has become wider or narrower. */
export function resizes(place, draw) {
  let wide = 0;
  new ResizeObserver(() => { if (place.clientWidth !== wide) { wide = place.clientWidth; draw(); } }).observe(place);
}
