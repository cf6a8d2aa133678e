// Small hands: find an element, make one, and remember things in this browser.

import { W } from "./words.js";

export const at = (id) => document.getElementById(id);

export function tag(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/** Put the words of words.js into the page: data-words names the text of an element, data-label its name
 *  for a screen reader, data-hint what stands in an empty field. */
export function fillWords(root = document) {
  for (const each of root.querySelectorAll("[data-words]")) each.textContent = W[each.dataset.words];
  for (const each of root.querySelectorAll("[data-label]")) each.setAttribute("aria-label", W[each.dataset.label]);
  for (const each of root.querySelectorAll("[data-hint]")) each.placeholder = W[each.dataset.hint];
}

/** What this browser has kept under a name, `otherwise` if it has nothing that can be used. */
export function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`katachi.${name}`) ?? "null") ?? otherwise;
  } catch { return otherwise; }
}

/** Keep something in this browser; whether there was room. Null forgets it. */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`katachi.${name}`);
    else localStorage.setItem(`katachi.${name}`, JSON.stringify(value));
    return true;
  } catch { return false; }
}
