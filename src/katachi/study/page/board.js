// The board as SVG: wood, lines, stones, and what is shown on top of them.

import { BLACK, COLUMNS, EMPTY, starPoints, vertex } from "./rules.js";
import { W } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const CELL = 24;

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export class BoardView {
  /** `on(kind, index)` is called with "play", "hover" and "leave". */
  constructor(place, on) {
    this.place = place;
    this.on = on;
    this.size = 0;
  }

  /** Draw the empty board of a size; margins hold the coordinates. */
  build(size) {
    this.size = size;
    const margin = CELL * 1.15, whole = CELL * (size - 1) + 2 * margin;
    this.margin = margin;
    const svg = element("svg", {
      viewBox: `0 0 ${whole} ${whole}`, xmlns: SVG, role: "img",
      "aria-label": W.board(size), "font-family": "system-ui, sans-serif",
    });
    svg.append(this.definitions());
    svg.append(element("rect", { width: whole, height: whole, fill: "#dcb35c" }));
    const grid = element("path", { stroke: "#5a4320", "stroke-width": 0.8, fill: "none", d: this.lines() });
    svg.append(grid);
    for (const index of starPoints(size)) {
      svg.append(element("circle", { cx: this.x(index), cy: this.y(index), r: 2.2, fill: "#5a4320" }));
    }
    this.layers = {};
    for (const name of ["coordinates", "owners", "squares", "stones", "marks", "labels", "ghost"]) {
      this.layers[name] = element("g", { class: name, "pointer-events": "none" });
      svg.append(this.layers[name]);
    }
    this.writeCoordinates();
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerleave", () => { this.ghost(-1); this.on("leave", -1); });
    svg.addEventListener("click", (event) => {
      const index = this.index(event);
      if (index >= 0) this.on("play", index);
    });
    this.svg = svg;
    this.place.replaceChildren(svg);
  }

  definitions() {
    const stop = (offset, colour) => element("stop", { offset, "stop-color": colour });
    const gradient = (id, ...stops) =>
      element("radialGradient", { id, cx: "35%", cy: "30%", r: "75%" }, ...stops);
    return element("defs", {},
      gradient("black-stone", stop("0%", "#6a6a6a"), stop("35%", "#2b2b2b"), stop("100%", "#050505")),
      gradient("white-stone", stop("0%", "#ffffff"), stop("70%", "#f0efeb"), stop("100%", "#c9c6bd")));
  }

  lines() {
    const low = this.margin, high = this.margin + CELL * (this.size - 1);
    let d = "";
    for (let i = 0; i < this.size; i += 1) {
      const at = low + CELL * i;
      d += `M${low} ${at}H${high}M${at} ${low}V${high}`;
    }
    return d;
  }

  x(index) { return this.margin + CELL * (index % this.size); }
  y(index) { return this.margin + CELL * Math.floor(index / this.size); }

  /** The point under a pointer, -1 if there is none near. */
  index(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = (2 * this.margin + CELL * (this.size - 1)) / box.width;
    const column = Math.round(((event.clientX - box.left) * scale - this.margin) / CELL);
    const row = Math.round(((event.clientY - box.top) * scale - this.margin) / CELL);
    const inside = row >= 0 && column >= 0 && row < this.size && column < this.size;
    return inside ? row * this.size + column : -1;
  }

  moved(event) {
    const index = this.index(event);
    if (index === this.under) return;
    this.under = index;
    this.ghost(index);
    this.on(index >= 0 ? "hover" : "leave", index);
  }

  ghost(index) {
    this.layers.ghost.replaceChildren();
    if (index < 0 || !this.board || this.board.stones[index] !== EMPTY) return;
    this.layers.ghost.append(this.stone(index, this.board.turn, 0.45));
  }

  stone(index, colour, opacity = 1) {
    const black = colour === BLACK;
    return element("circle", {
      cx: this.x(index), cy: this.y(index), r: CELL * 0.475, opacity,
      fill: `url(#${black ? "black" : "white"}-stone)`,
      stroke: black ? "#000" : "#8b8779", "stroke-width": 0.6,
    });
  }

  text(index, words, colour, size = 11, weight = 600) {
    return element("text", {
      x: this.x(index), y: this.y(index), fill: colour, "font-size": size, "font-weight": weight,
      "text-anchor": "middle", "dominant-baseline": "central",
    }, words);
  }

  writeCoordinates() {
    const far = this.margin * 0.42, whole = 2 * this.margin + CELL * (this.size - 1);
    for (let i = 0; i < this.size; i += 1) {
      const at = this.margin + CELL * i;
      const label = (x, y, words) => this.layers.coordinates.append(element("text", {
        x, y, fill: "#5a4320", "font-size": 9.5, "text-anchor": "middle", "dominant-baseline": "central",
      }, words));
      label(at, far, COLUMNS[i]);
      label(at, whole - far, COLUMNS[i]);
      label(far, at, String(this.size - i));
      label(whole - far, at, String(this.size - i));
    }
  }

  /** Draw a position. `shown`: which layers; `squares`: [index, probability]; `labels`: [index,
   *  words, ink]; `rings`: [index, colour]; `owners`: [index, share of Black]. */
  draw(board, { shown, squares = [], labels = [], rings = [], owners = [] }) {
    this.board = board;
    this.layers.coordinates.setAttribute("visibility", shown.coordinates ? "visible" : "hidden");
    const { stones, marks } = this.layers;
    stones.replaceChildren();
    marks.replaceChildren();
    for (let i = 0; i < board.stones.length; i += 1) {
      const colour = board.stones[i];
      if (colour === EMPTY) continue;
      stones.append(this.stone(i, colour));
      const ink = colour === BLACK ? "#fff" : "#111";
      if (shown.numbers && board.numbers[i]) {
        marks.append(this.text(i, String(board.numbers[i]), i === board.last ? "#e2574c" : ink, 9.5));
      } else if (i === board.last) {
        marks.append(element("circle", {
          cx: this.x(i), cy: this.y(i), r: CELL * 0.2, fill: "none", stroke: ink, "stroke-width": 1.6,
        }));
      }
    }
    this.layers.squares.replaceChildren(...squares.map(([index, chance]) => {
      const side = CELL * Math.sqrt(chance);
      return element("rect", {
        x: this.x(index) - side / 2, y: this.y(index) - side / 2, width: side, height: side,
        fill: "#1f5fbf", "fill-opacity": 0.78, "data-vertex": vertex(index, this.size),
      });
    }));
    this.layers.labels.replaceChildren(...labels.map(([index, words, ink]) =>
      this.text(index, words, ink ?? "#fff", 11, 700)),
    ...rings.map(([index, colour]) => element("circle", {
      cx: this.x(index), cy: this.y(index), r: CELL * 0.46, fill: "none", stroke: colour, "stroke-width": 2.4,
    })));
    this.layers.owners.replaceChildren();
    if (owners.length) {
      for (const [index, black] of owners) {
        const sure = Math.abs(black - 0.5) * 2, side = CELL * 0.42 * sure;
        if (sure < 0.15) continue;
        this.layers.owners.append(element("rect", {
          x: this.x(index) - side / 2, y: this.y(index) - side / 2, width: side, height: side,
          fill: black > 0.5 ? "#000" : "#fff", "fill-opacity": 0.75,
        }));
      }
      this.svg.insertBefore(this.layers.stones, this.layers.owners); // owners over stones, too
    } else {
      this.svg.insertBefore(this.layers.stones, this.layers.marks);
    }
    this.ghost(this.under ?? -1);
  }

  /** The board as a file of its own. */
  file() {
    const twin = this.svg.cloneNode(true);
    twin.querySelector(".ghost")?.remove();
    return new XMLSerializer().serializeToString(twin);
  }
}
