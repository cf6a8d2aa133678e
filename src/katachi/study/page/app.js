// The page begins here: its parts are wired, and the first game is shown. To read on: show.js says what is
// drawn when, state.js what there is to draw; every other module is a part of the page.

import { get } from "./api.js";
import * as arranging from "./arranging.js";
import * as autosave from "./autosave.js";
import * as candidates from "./candidates.js";
import * as clock from "./clock.js";
import * as controls from "./controls.js";
import * as counting from "./counting.js";
import { fillWords } from "./dom.js";
import * as games from "./games.js";
import * as guessing from "./guessing.js";
import { kept, nameOf } from "./kept.js";
import * as markup from "./markup.js";
import * as messages from "./messages.js";
import * as modes from "./modes.js";
import * as opening from "./opening.js";
import * as owners from "./owners.js";
import * as playing from "./playing.js";
import * as record from "./record.js";
import * as review from "./review.js";
import { fromLink } from "./save.js";
import * as saving from "./saving.js";
import * as searching from "./searching.js";
import * as sequence from "./sequence.js";
import * as session from "./session.js";
import * as similar from "./similar.js";
import { state } from "./state.js";
import * as steps from "./steps.js";
import * as taps from "./taps.js";
import { Tree } from "./tree.js";
import * as vartree from "./vartree.js";
import * as verdict from "./verdict.js";
import { W } from "./words.js";

const PARTS = [messages, controls, modes, steps, candidates, owners, record, vartree, review, session, guessing, markup, arranging, counting, playing, clock, taps, opening, games, saving, autosave, similar, searching, verdict, sequence];

async function start() {
  fillWords();
  for (const part of PARTS) part.wire();
  const linked = fromLink(location.hash), before = kept();
  if (location.hash && !linked) messages.say(W.emptyLink);
  let found = null;
  try {
    found = await get("start");
    state.start = nameOf(found.game);
    playing.offer(found.levels);
    searching.offer(found.depths);
    similar.offer(found.similar);
    if (found.library) await games.offerFolder();
  } catch (error) { messages.failed(error); }
  const words = messages.said();
  if (before && (!found || before.start === state.start)) {
    const { tree, node, games: all, place, id } = before;
    Object.assign(state, { games: all, place, id, changed: before.changed });
    opening.begin(tree, node);
    searching.restore();
    if (tree.match && !tree.match.result) modes.setMode("play"); // and without hints
  } else {
    state.id = crypto.randomUUID?.() ?? String(Math.random());
    if (linked) opening.begin(linked.tree, linked.node);
    else opening.begin(found?.game ? Tree.from(found.game) : new Tree(19));
    if (found?.library && !linked) games.showGames();
  }
  if (words) messages.say(words);
  document.body.dataset.ready = "yes";
}

start();
