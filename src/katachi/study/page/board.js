// The board as SVG: wood, lines, stones, and what is shown on top of them.

import { candidate, CELL, mark, patch, ring, text, WOOD } from "./marks.js";
import { BLACK, COLUMNS, EMPTY, starPoints, vertex } from "./rules.js";
import { element, SVG } from "./svg.js";
import { W } from "./words.js";

const HOLD = 450; // ms that a finger stays until it holds,
const NEAR = 12; // pixels within which it stays
const LAYERS = ["coordinates", "candidates", "stones", "owners", "marks", "rings", "ghost"];

export class BoardView {
  /** `on(kind, index)` is called with "play", "tap" (the same by a finger), "hold" (a finger that stays), "hover"
   *  and "leave". */
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
    svg.append(element("rect", { width: whole, height: whole, fill: WOOD }));
    const grid = element("path", { stroke: "#5a4320", "stroke-width": 0.8, fill: "none", d: this.lines() });
    svg.append(grid);
    for (const index of starPoints(size)) {
      svg.append(element("circle", { cx: this.x(index), cy: this.y(index), r: 2.2, fill: "#5a4320" }));
    }
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = element("g", { class: name, "pointer-events": "none" });
      svg.append(this.layers[name]);
    }
    this.writeCoordinates();
    svg.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") this.moved(event); });
    svg.addEventListener("pointerleave", () => { this.under = -1; this.ghost(-1); this.on("leave", -1); });
    svg.addEventListener("click", (event) => {
      const index = this.index(event);
      if (this.held) { this.held = false; return; }
      if (index >= 0) this.on(event.pointerType === "touch" ? "tap" : "play", index);
    });
    this.holding(svg);
    this.svg = svg;
    this.place.replaceChildren(svg);
  }

  /** A finger that stays on a point asks for more about it; lifting it is no tap then. */
  holding(svg) {
    let timer = 0, from = null;
    const end = () => {
      clearTimeout(timer);
      from = null;
      if (this.held) this.on("leave", -1);
    };
    svg.addEventListener("pointerdown", (event) => {
      this.held = false;
      if (event.pointerType !== "touch") return;
      clearTimeout(timer);
      from = event.isPrimary ? [event.clientX, event.clientY] : null; // two fingers enlarge the board
      const index = this.index(event);
      if (from && index >= 0) timer = setTimeout(() => { this.held = true; this.on("hold", index); }, HOLD);
    });
    svg.addEventListener("pointermove", (event) => {
      if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > NEAR) end();
    });
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, end);
    svg.addEventListener("contextmenu", (event) => { if (from || this.held) event.preventDefault(); });
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

  writeCoordinates() {
    const far = this.margin * 0.3, whole = 2 * this.margin + CELL * (this.size - 1);
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

  /** Draw a position. `shown`: which layers; `candidates`: [index, probability, words];
   *  `rings`: [index, "played", "chosen" or "yours"]; `marks`: [index, kind, words] of SGF;
   *  `ghosts`: [index, colour, words], stones that are not there; `owners`: [index, share of Black]. */
  draw(board, { shown, candidates = [], rings = [], marks = [], ghosts = [], owners = [] }) {
    this.board = board;
    const { layers } = this, at = (index) => [this.x(index), this.y(index)];
    layers.coordinates.setAttribute("visibility", shown.coordinates ? "visible" : "hidden");
    layers.stones.replaceChildren(...this.stones(board));
    layers.candidates.replaceChildren(...candidates.map(([index, chance, words]) => {
      const made = candidate(...at(index), chance, words);
      made.setAttribute("data-vertex", vertex(index, this.size));
      return made;
    }));
    const marked = new Set([...marks, ...ghosts].map(([index]) => index));
    layers.marks.replaceChildren(...this.onStones(board, shown.numbers, marked),
      ...marks.map(([index, kind, words]) => mark(...at(index), kind, words, board.stones[index])),
      ...ghosts.flatMap(([index, colour, words]) => [patch(...at(index)), this.stone(index, colour, 0.85),
        text(...at(index), words, colour === BLACK ? "#fff" : "#111", 12)]));
    const taken = new Set(candidates.map(([index]) => index));
    layers.rings.replaceChildren(...rings.map(([index, kind]) => {
      const made = ring(...at(index), kind);
      if (!taken.has(index) && board.stones[index] === EMPTY && !marked.has(index)) made.prepend(patch(...at(index)));
      return made;
    }));
    layers.owners.replaceChildren(...this.squares(owners));
    this.ghost(this.under ?? -1);
  }

  stones(board) {
    const found = [];
    board.stones.forEach((colour, index) => { if (colour !== EMPTY) found.push(this.stone(index, colour)); });
    return found;
  }

  /** The numbers of the moves, or a ring on the last one; no two things on one stone. */
  onStones(board, numbers, marked) {
    const found = [];
    board.stones.forEach((colour, index) => {
      if (colour === EMPTY || marked.has(index)) return;
      const ink = colour === BLACK ? "#fff" : "#111", last = index === board.last;
      if (numbers && board.numbers[index]) {
        const words = String(board.numbers[index]);
        found.push(text(this.x(index), this.y(index), words, ink, words.length > 2 ? 10 : 12, last ? 800 : 500));
        if (!last) return;
        found.push(element("line", { x1: this.x(index) - 6, x2: this.x(index) + 6, y1: this.y(index) + 7, y2: this.y(index) + 7, stroke: ink, "stroke-width": 1.4 }));
      } else if (last) {
        found.push(element("circle", { cx: this.x(index), cy: this.y(index), r: CELL * 0.2, fill: "none", stroke: ink, "stroke-width": 1.6 }));
      }
    });
    return found;
  }

  /** Who owns what: the surer the larger; over stones, too. */
  squares(owners) {
    const found = [];
    for (const [index, black] of owners) {
      const sure = Math.abs(black - 0.5) * 2, side = CELL * 0.42 * sure;
      if (sure < 0.15) continue;
      found.push(element("rect", {
        x: this.x(index) - side / 2, y: this.y(index) - side / 2, width: side, height: side,
        fill: black > 0.5 ? "#000" : "#fff", stroke: black > 0.5 ? "#fff" : "#000", "stroke-width": 0.5, "fill-opacity": 0.85,
      }));
    }
    return found;
  }

  /** The board as a file of its own. */
  file() {
    const twin = this.svg.cloneNode(true);
    twin.querySelector(".ghost")?.remove();
    return new XMLSerializer().serializeToString(twin);
  }
}
