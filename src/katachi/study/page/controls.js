// Keys, what is shown, light and dark, help, and the field for a move.

import { numbered } from "./candidates.js";
import { at, remember, remembered, tag } from "./dom.js";
import { say } from "./messages.js";
import { setMode } from "./modes.js";
import { fromVertex } from "./rules.js";
import { press, show } from "./show.js";
import { state } from "./state.js";
import { back, first, forward, last, sideways } from "./steps.js";
import { W } from "./words.js";

function toggle(name, on = !state.shown[name]) {
  state.shown[name] = on;
  at(`show-${name}`).checked = on;
  remember("shown", state.shown);
  show();
}

const keyed = {
  ArrowLeft: back, ArrowRight: forward, Home: first, End: last,
  ArrowUp: () => sideways(-1), ArrowDown: () => sideways(1),
  "?": () => at("help-dialog").showModal(),
  s: () => toggle("squares"), r: () => toggle("ranks"), o: () => toggle("owners"), n: () => toggle("numbers"), c: () => toggle("coordinates"),
  g: () => setMode("guess"), p: () => setMode("play"), Escape: () => setMode("study"),
};

/** Another key; `act` returns false if it was not for it. */
export function onKey(name, act) { keyed[name] = act; }

function keys(event) {
  const { target } = event;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== "checkbox" && target.type !== "radio") return;
  if (target.type === "radio" && event.key.startsWith("Arrow")) return; // they go through the group
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-9]$/.test(event.key)) numbered(Number(event.key), press);
  else if (!keyed[event.key] || keyed[event.key]() === false) return;
  event.preventDefault();
}

function themes() {
  let chosen = remembered("theme", null);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (which) => { document.documentElement.dataset.theme = which; };
  set(chosen ?? (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", () => { if (!chosen) set(dark.matches ? "dark" : "light"); });
  at("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    set(chosen);
    remember("theme", chosen);
  });
}

/** A choice that was pressed with the mouse leaves the arrow keys to the game. */
function radios() {
  let pressed = false;
  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  document.addEventListener("keydown", () => { pressed = false; }, true);
  document.addEventListener("change", ({ target }) => { if (pressed && target.type === "radio") target.blur(); });
}

/** One menu open at a time; Escape and a press elsewhere close it. */
function menus() {
  const all = [...document.querySelectorAll("details.menu")];
  for (const menu of all) {
    menu.addEventListener("click", (event) => { if (event.target.tagName === "BUTTON") menu.open = false; });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
      event.stopPropagation();
    });
  }
  document.addEventListener("pointerdown", (event) => { for (const menu of all) if (!menu.contains(event.target)) menu.open = false; });
}

function help() {
  at("help").addEventListener("click", () => at("help-dialog").showModal());
  at("help-keys").replaceChildren(...W.keys.map(([names, words]) => tag("tr", {},
    tag("th", { scope: "row" }, ...names.map((name) => tag("kbd", {}, name))), tag("td", {}, words))));
}

export function wire() {
  Object.assign(state.shown, remembered("shown", {}));
  for (const [name, on] of Object.entries(state.shown)) {
    at(`show-${name}`).checked = on;
    at(`show-${name}`).addEventListener("change", (event) => toggle(name, event.target.checked));
  }
  at("pass").addEventListener("click", () => press(-1));
  at("say").addEventListener("submit", (event) => {
    event.preventDefault();
    const index = fromVertex(at("vertex").value, state.tree.size);
    if (index === null) { say(W.noPoint(at("vertex").value)); return; }
    at("vertex").value = "";
    press(index);
  });
  document.addEventListener("keydown", keys);
  themes();
  radios();
  menus();
  help();
}
