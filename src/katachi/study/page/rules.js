// The rules of Go as far as a board needs them: captures, suicide, ko; and how points are named.
// The server checks every position again; this is here so that stepping through a game needs no
// server.

import { W } from "./words.js";

export const COLUMNS = "ABCDEFGHJKLMNOPQRST";
export const EMPTY = 0, BLACK = 1, WHITE = 2;
export const LETTER = { [BLACK]: "B", [WHITE]: "W" };

export const other = (colour) => 3 - colour;

/** Index of "D4" on a board of this size, -1 for a pass, null if it is no vertex. */
export function fromVertex(text, size) {
  const name = text.trim().toUpperCase();
  if (name === "PASS") return -1;
  const column = COLUMNS.indexOf(name[0] ?? "?");
  const line = /^\d{1,2}$/.test(name.slice(1)) ? Number(name.slice(1)) : 0;
  if (column < 0 || column >= size || line < 1 || line > size) return null;
  return (size - line) * size + column;
}

export function vertex(index, size) {
  if (index < 0) return "pass";
  return COLUMNS[index % size] + (size - Math.floor(index / size));
}

export function neighbours(index, size) {
  const row = Math.floor(index / size), column = index % size, found = [];
  if (row > 0) found.push(index - size);
  if (row < size - 1) found.push(index + size);
  if (column > 0) found.push(index - 1);
  if (column < size - 1) found.push(index + 1);
  return found;
}

/** The index of an SGF point ("pd"), null if it is none. */
export function fromLetters(name, size) {
  const column = name.charCodeAt(0) - 97, row = name.charCodeAt(1) - 97;
  return name.length === 2 && column >= 0 && row >= 0 && column < size && row < size ? row * size + column : null;
}

/** The SGF point of an index; "" is a pass. */
export const toLetters = (index, size) => (index < 0 ? "" : String.fromCharCode(97 + index % size, 97 + Math.floor(index / size)));

/** The eight turns and mirrors of a board, each as an array: index → index. */
export function symmetries(size) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((which) => Array.from({ length: size * size }, (_, index) => {
    let row = Math.floor(index / size), column = index % size;
    if (which & 1) column = size - 1 - column;
    if (which & 2) row = size - 1 - row;
    return which & 4 ? column * size + row : row * size + column;
  }));
}

export class Board {
  constructor(size) {
    this.size = size;
    this.stones = new Uint8Array(size * size);
    this.numbers = new Uint16Array(size * size); // of the move that put the stone, 0 for none
    this.turn = BLACK;
    this.ko = -1; // forbidden to the side to move
    this.taken = [-1, EMPTY]; // the ko point of the last move, and who lost a stone there
    this.last = null; // index, -1 for a pass, null for none
    this.moves = 0;
    this.captured = [0, 0, 0]; // stones of each colour that were taken
  }

  copy() {
    const twin = new Board(this.size);
    twin.stones.set(this.stones);
    twin.numbers.set(this.numbers);
    const { turn, ko, taken, last, moves } = this;
    Object.assign(twin, { turn, ko, taken, last, moves });
    twin.captured = [...this.captured];
    return twin;
  }

  /** The string at an index, and whether it has a liberty. */
  string(index) {
    const colour = this.stones[index], seen = new Set([index]), waiting = [index];
    let free = false;
    while (waiting.length) {
      for (const n of neighbours(waiting.pop(), this.size)) {
        if (this.stones[n] === EMPTY) free = true;
        else if (this.stones[n] === colour && !seen.has(n)) { seen.add(n); waiting.push(n); }
      }
    }
    return { points: [...seen], free };
  }

  /** Why a move is illegal, "" if it is legal. The board is left as it is. */
  fault(index, colour) {
    if (index < 0) return "";
    if (this.stones[index] !== EMPTY) return W.faults.stone;
    if (index === this.ko && colour === this.turn) return W.faults.ko;
    const twin = this.copy();
    twin.put(index, colour);
    return twin.stones[index] === EMPTY ? W.faults.liberty : "";
  }

  /** Put a stone, take what has no liberty; returns the points taken. */
  put(index, colour) {
    this.stones[index] = colour;
    const taken = [];
    for (const n of neighbours(index, this.size)) {
      if (this.stones[n] !== other(colour)) continue;
      const { points, free } = this.string(n);
      if (!free) for (const p of points) { this.stones[p] = EMPTY; taken.push(p); }
    }
    const own = this.string(index);
    if (!own.free) for (const p of own.points) this.stones[p] = EMPTY;
    else if (taken.length === 1 && own.points.length === 1
             && neighbours(index, this.size).every((n) => this.stones[n] !== EMPTY || n === taken[0])) {
      this.nextKo = taken[0];
    }
    return taken;
  }

  /** Whether two moves are the same but for a turn or a mirror of the board that changes nothing else:
   *  the stones, the ko and the last move must stay where they are. A pass is like itself only. */
  alike(one, two) {
    if (one === two) return true;
    if (one < 0 || two < 0) return false;
    return symmetries(this.size).some((image) => image[one] === two && this.keeps(image));
  }

  keeps(image) {
    const fixed = (index) => index === null || index < 0 || image[index] === index;
    return fixed(this.ko) && fixed(this.last) && this.stones.every((colour, i) => this.stones[image[i]] === colour);
  }

  play(index, colour) {
    this.nextKo = -1;
    this.moves += 1;
    if (index >= 0) {
      const taken = this.put(index, colour);
      this.captured[other(colour)] += taken.length;
      this.numbers[index] = this.moves;
    }
    this.taken = [this.nextKo, other(colour)];
    this.last = index;
    this.give(other(colour));
  }

  /** Let a colour move next. Who has taken a ko may fill it; who lost a stone there may not take it back. */
  give(colour) {
    const [point, loser] = this.taken;
    this.turn = colour;
    this.ko = colour === loser ? point : -1;
  }

  /** An action of the wire: "B Q16", "AB D4", "PL W" … */
  apply(action) {
    const [kind, place] = action.split(" ");
    if (kind === "PL") { this.give(place === "B" ? BLACK : WHITE); return; }
    const index = fromVertex(place, this.size);
    if (kind === "B" || kind === "W") { this.play(index, kind === "B" ? BLACK : WHITE); return; }
    this.stones[index] = { AB: BLACK, AW: WHITE, AE: EMPTY }[kind];
    this.numbers[index] = 0;
    this.taken = [-1, EMPTY];
    this.ko = -1;
    this.last = null;
  }
}

/** Where the small dots are. */
export function starPoints(size) {
  if (size < 7) return [];
  const edge = size >= 13 ? 3 : 2, lines = [edge, size - 1 - edge], found = [];
  for (const row of lines) for (const column of lines) found.push(row * size + column);
  if (size % 2) {
    const middle = (size - 1) / 2;
    found.push(middle * size + middle);
    if (size >= 15) for (const line of lines) found.push(line * size + middle, middle * size + line);
  }
  return found;
}
