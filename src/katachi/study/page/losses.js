// What a move lost, by searches of the position before it, of the better move, and of the position after it; and
// how sure that is. All leads and win rates of searches are Black's.

// Standard errors that a bar is long. Searches of one position with other random numbers differ a little more than
// their standard errors say, since their simulations share a tree; so it is 2.5, not 2: see docs/results/lab-book.md.
export const BAR = 2.5;

const both = (one, two, name) => BAR * Math.hypot(one[name], two[name]);

/** What this move, { colour, vertex }, lost; null if a search is missing. `sure`: the loss is beyond its error. */
export function loss(before, after, move) {
  if (!before || !after) return null;
  const best = before.apart, sign = move.colour === "B" ? 1 : -1;
  if (before.best === move.vertex) return { points: 0, error: 0, rate: 0, rateError: 0, best: before.best, probability: 0, own: true, sure: false };
  if (!best || before.played !== move.vertex) return null;
  const points = sign * (best.lead - after.lead), error = both(best, after, "lead_error");
  return {
    points, error, rate: sign * (best.win_rate - after.win_rate), rateError: both(best, after, "rate_error"),
    best: best.vertex, probability: best.probability, own: false, sure: points > error,
  };
}

/** The sure losses, the largest first, or those first where the better move was most usual. */
export function mistakes(losses, order) {
  const worth = order === "usual" ? (one) => one.probability : (one) => one.points;
  return losses.filter((one) => one.sure).sort((one, two) => worth(two) - worth(one));
}

/** The candidates of a position for its side to move, the best first: [{ vertex, visits, rate, rateError, lead,
 *  leadError, line, played }]. Where a move was searched apart, as the engine's own move or the one that was
 *  played, it is that which counts. */
export function candidates(before, after, move) {
  const found = new Map(before.moves.map((one) => [one.vertex, one]));
  if (before.apart) found.set(before.apart.vertex, before.apart);
  if (after && move) found.set(move.vertex, { ...after, vertex: move.vertex, line: [move.vertex, ...after.line] });
  const sign = before.to_move === "black" ? 1 : -1;
  const all = [...found.values()].map((one) => ({
    vertex: one.vertex, visits: one.visits, line: one.line, played: one.vertex === move?.vertex,
    rate: sign > 0 ? one.win_rate : 1 - one.win_rate, rateError: BAR * one.rate_error,
    lead: sign * one.lead, leadError: one.lead_error === null ? null : BAR * one.lead_error,
  }));
  const place = (one) => (one.vertex === before.best ? 0 : one.played ? 1 : 2);
  return all.sort((one, two) => place(one) - place(two) || two.visits - one.visits);
}
