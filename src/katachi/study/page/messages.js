// The banner: one sentence at a time. If the server is gone, the page asks for it until it is back.

import { Lost } from "./api.js";
import { at } from "./dom.js";
import { W } from "./words.js";

const PAUSES = [500, 1000, 2000, 4000]; // ms between two questions, the last for ever

let lost = false, asking = false;
const returning = [];
export const onReturn = (act) => returning.push(act); // when the server answers again

export function say(words) {
  at("banner").hidden = !words;
  at("banner").querySelector("span").textContent = words;
}

export const said = () => at("banner").querySelector("span").textContent;

/** Something went wrong: say what. */
export function failed(error) {
  if (error.name === "AbortError") return;
  if (error instanceof Lost) { lost = true; askAgain(); }
  say(error.message);
}

/** The server has answered: if it did not before, that is over. */
export function answered() {
  if (!lost) return;
  lost = false;
  say("");
}

/** Take away a sentence that was about another position; that the server is gone still holds. */
export const stepped = () => say(lost ? W.serverGone : "");

async function askAgain() {
  if (asking) return;
  asking = true;
  for (let i = 0; lost; i += 1) {
    await new Promise((done) => { setTimeout(done, PAUSES[Math.min(i, PAUSES.length - 1)]); });
    try {
      if ((await fetch("icon.svg", { cache: "no-store" })).ok) break;
    } catch { /* not yet */ }
  }
  asking = false;
  answered();
  for (const act of returning) act();
}

export function wire() {
  at("banner").querySelector("button").addEventListener("click", () => say(""));
}
