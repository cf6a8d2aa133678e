// The end of a game: which stones are dead, whose the rest of the board is, and the result. The engine's judge
// proposes; a tap on a string says otherwise.

import { post } from "./api.js";
import { rulesOf } from "./arranging.js";
import { at, tag } from "./dom.js";
import { answered, failed, onReturn, say } from "./messages.js";
import { onBegin } from "./modes.js";
import { request } from "./position.js";
import { EMPTY, fromVertex, vertex } from "./rules.js";
import { layer, onOpinion, onShow, panels, redraw } from "./show.js";
import { state, still } from "./state.js";
import { W } from "./words.js";

let known = null; // { tree, node, and what the server says of them }
let asked = 0, waiting = null; // requests so far; the node of a first one that is under way

/** Whether the last two moves are passes. */
export function over() {
  const { tree, node } = state, { parent } = tree.nodes[node];
  return parent >= 0 && tree.move(node)?.vertex === "pass" && tree.move(parent)?.vertex === "pass";
}

/** The count of the position that is shown, null if there is none. */
export const counted = () => (known?.tree === state.tree && known.node === state.node && state.mode === "play" ? known : null);

async function ask(dead) {
  const { tree, node } = state, same = still();
  asked += 1;
  const mine = asked;
  try {
    const found = await post("count", request(node, { rules: rulesOf(tree), dead }));
    answered();
    if (!same() || mine !== asked) return;
    known = { tree, node, ...found };
    panels();
    redraw();
    announce();
  } catch (error) { failed(error); }
}

/** Let the judge say which stones are dead, once. */
async function first() {
  const { tree, node } = state;
  if (waiting?.tree === tree && waiting.node === node) return;
  waiting = { tree, node };
  await ask(null);
  waiting = null;
}

/** For a screen reader, which is told of the position, too. */
function announce() {
  if (counted()) at("status").textContent = W.countTold(counted());
}

/** Take the string on a point for dead, or for alive again. */
export function toggle(index) {
  const count = counted(), board = state.tree.board(state.node), { size } = state.tree;
  if (index < 0 || board.stones[index] === EMPTY) return;
  if (count.rules === "tromp-taylor") { say(W.allAlive); return; }
  const string = board.string(index).points.map((p) => vertex(p, size)), was = count.dead.includes(string[0]);
  count.dead = was ? count.dead.filter((name) => !string.includes(name)) : [...count.dead, ...string];
  ask(count.dead);
}

function table(count) {
  const row = (words, ...cells) => tag("tr", {}, tag("th", { scope: "row" }, words), ...cells.map((each) => tag("td", {}, each)));
  const { black, white } = count, sum = (side) => side.points + (side.prisoners ?? 0);
  return [
    tag("tr", {}, tag("td"), tag("th", { scope: "col" }, W.black), tag("th", { scope: "col" }, W.white)),
    row(count.rules === "japanese" ? W.territory : W.area, black.points, white.points),
    ...(count.rules === "japanese" ? [row(W.prisoners, black.prisoners, white.prisoners)] : []),
    row(W.about.KM, "", count.komi),
    row(W.sum, sum(black), sum(white) + count.komi),
  ];
}

function panel() {
  if (state.mode === "play" && over() && !counted()) first();
  const count = counted(), { match } = state.tree;
  at("counting").hidden = !count;
  if (!count) return;
  at("count-table").replaceChildren(...table(count));
  at("count-told").textContent = W.result(count.result);
  const open = match ? !match.result : !state.tree.told("RE");
  at("count-hint").hidden = at("count-accept").hidden = at("count-on").hidden = !open;
}

/** Whose each point is; a dead stone that is nobody's is crossed. */
function shown() {
  const count = counted();
  if (!count) return {};
  const { size } = state.tree, { owners } = count;
  return {
    owners: Object.entries(owners).map(([name, colour]) => [fromVertex(name, size), colour === W.colours.B ? 1 : 0]),
    marks: count.dead.filter((name) => !(name in owners)).map((name) => [fromVertex(name, size), "MA", ""]),
  };
}

export function wire() {
  onShow(panel);
  onOpinion(announce);
  onBegin(() => { known = null; });
  onReturn(() => { if (state.mode === "play" && over() && !counted()) first(); });
  layer(shown);
}
