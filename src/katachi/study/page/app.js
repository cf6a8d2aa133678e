// The page: what is shown, and what happens when something is pressed. Start reading at `show`.

import { get, lines, Lost, post, postBytes } from "./api.js";
import { BoardView } from "./board.js";
import { showExplanation, tag } from "./explain.js";
import { Graph, percent } from "./graph.js";
import { count, forget, showScores, stageOf } from "./guess.js";
import { keep, kept, nameOf } from "./kept.js";
import { EMPTY, fromVertex, LETTER, vertex } from "./rules.js";
import { download, fromLink, linkOf, picture } from "./save.js";
import { Tree } from "./tree.js";

const LARGEST = 5_000_000;
const NAMES = { B: "black", W: "white" };
const at = (id) => document.getElementById(id);

const state = {
  tree: new Tree(19),
  node: 0,
  mode: "study",
  shown: { squares: true, owners: false, numbers: false, coordinates: true },
  opinions: new Map(), // the actions of a position → what the server says of it
  owners: new Map(),
  chosen: null, // the vertex that is explained
  guess: null, // { vertex, same } after a guess
  review: [], // of the main line
  reviewed: null,
  thinking: null, // AbortController
  thought: [], // the nodes at which the engine's numbers are shown: before its move, and after
  start: null, // the name of what the server began with, as soon as it is known
  changed: false, // whether something was tried in the game, or it was opened here
  lost: false, // whether that could not be kept
};
const visitor = crypto.randomUUID?.() ?? String(Math.random());

const view = new BoardView(at("board"), (kind, index) => {
  if (kind === "play") pressed(index);
  else if (kind === "hover") hovered(index);
});
const graph = new Graph(at("graph"), (number) => goTo(mainNode(number)));

// -- messages -----------------------------------------------------------------------------------

let lost = false;

function say(words) {
  at("banner").hidden = !words;
  at("banner").querySelector("span").textContent = words;
}

function failed(error) {
  if (error.name === "AbortError") return;
  lost = error instanceof Lost;
  say(error.message);
}

function answered() {
  if (lost) say("");
  lost = false;
}

// -- the position ---------------------------------------------------------------------------------

const key = (node) => `${state.tree.size}:${state.tree.komi}:${state.tree.actions(node).join()}:${state.tree.board(node).turn}`;

function request(node, more = {}) {
  const { tree } = state, board = tree.board(node), actions = tree.actions(node);
  // Whose turn it is goes along: a record may say otherwise than the moves
  return { size: tree.size, komi: tree.komi, actions: [...actions, `PL ${LETTER[board.turn]}`], ...more };
}

async function opinion(node) {
  const name = key(node);
  if (!state.opinions.has(name)) {
    const asked = post("position", request(node)).then((found) => { answered(); return found; });
    asked.catch(() => state.opinions.delete(name)); // ask again the next time
    state.opinions.set(name, asked);
  }
  return state.opinions.get(name);
}

const hiding = () => state.mode === "guess" && !state.guess;

/** Draw all that depends on the node; what the server says comes when it comes. */
async function show() {
  const { tree, node } = state;
  draw(null);
  panels();
  // Until the moves of this node are here, the list has another node's: none of them may be asked about
  for (const button of at("candidates").querySelectorAll("ol button")) button.disabled = true;
  try {
    const found = await opinion(node);
    if (tree !== state.tree || node !== state.node) return;
    draw(found);
    candidates(found);
    announce(found);
    if (state.shown.owners) askOwners(node);
    const next = tree.nodes[node].children[0];
    if (next !== undefined) opinion(next).catch(() => {}); // so that the next key finds it here
  } catch (error) {
    if (tree === state.tree && node === state.node) failed(error);
  }
}

/** Keep the game for a reload; what the page began with needs no keeping. */
function keepTree() {
  if (state.start === null) return;
  state.lost = !keep(state.tree, state.node, state.start) && state.changed;
}

function draw(found) {
  const { tree, node } = state, board = tree.board(node), { size } = tree;
  const squares = [], labels = [], rings = [];
  if (found && !hiding()) {
    if (state.shown.squares) {
      for (const [name, chance] of Object.entries(found.squares)) {
        const index = fromVertex(name, size);
        if (index >= 0) squares.push([index, chance]);
      }
      found.moves.slice(0, 9).forEach((one, i) => {
        const index = fromVertex(one.vertex, size);
        if (index >= 0) labels.push([index, String(i + 1), one.probability > 0.12 ? "#fff" : "#10376f"]);
      });
    }
    if (state.chosen) {
      const index = fromVertex(state.chosen, size);
      if (index >= 0 && board.stones[index] === EMPTY) rings.push([index, "#1f5fbf"]);
    }
    if (state.guess) {
      const index = fromVertex(state.guess.vertex, size);
      if (index >= 0) rings.push([index, "#c0392b"]);
      const played = fromVertex(state.guess.played, size);
      if (played >= 0) rings.push([played, "#1e7d34"]);
    }
  }
  const owners = state.shown.owners && !hiding() ? state.owners.get(key(node)) ?? null : null;
  view.draw(board, { shown: state.shown, squares, labels, rings, owners, numbers: state.shown.numbers });
  document.body.dataset.node = String(node);
  document.body.dataset.drawn = found ? String(node) : "";
}

let asking = false; // for owners: one position at a time, since each takes a search

async function askOwners(node) {
  const name = key(node), { tree } = state;
  if (state.owners.has(name)) { draw(await opinion(node)); return; }
  if (asking) return; // when that answer is here, what is shown then is asked for
  asking = true;
  try {
    const { owners } = await post("owners", request(node));
    state.owners.set(name, Object.entries(owners).map(([v, share]) => [fromVertex(v, tree.size), share]));
    if (tree === state.tree && node === state.node) draw(await opinion(node));
  } catch (error) { failed(error); }
  asking = false;
  if (state.shown.owners && (tree !== state.tree || node !== state.node)) askOwners(state.node);
}

function announce(found) {
  const { tree, node } = state, move = tree.move(node), number = tree.board(node).moves;
  const before = move ? `Move ${number}, ${NAMES[move.colour]} ${move.vertex}. ` : "";
  const usual = hiding() ? "Guess the next move." :
    `Usual for ${found.to_move}: ${found.moves.slice(0, 3).map((m) => `${m.vertex} ${percent(m.probability)}`).join(", ")}.`;
  at("status").textContent = before + usual;
}

// -- panels ---------------------------------------------------------------------------------------

function panels() {
  const { tree, node } = state, line = tree.line(node), board = tree.board(node);
  const last = line.reduce((sum, n) => sum + (tree.move(n) ? 1 : 0), 0);
  at("count").textContent = `${board.moves} / ${last}`;
  const names = [tree.black && `${tree.black} ${tree.black_rank ?? ""}`.trim(), tree.white && `${tree.white} ${tree.white_rank ?? ""}`.trim()];
  const players = names[0] || names[1] ? `${names[0] || "?"} (black) – ${names[1] || "?"} (white)` : "";
  at("title").textContent = [players, tree.date, hiding() ? "" : tree.result].filter(Boolean).join(" · ");
  const { comment, fault } = tree.nodes[node];
  at("words").hidden = !comment || hiding();
  at("comment").textContent = comment;
  if (fault) say(`The record cannot be followed here: ${fault}`);
  branches();
  at("guessing").hidden = state.mode !== "guess";
  at("playing").hidden = state.mode !== "play";
  at("candidates").hidden = hiding();
  if (hiding() || !state.chosen) at("explanation").hidden = true;
  at("unusual").hidden = hiding() || !state.reviewed;
  at("players").hidden = hiding() || !state.reviewed;
  const number = mainNumber(node);
  graph.draw(state.review, mainLine().length, number, state.mode === "guess");
  if (state.mode === "guess") guessPanel();
}

function branches() {
  const { tree, node } = state, parent = tree.nodes[node].parent;
  const found = [];
  const button = (n, words) => tag("button", { type: "button", onclick: () => goTo(n), className: n === node ? "chosen" : "" }, words);
  if (parent >= 0 && tree.nodes[parent].children.length > 1) {
    for (const n of tree.nodes[parent].children) found.push(button(n, `instead ${tree.move(n)?.vertex ?? "…"}`));
  }
  if (tree.nodes[node].children.length > 1 && !hiding()) {
    for (const n of tree.nodes[node].children) found.push(button(n, `then ${tree.move(n)?.vertex ?? "…"}`));
  }
  at("branches").hidden = !found.length || state.mode === "guess";
  at("branches").querySelector("div").replaceChildren(...found);
}

function candidates(found) {
  const list = at("candidates").querySelector("ol");
  list.replaceChildren(...found.moves.map((one, i) => {
    const button = tag("button", { type: "button", className: one.vertex === state.chosen ? "chosen" : "" },
      tag("span", { className: "sign" }, String(i + 1)), tag("span", { className: "vertex" }, one.vertex),
      tag("span", { className: "chance" }, percent(one.probability)), tag("span", { className: "because", title: one.why }, one.why));
    button.addEventListener("click", () => explain(one.vertex));
    button.addEventListener("pointerenter", () => explain(one.vertex));
    button.addEventListener("focus", () => explain(one.vertex));
    return tag("li", {}, button);
  }));
  const { tree, node } = state, next = tree.nextMove(node);
  const told = at("played");
  told.textContent = "";
  if (next && !hiding()) {
    const known = found.moves.find((one) => one.vertex === next.vertex);
    const words = (one) => `${next.vertex} was played: ${percent(one.probability)}, number ${one.rank}`;
    if (known) told.textContent = words(known);
    else {
      explanation(next.vertex).then((one) => {
        if (tree === state.tree && node === state.node) told.textContent = words(one);
      }).catch(() => {});
    }
  }
}

async function explanation(name, node = state.node) {
  const asked = request(node, { vertex: name }); // now: what is shown may change while we wait
  const found = await opinion(node);
  const known = found.moves.find((one) => one.vertex === name);
  if (known) return { ...known, legal: found.legal };
  return { ...(await post("explain", asked)), legal: found.legal };
}

async function explain(name) {
  if (hiding()) return;
  state.chosen = name;
  const { node } = state;
  try {
    const one = await explanation(name);
    if (node !== state.node || state.chosen !== name) return;
    showExplanation(at("explanation"), one, one.legal, NAMES[LETTER[state.tree.board(node).turn]]);
    for (const button of at("candidates").querySelectorAll("ol button")) {
      button.classList.toggle("chosen", button.querySelector(".vertex").textContent === name);
    }
    draw(await opinion(node));
  } catch (error) { failed(error); }
}

let hovering = 0;
function hovered(index) {
  clearTimeout(hovering);
  const board = state.tree.board(state.node);
  if (index < 0 || board.stones[index] !== EMPTY || hiding()) return;
  hovering = setTimeout(async () => {
    const name = vertex(index, state.tree.size), { tree, node } = state;
    try {
      const found = await opinion(node);
      if (tree === state.tree && node === state.node && name in found.squares) explain(name);
    } catch { /* told when it was asked for */ }
  }, 60);
}

// -- stepping --------------------------------------------------------------------------------------

function goTo(node) {
  if (node === undefined || node < 0 || node === state.node) return;
  clearTimeout(hovering);
  state.node = node;
  if (!state.thought.includes(node)) at("thinking").replaceChildren(); // it was about another position
  state.chosen = null;
  state.guess = null;
  say(lost ? at("banner").querySelector("span").textContent : "");
  show();
}

const back = () => goTo(state.tree.nodes[state.node].parent);
const forward = () => goTo(state.tree.nodes[state.node].children[0]);
const first = () => goTo(0);
const last = () => goTo(state.tree.line(state.node).at(-1));

function sideways(step) {
  const parent = state.tree.nodes[state.node].parent;
  if (parent < 0) return;
  const all = state.tree.nodes[parent].children, here = all.indexOf(state.node);
  goTo(all[(here + step + all.length) % all.length]);
}

/** The nodes of the main line that hold moves. */
function mainLine() {
  return state.tree.line(0).filter((n) => state.tree.move(n));
}
const mainNode = (number) => mainLine()[number - 1];
const mainNumber = (node) => mainLine().indexOf(node) + 1;

// -- playing ---------------------------------------------------------------------------------------

function pressed(index) {
  if (state.mode === "guess") { guessed(index); return; }
  if (state.thinking) return;
  if (!play(index) || state.mode !== "play") return;
  engineMove();
}

/** Play a move; `engines` if the engine's numbers are about it, and stay while it is looked at. */
function play(index, engines = false) {
  const board = state.tree.board(state.node), fault = board.fault(index, board.turn);
  if (fault) { say(`${vertex(index, state.tree.size)} cannot be played: ${fault}.`); return false; }
  const before = state.tree.nodes.length, node = state.tree.play(state.node, index);
  if (engines) state.thought.push(node);
  goTo(node);
  if (state.tree.nodes.length > before) { state.changed = true; keepTree(); }
  return true;
}

/** Whether the last two moves are passes. */
function over() {
  const { tree, node } = state, parent = tree.nodes[node].parent;
  return parent >= 0 && tree.move(node)?.vertex === "pass" && tree.move(parent)?.vertex === "pass";
}

const OVER = "Both have passed: the game is over. Owners shows who is likely to own what.";

async function engineMove() {
  if (over()) { say(OVER); return; }
  const board = state.tree.board(state.node);
  const yours = at("you").value === "B" ? 1 : 2;
  if (board.turn === yours) at("you").value = yours === 1 ? "W" : "B"; // asked to move for you: you change sides
  const { tree, node } = state;
  state.thinking = new AbortController();
  state.thought = [node];
  at("stop").hidden = false;
  at("engine").disabled = true;
  at("thinking").textContent = "thinking …";
  try {
    let move = null;
    await lines("play", request(node, { strength: at("strength").value, visitor }), (found) => {
      if (found.move) move = found;
      else if (tree === state.tree && node === state.node) thinking(found, board.turn);
    }, state.thinking.signal);
    answered();
    if (tree !== state.tree || node !== state.node || !move) return;
    thinking(move, board.turn);
    if (move.move === "resign") say("The engine resigns.");
    else {
      play(move.move === "pass" ? -1 : fromVertex(move.move, tree.size), true);
      if (over()) say(OVER);
    }
  } catch (error) {
    if (error.name === "AbortError") at("thinking").textContent = "stopped";
    else { at("thinking").replaceChildren(); failed(error); }
  } finally {
    state.thinking = null;
    at("stop").hidden = true;
    at("engine").disabled = false;
  }
}

/** What the engine thinks, or has thought: the win rates are those of the side to move. */
function thinking(found, turn) {
  const moves = found.moves ?? [], most = Math.max(...moves.map((m) => m.visits), 1);
  const number = (n) => n.toLocaleString("en");
  const who = turn === 1 ? "Black" : "White";
  const done = found.of ? [tag("p", {}, `${number(found.simulations)} of ${number(found.of)} simulations for ${who}${
    found.move || !moves.length ? "" : `; ${who} wins ${Math.round(100 * found.win_rate)} %`}`)] : [];
  at("thinking").replaceChildren(
    ...done,
    ...moves.map((m) => {
      const fill = tag("i");
      fill.style.width = `${(100 * m.visits) / most}%`;
      return tag("div", { className: m.vertex === found.move ? "row chosen" : "row" }, tag("span", { className: "vertex" }, m.vertex),
        tag("span", { className: "track" }, fill),
        tag("span", {}, `${Math.round(100 * m.win_rate)} % of ${number(m.visits)}`));
    }),
    ...(found.comment ? [tag("p", {}, `${found.comment}.`)] : []));
}

// -- guessing --------------------------------------------------------------------------------------

async function guessed(index) {
  const next = state.tree.nextMove(state.node);
  if (!next || state.guess) return;
  const board = state.tree.board(state.node), fault = board.fault(index, board.turn);
  if (fault) { say(`${vertex(index, state.tree.size)} cannot be played: ${fault}.`); return; }
  const { node } = state, name = vertex(index, state.tree.size);
  try {
    const beside = post("explain", request(node, { vertex: name, beside: next.vertex }));
    const [found, yours, played] = [await opinion(node), await beside, await explanation(next.vertex)];
    if (node !== state.node || state.guess) return;
    const same = board.alike(index, fromVertex(next.vertex, state.tree.size));
    state.guess = { vertex: name, played: next.vertex };
    count(stageOf(board.moves + 1, state.tree.size), same, Math.min(yours.probability / found.moves[0].probability, 1));
    at("guess-told").textContent = (name === next.vertex ? `${name}, as was played: `
      : same ? `${name} is the same move on this board, turned or mirrored, as was played: ` : `You: ${name}, ${percent(yours.probability)}, number ${yours.rank}. Played: `)
      + `${next.vertex}, ${percent(played.probability)}, number ${played.rank} (green). It ${played.why}.${yours.reason ? ` ${yours.reason}.` : ""}`;
    panels();
    draw(found);
    candidates(found);
    at("status").textContent = at("guess-told").textContent;
  } catch (error) { failed(error); }
}

function guessPanel() {
  const next = state.tree.nextMove(state.node);
  if (!next) at("guess-told").textContent = "The game has no next move: open one, or go back.";
  else if (!state.guess) at("guess-told").textContent = `Where did ${NAMES[next.colour]} play next? Click the board.`;
  at("guess-next").hidden = !state.guess;
  showScores(at("guess-score"));
}

function setMode(mode) {
  state.mode = mode;
  document.querySelector(`input[name=mode][value=${mode}]`).checked = true;
  state.guess = null;
  state.chosen = null;
  state.thinking?.abort();
  if (mode === "play") at("you").value = LETTER[state.tree.board(state.node).turn];
  show();
}

// -- opening ---------------------------------------------------------------------------------------

function begin(tree, node = 0) {
  state.thinking?.abort();
  Object.assign(state, { tree, node, chosen: null, guess: null, review: [], reviewed: null, thought: [] });
  at("thinking").replaceChildren();
  state.opinions.clear();
  state.owners.clear();
  view.build(tree.size);
  const odd = (tree.notices ?? [])[0];
  say(odd ?? "");
  show();
  review();
}

/** Begin with a game that the server does not know of: it is kept. */
function opened(tree, node = 0) {
  state.changed = true;
  begin(tree, node);
  keepTree();
}

async function openBytes(body) {
  if ((body.size ?? body.length ?? 0) > LARGEST) {
    say(`The file has more than ${LARGEST / 1e6} MB, which no game record has: choose an SGF file.`);
    return;
  }
  try {
    const data = await (await postBytes("open", body)).json();
    answered();
    history.replaceState(null, "", location.pathname);
    opened(Tree.from(data));
  } catch (error) { failed(error); }
}

let reviewing = null;

async function review() {
  reviewing?.abort();
  const nodes = mainLine();
  if (!nodes.length) { panels(); return; }
  reviewing = new AbortController();
  const { tree } = state;
  try {
    const actions = tree.actions(tree.line(0).at(-1));
    await lines("review", { size: tree.size, komi: tree.komi, actions }, (found) => {
      if (tree !== state.tree) return;
      if (found.players) state.reviewed = found;
      else state.review.push(found);
      if (found.players || state.review.length % 25 === 0) { panels(); reviewPanels(); }
    }, reviewing.signal);
  } catch (error) { if (tree === state.tree) failed(error); }
}

function reviewPanels() {
  if (!state.reviewed) return;
  const by = new Map(state.review.map((m) => [m.number, m]));
  at("unusual").querySelector("ol").replaceChildren(...state.reviewed.unusual.map((number) => {
    const m = by.get(number);
    const button = tag("button", { type: "button" }, tag("span", { className: "sign" }, String(m.number)),
      tag("span", { className: "vertex" }, `${m.colour} ${m.vertex}`),
      tag("span", { className: "chance" }, percent(m.probability)), tag("span", { className: "because" }, m.reason));
    button.addEventListener("click", () => goTo(state.tree.nodes[mainNode(number)].parent));
    return tag("li", {}, button);
  }));
  const table = at("players").querySelector("table");
  const row = (kind, ...words) => tag("tr", {}, ...words.map((w) => tag(kind, {}, w)));
  table.replaceChildren(row("th", "", "moves", "first choices", "log-evidence"));
  for (const [colour, about] of Object.entries(state.reviewed.players)) {
    const part = (name, one) => row("td", name, String(one.moves), `${Math.round(100 * one.first_choices)} %`, one.mean_log_evidence.toFixed(2));
    table.append(part(colour, about));
    for (const [stage, one] of Object.entries(about.stages)) {
      table.append(Object.assign(part(stage, one), { className: "stage" }));
    }
  }
}

// -- saving ----------------------------------------------------------------------------------------

async function saveSgf() {
  try {
    const response = await postBytes("reviewed", new TextEncoder().encode(state.tree.sgf()));
    download("reviewed.sgf", await response.blob(), "application/x-go-sgf");
  } catch (error) { failed(error); }
}

async function saveLink() {
  const hash = linkOf(state.tree, state.node);
  history.replaceState(null, "", hash);
  keepTree(); // under its new address
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link to this position is copied, and stands in the address.");
  } catch { say("The link to this position stands in the address: copy it from there."); }
}

// -- wiring ----------------------------------------------------------------------------------------

function toggle(name, on = !state.shown[name]) {
  state.shown[name] = on;
  at(`show-${name}`).checked = on;
  try { localStorage.setItem("katachi.shown", JSON.stringify(state.shown)); } catch { /* not kept */ }
  show();
}

function theme(which) {
  document.documentElement.dataset.theme = which;
}

function wire() {
  const press = (id, action) => at(id).addEventListener("click", action);
  press("first", first); press("back", back); press("forward", forward); press("last", last);
  press("pass", () => pressed(-1));
  press("open", () => at("file").click());
  at("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) openBytes(file);
    event.target.value = "";
  });
  press("paste", () => at("paste-dialog").showModal());
  press("paste-close", () => at("paste-dialog").close());
  press("paste-open", () => {
    at("paste-dialog").close();
    openBytes(new TextEncoder().encode(at("paste-dialog").querySelector("textarea").value));
  });
  press("sample", async () => {
    try { opened(Tree.from(await get("sample"))); answered(); } catch (error) { failed(error); }
  });
  at("new").addEventListener("change", (event) => {
    if (event.target.value) { history.replaceState(null, "", location.pathname); opened(new Tree(Number(event.target.value))); }
    event.target.value = "";
  });
  press("save-sgf", saveSgf);
  press("save-svg", () => download("board.svg", view.file(), "image/svg+xml"));
  press("save-png", async () => {
    try { download("board.png", await picture(view.file()), "image/png"); } catch (error) { failed(error); }
  });
  press("save-link", saveLink);
  at("save").addEventListener("click", (event) => { if (event.target.tagName === "BUTTON") at("save").open = false; });
  press("theme", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    theme(next);
    try { localStorage.setItem("katachi.theme", next); } catch { /* not kept */ }
  });
  press("help", () => at("help-dialog").showModal());
  press("engine", engineMove);
  press("stop", () => state.thinking?.abort());
  press("guess-next", forward);
  press("guess-forget", () => { forget(); panels(); });
  at("banner").querySelector("button").addEventListener("click", () => say(""));
  for (const name of Object.keys(state.shown)) at(`show-${name}`).addEventListener("change", (event) => toggle(name, event.target.checked));
  for (const input of document.querySelectorAll("input[name=mode]")) input.addEventListener("change", () => setMode(input.value));
  at("say").addEventListener("submit", (event) => {
    event.preventDefault();
    const index = fromVertex(at("vertex").value, state.tree.size);
    if (index === null) { say(`${at("vertex").value || "Nothing"} is no point of this board: name one as D4, or pass.`); return; }
    at("vertex").value = "";
    pressed(index);
  });
  document.addEventListener("keydown", keys);
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.querySelector("main").classList.add("dropping"); });
  document.addEventListener("dragleave", () => document.querySelector("main").classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.querySelector("main").classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text/plain");
    if (file) openBytes(file);
    else if (text) openBytes(new TextEncoder().encode(text));
  });
  document.addEventListener("paste", (event) => {
    if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.includes("(;")) openBytes(new TextEncoder().encode(text));
  });
  addEventListener("hashchange", () => {
    const found = fromLink(location.hash);
    if (found) opened(found.tree, found.node);
  });
  addEventListener("pagehide", keepTree); // the node that is shown
  addEventListener("beforeunload", (event) => { if (state.lost) event.preventDefault(); }); // the browser asks
}

function keys(event) {
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox" && event.target.type !== "radio") return;
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions = {
    ArrowLeft: back, ArrowRight: forward, Home: first, End: last,
    ArrowUp: () => sideways(-1), ArrowDown: () => sideways(1),
    "?": () => at("help-dialog").showModal(),
    s: () => toggle("squares"), o: () => toggle("owners"), n: () => toggle("numbers"), c: () => toggle("coordinates"),
    g: () => setMode("guess"), p: () => setMode("play"), Escape: () => setMode("study"),
    Enter: () => { if (state.guess) forward(); else return false; },
  };
  if (/^[1-9]$/.test(event.key)) {
    opinion(state.node).then((found) => {
      const one = found.moves[Number(event.key) - 1];
      if (!one || hiding()) return;
      if (state.chosen === one.vertex && !state.thinking) pressed(fromVertex(one.vertex, state.tree.size));
      else explain(one.vertex);
    }).catch(failed);
  } else if (actions[event.key]) {
    if (actions[event.key]() === false) return;
  } else return;
  event.preventDefault();
}

async function start() {
  let chosen = null;
  try { chosen = localStorage.getItem("katachi.theme"); } catch { /* not allowed */ }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  theme(chosen ?? (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", () => { if (!chosen) theme(dark.matches ? "dark" : "light"); });
  try { Object.assign(state.shown, JSON.parse(localStorage.getItem("katachi.shown") ?? "{}")); } catch { /* as it was */ }
  for (const [name, on] of Object.entries(state.shown)) at(`show-${name}`).checked = on;
  const linked = fromLink(location.hash), before = kept();
  if (location.hash && !linked) say("The link holds no position that can be shown.");
  let found = null;
  try {
    found = await get("start");
    state.start = nameOf(found.game);
    const names = { pattern: "pattern (no search)" };
    at("strength").replaceChildren(...found.strengths.map((s) =>
      tag("option", { value: s }, names[s] ?? `${Number(s).toLocaleString("en")} simulations`)));
  } catch (error) { failed(error); }
  const words = at("banner").querySelector("span").textContent;
  if (before && (!found || before.start === state.start)) { state.changed = true; begin(before.tree, before.node); }
  else if (linked) begin(linked.tree, linked.node);
  else begin(found?.game ? Tree.from(found.game) : new Tree(19));
  if (words) say(words);
  wire();
  document.body.dataset.ready = "yes";
}

start();
