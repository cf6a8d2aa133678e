// A shape from the server's text: * the move, X own stones, O the opponent's, # beyond the edge, @ the last move,
// Y the own move before it.

import { element } from "./svg.js";
import { W } from "./words.js";

const CELL = 20;

/** An SVG of it; `colour` is that of own stones: "black" or "white". */
export function shapeOf(text, colour) {
  // With liberties a sign has two letters: then no line begins with a single one.
  const pitch = text.split("\n").some((line) => /^\S( |$)/.test(line)) ? 2 : 3;
  const rows = text.split("\n").map((line) => {
    const cells = [];
    for (let i = 0; i < line.length; i += pitch) cells.push(line.slice(i, i + pitch - 1).trim());
    return cells;
  });
  const wide = Math.max(...rows.map((row) => row.length)), high = rows.length;
  for (const row of rows) while (row.length < wide) row.push("");
  const svg = element("svg", {
    viewBox: `0 0 ${wide * CELL} ${high * CELL}`, role: "img", "aria-label": W.shape(text.replaceAll("\n", " / ")),
  });
  svg.append(element("rect", { width: wide * CELL, height: high * CELL, fill: "#dcb35c" }));
  rows.forEach((row, r) => row.forEach((sign, c) => {
    const x = (c + 0.5) * CELL, y = (r + 0.5) * CELL, half = CELL / 2;
    if (!sign) { svg.append(element("rect", { x: x - half, y: y - half, width: CELL, height: CELL, fill: "#e9d3a0" })); return; }
    if (sign === "#") { svg.append(element("rect", { x: x - half, y: y - half, width: CELL, height: CELL, fill: "#8a6d3b" })); return; }
    svg.append(element("path", { d: `M${x - half} ${y}h${CELL}M${x} ${y - half}v${CELL}`, stroke: "#5a4320", "stroke-width": 0.7 }));
    if (sign === ".") return;
    if (sign === "*") { svg.append(element("circle", { cx: x, cy: y, r: 4.5, fill: "#c0392b" })); return; }
    const own = sign[0] === "X" || sign[0] === "Y";
    const black = own === (colour === "black");
    svg.append(element("circle", { cx: x, cy: y, r: CELL * 0.46, fill: black ? "#151515" : "#f6f5f1", stroke: "#555", "stroke-width": 0.6 }));
    const ink = black ? "#fff" : "#111";
    const marked = sign[0] === "@" || sign[0] === "Y";
    if (marked) svg.append(element("circle", { cx: x, cy: y, r: sign.length > 1 ? 6.5 : 3.5, fill: "none", stroke: ink, "stroke-width": 1.4 }));
    if (sign.length > 1) svg.append(element("text", { x, y, fill: ink, "font-size": 9, "text-anchor": "middle", "dominant-baseline": "central" }, sign[1]));
  }));
  return svg;
}
