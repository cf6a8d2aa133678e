// The game as a tree of nodes; the page may add to it.

import { Board, LETTER, toLetters, vertex } from "./rules.js";

export class Tree {
  constructor(size, komi = 7.5) {
    Object.assign(this, { size, komi, black: "", white: "", source: "", result: "", date: "" });
    this.match = null; // a game against the engine: see arranging.js
    this.nodes = [];
    this.boards = new Map(); // node → Board, made when asked for
    this.version = 0; // goes up with every change of the nodes
    this.add(-1, [], {});
  }

  /** From what the server made of an SGF file. */
  static from(data) {
    const tree = new Tree(data.size, data.komi);
    Object.assign(tree, {
      black: data.black, white: data.white, source: data.source, result: data.result,
      date: data.date, match: data.match ?? null, black_rank: data.black_rank, white_rank: data.white_rank,
      notices: data.notices,
    });
    tree.nodes = [];
    for (const node of data.nodes) {
      const made = tree.add(node.parent, node.actions, node.properties);
      Object.assign(tree.nodes[made], { comment: node.comment, fault: node.fault });
    }
    return tree;
  }

  /** What `from` makes the same tree of, and what number a node has there. Nodes that were taken away are left out. */
  data(shown = 0) {
    const { size, komi, black, white, source, result, date, black_rank, white_rank, match } = this;
    const order = this.order(), place = new Map(order.map((n, i) => [n, i]));
    const nodes = order.map((n) => {
      const { parent, actions, properties, comment, fault } = this.nodes[n];
      return { parent: parent < 0 ? -1 : place.get(parent), actions, properties, comment, fault };
    });
    const tree = { size, komi, black, white, source, result, date, black_rank, white_rank, match, notices: [], nodes };
    return { tree, node: place.get(shown) ?? 0 };
  }

  /** All nodes, each before what follows it, first children first; without recursion: games are deep. */
  order() {
    const found = [], waiting = [0];
    while (waiting.length) {
      const n = waiting.pop();
      found.push(n);
      waiting.push(...[...this.nodes[n].children].reverse());
    }
    return found;
  }

  add(parent, actions, properties) {
    const number = this.nodes.length;
    this.nodes.push({ parent, actions, properties, children: [], comment: "", fault: "" });
    if (parent >= 0) this.nodes[parent].children.push(number);
    this.version += 1;
    return number;
  }

  /** Take a node away with all that follows it; returns what puts it back. */
  remove(node) {
    const { children } = this.nodes[this.nodes[node].parent], place = children.indexOf(node);
    children.splice(place, 1);
    this.moved();
    return () => { children.splice(Math.min(place, children.length), 0, node); this.moved(); };
  }

  /** Move the variation that a node is of one place up; false if the node is of the main line. */
  promote(node) {
    for (let n = node; this.nodes[n].parent >= 0; n = this.nodes[n].parent) {
      const { children } = this.nodes[this.nodes[n].parent], place = children.indexOf(n);
      if (place === 0) continue;
      [children[place - 1], children[place]] = [n, children[place - 1]];
      this.moved();
      return true;
    }
    return false;
  }

  moved() {
    this.boards.clear(); // the record says otherwise who moves next
    this.version += 1;
  }

  /** How many moves there are from a node on, in all variations. */
  count(node) {
    let sum = 0;
    const waiting = [node];
    while (waiting.length) {
      const n = waiting.pop();
      if (this.move(n)) sum += 1;
      waiting.push(...this.nodes[n].children);
    }
    return sum;
  }

  /** Give a node's property these raw values; none take it away. */
  set(node, name, values) {
    const { properties } = this.nodes[node];
    if (values.length) properties[name] = values;
    else delete properties[name];
    this.version += 1;
  }

  setComment(node, text) {
    this.nodes[node].comment = text;
    this.set(node, "C", text ? [text.replace(/[\\\]]/g, "\\$&")] : []);
  }

  /** What the root says under a name, as simple text. */
  told(name) {
    return (this.nodes[0].properties[name]?.[0] ?? "").replace(/\\\r?\n/g, "").replace(/\\(.)/gs, "$1").replace(/\s+/g, " ").trim();
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
    return this.add(node, [`${colour} ${name}`], { [colour]: [toLetters(index, this.size)] });
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
