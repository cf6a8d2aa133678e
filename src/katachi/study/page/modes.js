// Study, guess or play; and what is to be done when another game begins.

import { show } from "./show.js";
import { state } from "./state.js";

const turning = [], beginning = [];
export const onMode = (act) => turning.push(act); // with the mode
export const onBegin = (act) => beginning.push(act); // before another game is shown
export const begun = () => beginning.forEach((act) => act());

export function setMode(mode) {
  state.mode = mode;
  document.querySelector(`input[name=mode][value=${mode}]`).checked = true;
  state.guess = null;
  state.chosen = null;
  turning.forEach((act) => act(mode));
  show();
}

export function wire() {
  for (const input of document.querySelectorAll("input[name=mode]")) input.addEventListener("change", () => setMode(input.value));
}
