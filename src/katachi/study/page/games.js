// The list of games: those of the file, of the folder that the server was started with, and those that this
// browser has kept.

import { get, post } from "./api.js";
import { keepTree } from "./autosave.js";
import { putAside } from "./collection.js";
import { at, tag } from "./dom.js";
import { recent } from "./kept.js";
import { failed } from "./messages.js";
import { begin, openBytes, opened } from "./opening.js";
import { state } from "./state.js";
import { Tree } from "./tree.js";
import { W } from "./words.js";

const SHOWN = 200; // games of a list at once
let folder = []; // of the server: { number, name, about }

/** Show a game of the file. */
export async function showGame(place) {
  const game = state.games[place];
  try {
    const tree = game.tree ?? Tree.from(await post("read", { sgf: game.sgf }));
    putAside();
    state.place = place;
    begin(tree);
    keepTree();
  } catch (error) { failed(error); }
}

async function openListed(number) {
  try {
    const found = await post("listed", { number });
    history.replaceState(null, "", location.pathname);
    opened(Tree.from(found));
  } catch (error) { failed(error); }
}

function row(words, about, chosen, act) {
  const button = tag("button", { type: "button", className: chosen ? "chosen" : "", onclick: () => { at("games-dialog").close(); act(); } },
    tag("span", {}, words), tag("span", { className: "about" }, about));
  return tag("li", {}, button);
}

function fill() {
  const wanted = at("games-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text) => wanted.every((word) => text.toLowerCase().includes(word));
  const list = (id, all) => {
    const found = all.filter(([words, about]) => fits(`${words} ${about}`));
    at(id).hidden = !all.length;
    at(id).querySelector("ol").replaceChildren(...found.slice(0, SHOWN).map((one) => row(...one)));
    at(id).querySelector(".found").textContent = W.found(found.length, all.length, SHOWN);
  };
  list("of-file", state.games.length > 1 ? state.games.map((game, i) => [`${i + 1}. ${game.name}`, game.about, i === state.place, () => showGame(i)]) : []);
  list("of-folder", folder.map(({ number, name, about }) => [name, about, false, () => openListed(number)]));
  list("of-browser", recent().map(({ id, name, when, sgf }) => [name, new Date(when).toLocaleString("en-GB"), id === state.id, () => openBytes(new TextEncoder().encode(sgf), id)]));
}

export function showGames() {
  at("games-search").value = "";
  fill();
  at("games-dialog").showModal();
}

/** Ask for the games of the server's folder, and show them. */
export async function offerFolder() {
  folder = (await get("library")).games.map(([number, black, white, result, date, file]) => ({
    number, name: black || white ? `${black || "?"} – ${white || "?"}` : file, about: [date, result, file].filter(Boolean).join(" · "),
  }));
}

export function wire() {
  at("games").addEventListener("click", showGames);
  at("games-search").addEventListener("input", fill);
}
