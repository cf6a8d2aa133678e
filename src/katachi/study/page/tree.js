// The game as a tree of nodes; the page may add to it.

import { Board, LETTER, vertex } from "./rules.js";

export class Tree {
  constructor(size, komi = 7.5) {
    Object.assign(this, { size, komi, black: "", white: "", source: "", result: "", date: "" });
    this.nodes = [];
    this.boards = new Map(); // node → Board, made when asked for
    this.add(-1, [], {});
  }

  /** From what the server made of an SGF file. */
  static from(data) {
    const tree = new Tree(data.size, data.komi);
    Object.assign(tree, {
      black: data.black, white: data.white, source: data.source, result: data.result,
      date: data.date, black_rank: data.black_rank, white_rank: data.white_rank,
      notices: data.notices,
    });
    tree.nodes = [];
    for (const node of data.nodes) {
      const made = tree.add(node.parent, node.actions, node.properties);
      Object.assign(tree.nodes[made], { comment: node.comment, fault: node.fault });
    }
    return tree;
  }

  /** What `from` makes the same tree of. */
  data() {
    const { size, komi, black, white, source, result, date, black_rank, white_rank } = this;
    const nodes = this.nodes.map(({ parent, actions, properties, comment, fault }) => ({ parent, actions, properties, comment, fault }));
    return { size, komi, black, white, source, result, date, black_rank, white_rank, notices: [], nodes };
  }

  add(parent, actions, properties) {
    const number = this.nodes.length;
    this.nodes.push({ parent, actions, properties, children: [], comment: "", fault: "" });
    if (parent >= 0) this.nodes[parent].children.push(number);
    return number;
  }

  path(node) {
    const found = [];
    for (let n = node; n >= 0; n = this.nodes[n].parent) found.push(n);
    return found.reverse();
  }

  actions(node) {
    return this.path(node).flatMap((n) => this.nodes[n].actions);
  }

  board(node) {
    const known = [];
    let n = node;
    while (n >= 0 && !this.boards.has(n)) { known.push(n); n = this.nodes[n].parent; }
    let board = n >= 0 ? this.boards.get(n) : new Board(this.size);
    for (const each of known.reverse()) {
      board = board.copy();
      for (const action of this.nodes[each].actions) board.apply(action);
      const next = this.nextMove(each);
      if (next) board.turn = next.colour === "B" ? 1 : 2; // the record knows who moves next
      this.boards.set(each, board);
    }
    return board;
  }

  /** The first move of a node: { colour: "B", vertex: "Q16" }, or null. */
  move(node) {
    const found = this.nodes[node].actions.find((a) => a.startsWith("B ") || a.startsWith("W "));
    return found ? { colour: found[0], vertex: found.slice(2) } : null;
  }

  nextMove(node) {
    const child = this.nodes[node].children[0];
    return child === undefined ? null : this.move(child);
  }

  /** The node after playing here: one that is there already, or a new variation. */
  play(node, index) {
    const colour = LETTER[this.board(node).turn], name = vertex(index, this.size);
    for (const child of this.nodes[node].children) {
      const move = this.move(child);
      if (move && move.colour === colour && move.vertex === name) return child;
    }
    const letters = index < 0 ? "" : String.fromCharCode(97 + index % this.size, 97 + Math.floor(index / this.size));
    return this.add(node, [`${colour} ${name}`], { [colour]: [letters] });
  }

  /** The line that goes on from a node by first children. */
  line(node) {
    const found = this.path(node);
    let n = node;
    while (this.nodes[n].children.length) { n = this.nodes[n].children[0]; found.push(n); }
    return found;
  }

  /** The whole tree as SGF, all properties as they came. */
  sgf() {
    const root = { FF: ["4"], GM: ["1"], SZ: [String(this.size)], ...this.nodes[0].properties, CA: ["UTF-8"] };
    if (!root.KM && this.komi !== null) root.KM = [String(this.komi)];
    const text = (number) => {
      const properties = number === 0 ? root : this.nodes[number].properties;
      return ";" + Object.entries(properties)
        .map(([name, values]) => name + values.map((v) => `[${v}]`).join("")).join("");
    };
    let out = "(";
    const waiting = [[0, 0]]; // without recursion: games are deep
    while (waiting.length) {
      const [number, close] = waiting.pop();
      if (number < 0) { out += ")"; continue; }
      if (close) out += "(";
      out += text(number);
      const children = this.nodes[number].children;
      if (close) waiting.push([-1, 0]);
      if (children.length === 1) waiting.push([children[0], 0]);
      else for (const child of [...children].reverse()) waiting.push([child, 1]);
    }
    return out + ")";
  }
}
