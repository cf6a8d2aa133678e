// Guessing the next move of the game.

import { post } from "./api.js";
import { explain } from "./candidates.js";
import { onKey } from "./controls.js";
import { at } from "./dom.js";
import { count, forget, noteProblem, showHistory, showScores, stageOf } from "./guess.js";
import { failed, say } from "./messages.js";
import { explanation, opinion, request } from "./position.js";
import { fromVertex, vertex } from "./rules.js";
import { next as nextProblem, note } from "./session.js";
import { layer, onPress, onShow, show } from "./show.js";
import { state } from "./state.js";
import { forward } from "./steps.js";
import { W } from "./words.js";

const AGREE = 0.6; // probability from which on players agree: a move that is missed there is to be asked again

/** A position of one's own game as a problem. */
function asProblem(node, next, stage, played) {
  const { size, komi, actions } = request(node);
  return { size, komi, actions, colour: W.colours[next.colour], vertex: next.vertex, stage, kind: played.name };
}

async function guessed(index) {
  const next = state.tree.nextMove(state.node);
  if (!next || state.guess) return;
  const board = state.tree.board(state.node), fault = board.fault(index, board.turn);
  const { node } = state, name = vertex(index, state.tree.size);
  if (fault) { say(W.cannotPlay(name, fault)); return; }
  try {
    const beside = post("explain", request(node, { vertex: name, beside: next.vertex }));
    const [found, yours, played] = [await opinion(node), await beside, await explanation(next.vertex)];
    if (node !== state.node || state.guess) return;
    const same = board.alike(index, fromVertex(next.vertex, state.tree.size));
    state.guess = { vertex: name, played: next.vertex };
    const stage = state.session?.problems[state.session.place].stage ?? stageOf(board.moves + 1, state.tree.size);
    count(stage, played.name, same, Math.min(yours.probability / found.moves[0].probability, 1));
    if (state.session) note(same);
    else if (found.moves[0].vertex === next.vertex && played.probability >= AGREE) noteProblem(asProblem(node, next, stage, played), same);
    at("guess-told").textContent = W.guessTold(yours, played, same);
    await show();
    explain(next.vertex);
    at("status").textContent = at("guess-told").textContent;
  } catch (error) { failed(error); }
}

/** One's own guess; the move played is ringed in any case. */
function yours() {
  const index = state.guess ? fromVertex(state.guess.vertex, state.tree.size) : -1;
  return index >= 0 ? { rings: [[index, "yours"]] } : {};
}

function panel() {
  at("guessing").hidden = at("scores").hidden = state.mode !== "guess";
  if (state.mode !== "guess") return;
  const next = state.tree.nextMove(state.node);
  if (!next) at("guess-told").textContent = W.noNext;
  else if (!state.guess) at("guess-told").textContent = W.whereNext(W.colours[next.colour]);
  at("guess-next").hidden = !state.guess;
  showScores(at("guess-score"));
  showHistory(at("guess-history"));
}

export function wire() {
  layer(yours);
  onShow(panel);
  onPress((index) => { if (state.mode === "guess") guessed(index); });
  const further = () => { if (!nextProblem()) forward(); };
  at("guess-next").addEventListener("click", further);
  onKey("Enter", () => { if (!state.guess) return false; further(); return true; });
  at("guess-forget").addEventListener("click", () => { forget(); panel(); });
}
