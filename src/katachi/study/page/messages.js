// The banner: one sentence at a time.

import { Lost } from "./api.js";
import { at } from "./dom.js";

let lost = false;

export function say(words) {
  at("banner").hidden = !words;
  at("banner").querySelector("span").textContent = words;
}

export const said = () => at("banner").querySelector("span").textContent;

/** Something went wrong: say what. */
export function failed(error) {
  if (error.name === "AbortError") return;
  lost = error instanceof Lost;
  say(error.message);
}

/** The server has answered: if it did not before, that is over. */
export function answered() {
  if (lost) say("");
  lost = false;
}

/** Take away a sentence that was about another position; that the server is gone still holds. */
export function stepped() {
  if (!lost) say("");
}

export function wire() {
  at("banner").querySelector("button").addEventListener("click", () => say(""));
}
