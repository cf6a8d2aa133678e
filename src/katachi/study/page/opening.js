// Games come in: from the server's start, a file, a text, a link, or as a new board.

import { get, postBytes } from "./api.js";
import { fresh, keepTree } from "./autosave.js";
import { nameOfGame } from "./collection.js";
import { at } from "./dom.js";
import { answered, failed, say } from "./messages.js";
import { begun } from "./modes.js";
import { forgetOwners } from "./owners.js";
import { forgetOpinions } from "./position.js";
import { review } from "./review.js";
import { fromLink } from "./save.js";
import { show, view } from "./show.js";
import { state } from "./state.js";
import { Tree } from "./tree.js";
import { W } from "./words.js";

const LARGEST = 5_000_000; // bytes

/** Show a game; `reviewed` if its moves are to be reviewed. */
export function begin(tree, node = 0, reviewed = true) {
  begun();
  Object.assign(state, { tree, node, chosen: null, guess: null, review: [], reviewed: null });
  forgetOpinions();
  forgetOwners();
  view.build(tree.size);
  say((tree.notices ?? [])[0] ?? "");
  show();
  if (reviewed) review();
}

/** Begin with a game that the server does not know of: it is kept. */
export function opened(tree, node = 0, games = [], id = crypto.randomUUID?.() ?? String(Math.random())) {
  fresh();
  Object.assign(state, { changed: true, games, place: 0, id, session: null });
  begin(tree, node);
  keepTree();
}

/** Open the bytes of a file; `id` is its name among those that this browser keeps. */
export async function openBytes(body, id = undefined) {
  if ((body.size ?? body.length ?? 0) > LARGEST) { say(W.tooLarge(LARGEST / 1e6)); return; }
  try {
    const data = await (await postBytes("open", body)).json();
    answered();
    history.replaceState(null, "", location.pathname);
    const games = (data.others ?? []).map(({ sgf, ...game }) => ({ sgf, name: nameOfGame(game), about: [game.date, game.result].filter(Boolean).join(" · ") }));
    opened(Tree.from(data), 0, games, id);
  } catch (error) { failed(error); }
}

const openText = (text) => openBytes(new TextEncoder().encode(text));

function dropping() {
  const main = document.querySelector("main");
  document.addEventListener("dragover", (event) => { event.preventDefault(); main.classList.add("dropping"); });
  document.addEventListener("dragleave", () => main.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    main.classList.remove("dropping");
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
    if (file) openBytes(file);
    else if (text) openText(text);
  });
}

function pasting() {
  const dialog = at("paste-dialog");
  at("paste").addEventListener("click", () => dialog.showModal());
  at("paste-close").addEventListener("click", () => dialog.close());
  at("paste-open").addEventListener("click", () => { dialog.close(); openText(dialog.querySelector("textarea").value); });
  document.addEventListener("paste", (event) => {
    if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.includes("(;")) openText(text);
  });
}

export function wire() {
  at("open").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) openBytes(file);
    event.target.value = "";
  });
  at("sample").addEventListener("click", async () => {
    try { opened(Tree.from(await get("sample"))); answered(); } catch (error) { failed(error); }
  });
  at("new").addEventListener("change", (event) => {
    if (event.target.value) { history.replaceState(null, "", location.pathname); opened(new Tree(Number(event.target.value))); }
    event.target.value = "";
  });
  addEventListener("hashchange", () => {
    const found = fromLink(location.hash);
    if (found) opened(found.tree, found.node);
  });
  pasting();
  dropping();
}
