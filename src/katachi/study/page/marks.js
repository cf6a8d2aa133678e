// What is drawn on the points of the board: candidates, rings, and the marks of SGF. All of it stands on a patch
// of wood or on a stone, so that no line crosses it, and differs by form or number, not by colour alone.

import { BLACK, EMPTY } from "./rules.js";
import { element } from "./svg.js";

export const CELL = 24;
export const WOOD = "#dcb35c";
const PALE = [226, 238, 250], DEEP = [8, 40, 104]; // of the least and the most probable move
const RING = "#111111", YOURS = "#b84300", CHOSEN = "#0b4fd0";

/** The fill and the ink of a candidate: the deeper the more probable; the ink is what can be read on it. */
export function shade(chance) {
  const share = Math.sqrt(Math.min(Math.max(chance, 0), 1));
  const rgb = PALE.map((from, i) => Math.round(from + (DEEP[i] - from) * share));
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return [`rgb(${rgb.join(", ")})`, light > 0.18 ? "#000000" : "#ffffff"];
}

/** The probability for a circle: whole percents, of less than one percent the tenths. */
export const short = (chance) => (chance >= 0.0095 ? String(Math.round(100 * chance)) : `.${Math.max(1, Math.round(1000 * chance))}`);

export function text(x, y, words, ink, size = 13, weight = 700) {
  return element("text", {
    x, y, fill: ink, "font-size": size, "font-weight": weight, "text-anchor": "middle", "dominant-baseline": "central",
    ...(words.length > 1 ? { "letter-spacing": -0.06 * size } : {}),
  }, words);
}

const circle = (x, y, r, more) => element("circle", { cx: x, cy: y, r: r * CELL, ...more });

/** A usual move: a circle of four fifths of a cell. */
export function candidate(x, y, chance, words) {
  const [fill, ink] = shade(chance);
  return element("g", { class: "candidate" },
    circle(x, y, 0.41, { fill, stroke: "#0b2f6b", "stroke-width": 0.8 }), text(x, y, words, ink, words.length > 2 ? 11 : 13.5));
}

/** A ring or, for one's own guess, a square around a point. */
export function ring(x, y, kind) {
  const line = (stroke, width, more = {}) => (kind === "yours"
    ? element("rect", { x: x - 0.43 * CELL, y: y - 0.43 * CELL, width: 0.86 * CELL, height: 0.86 * CELL, fill: "none", stroke, "stroke-width": width })
    : circle(x, y, 0.45, { fill: "none", stroke, "stroke-width": width, ...more }));
  const colour = { yours: YOURS, chosen: CHOSEN, played: RING }[kind];
  return element("g", { class: `ring ${kind}` },
    line("#ffffff", 3.6), line(colour, kind === "played" ? 2.2 : 2.4, kind === "chosen" ? { "stroke-dasharray": "4 2.5" } : {}));
}

/** Wood under what is drawn on an empty point. */
export const patch = (x, y, r = 0.46) => circle(x, y, r, { fill: WOOD });

/** A mark of SGF: TR, SQ, CR, MA or LB with its text. `below` is the colour of the stone there, or EMPTY. */
export function mark(x, y, kind, words, below) {
  const ink = below === BLACK ? "#ffffff" : "#101010", at = (dx, dy) => `${(x + dx * CELL).toFixed(2)} ${(y + dy * CELL).toFixed(2)}`;
  const path = (d) => element("path", { d, fill: "none", stroke: ink, "stroke-width": 2, "stroke-linejoin": "round" });
  const shapes = {
    TR: () => path(`M${at(0, -0.3)}L${at(0.27, 0.18)}L${at(-0.27, 0.18)}Z`),
    SQ: () => path(`M${at(-0.22, -0.22)}L${at(0.22, -0.22)}L${at(0.22, 0.22)}L${at(-0.22, 0.22)}Z`),
    CR: () => circle(x, y, 0.25, { fill: "none", stroke: ink, "stroke-width": 2 }),
    MA: () => path(`M${at(-0.22, -0.22)}L${at(0.22, 0.22)}M${at(0.22, -0.22)}L${at(-0.22, 0.22)}`),
    LB: () => text(x, y, words.slice(0, 4), ink, words.length > 2 ? 9.5 : words.length > 1 ? 11.5 : 14.5),
  };
  return element("g", { class: `mark ${kind}` }, ...(below === EMPTY ? [patch(x, y, 0.4)] : []), shapes[kind]());
}
