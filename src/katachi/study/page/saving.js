// The menu of what can be taken away.

import { postBytes } from "./api.js";
import { keepTree } from "./autosave.js";
import { collected } from "./collection.js";
import { at } from "./dom.js";
import { failed, say } from "./messages.js";
import { download, linkOf, picture } from "./save.js";
import { view } from "./show.js";
import { state } from "./state.js";
import { W } from "./words.js";

async function saveReviewed() {
  try {
    const response = await postBytes("reviewed", new TextEncoder().encode(state.tree.sgf()));
    download("reviewed.sgf", await response.blob(), "application/x-go-sgf");
  } catch (error) { failed(error); }
}

async function savePicture() {
  try { download("board.png", await picture(view.file()), "image/png"); } catch (error) { failed(error); }
}

async function saveLink() {
  history.replaceState(null, "", linkOf(state.tree, state.node));
  keepTree(); // under its new address
  try {
    await navigator.clipboard.writeText(location.href);
    say(W.linkCopied);
  } catch { say(W.linkHere); }
}

export function wire() {
  at("save-game").addEventListener("click", () => download("game.sgf", collected(), "application/x-go-sgf"));
  at("save-sgf").addEventListener("click", saveReviewed);
  at("save-svg").addEventListener("click", () => download("board.svg", view.file(), "image/svg+xml"));
  at("save-png").addEventListener("click", savePicture);
  at("save-link").addEventListener("click", saveLink);
}
