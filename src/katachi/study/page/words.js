// All English of the page. What has an argument is a function; the rest is text.

export function percent(share) {
  if (share >= 0.01) return `${(100 * share).toFixed(1)} %`;
  return share >= 0.0005 ? `${(100 * share).toFixed(2)} %` : "< 0.05 %";
}
const number = (n) => n.toLocaleString("en");
const points = (share) => `${share >= 0 ? "+" : "−"}${Math.round(100 * Math.abs(share))}`;
const errorOf = (error, digits = 1) => ` ± ${error.toFixed(digits)}`;
const capital = (colour) => ({ B: "Black", W: "White", 1: "Black", 2: "White" })[colour];

export const W = {
  // The header
  game: "Game",
  open: "Open…",
  paste: "Paste…",
  sample: "Sample game",
  newBoard: "New board",
  none: "–",
  show: "Show",
  save: "Save",
  saveGame: "Game (SGF)",
  saveReviewed: "Reviewed game (SGF)",
  saveSvg: "Board (SVG)",
  savePng: "Board (PNG)",
  saveLink: "Link to this position",
  theme: "Light or dark",
  help: "Help",
  closeMessage: "Close this message",

  // The board and the steps
  boardSide: "Board",
  board: (size) => `A Go board of ${size} lines`,
  stepping: "Step through the game",
  first: "To the beginning",
  back: "One move back",
  forward: "One move on",
  last: "To the end",
  pass: "Pass",
  play: "Play",
  playIt: "Play it",
  vertexHint: "D4",
  vertexLabel: "A move to play, as D4 or pass",
  showSquares: "usual moves",
  showSequences: "what is likely to follow a move",
  showOwners: "owners",
  showRanks: "their rank, not percent",
  showNumbers: "move numbers",
  showCoordinates: "coordinates",
  colours: { B: "black", W: "white" },
  players: (black, white) => `${black} (black) – ${white} (white)`,
  cannotPlay: (vertex, fault) => `${vertex} cannot be played: ${fault}.`,
  cannotFollow: (fault) => `The record cannot be followed here: ${fault}`,
  tapAgain: (vertex, one, mode) => `${one ? `${vertex}: ${percent(one.probability)}, number ${one.rank}, ${one.name}` : vertex}. ${
    mode === "guess" ? "Tap again to guess it." : "Tap again to play it."}`,
  noPoint: (text) => `${text || "Nothing"} is no point of this board: name one as D4, or pass.`,
  faults: {
    stone: "there is a stone already",
    ko: "the ko cannot be taken back at once",
    liberty: "it would have no liberty",
  },
  moveTold: (count, colour, vertex) => `Move ${count}, ${W.colours[colour]} ${vertex}. `,
  usualFor: (colour, moves) => `Usual for ${colour}: ${moves.join(", ")}.`,

  // What to do
  todo: "What to do",
  study: "Study",
  guess: "Guess",

  // Usual moves
  usualMoves: "Usual moves",
  explanation: "Why",
  wasPlayed: (vertex, one) => `${vertex} was played: ${percent(one.probability)}, number ${one.rank}`,
  explained: (one, chance, legal) => `${one.vertex}: ${chance}, number ${one.rank}${legal ? ` of ${legal}` : ""}, ${one.name}`,
  why: (one) => `It ${one.why}.${one.reason ? ` Less usual: ${one.reason}.` : ""}`,
  drawing: (title, liberties) => `The largest known ${title === "Answer" ? "answer to the last move (ringed)" : "shape around it"}, turned as it is kept${
    liberties ? "; numbers are liberties, 3 for more." : "."}`,
  gamma: (group) => `${group.title}: gamma ${group.gamma.toPrecision(3)}`,
  signed: (elo) => `${elo >= 0 ? "+" : "−"}${Math.abs(elo).toFixed(0)}`,
  members: (group, together) => `${group.members.length} ${together ? "that count together"
    : group.title === "Answer" ? "ways to see it" : "shapes, one within the other"}`,
  member: (one, together) => (together ? `${W.signed(one.elo)} Elo: it ${one.sentence}`
    : `${one.title}: ${W.signed(one.elo)} Elo, played ${number(one.wins)} of ${number(one.appearances)} times`),
  shape: (text) => `The shape: ${text}`,

  // The library
  similar: "Similar positions",
  library: (library) => `In ${number(library.games)} games of the library, turned and with colours exchanged, too:`,
  nowhere: (library) => `In none of the ${number(library.games)} games of the library.`,
  occurred: (part) => `${part.what === "board" ? "The whole position" : part.what === "last" ? `Around the last move, ${part.vertex}`
    : `Around this move, ${part.vertex}: the answers`}${part.radius ? ` (radius ${part.radius})` : ""}`,
  nextColumns: ["next there", "times", "won"],
  nextMoveBy: (one) => `${one.colour} ${one.vertex}`,
  playedBy: (one) => one.players.map(([name, times]) => `${name} ${number(times)}`).join(", "),
  times: (one) => number(one.times),
  of: (one, part) => `${number(one.times)} of ${number(part.places)} times, ${number(one.at_once)} of them at once`,
  won: (one) => (one.decided >= 10 ? `${Math.round((100 * one.won) / one.decided)} %` : one.decided ? `${one.won} of ${one.decided}` : ""),
  gamesOf: (part) => `${number(part.places)} ${part.places === 1 ? "time" : "times"} in ${number(part.games)} ${
    part.games === 1 ? "game" : "games"}; Black won ${number(part.black_won)}, White ${number(part.white_won)}`,
  gameThere: (game) => `${[game.date, game.event].filter(Boolean).join(", ")} ${game.black} – ${game.white} ${game.result}, move ${
    game.number}${game.next ? `: ${game.next}` : ""}${game.exchanged ? " (colours exchanged)" : ""}`,

  // The review
  graphSide: "How usual each move was",
  graph: (total) => `How usual each of ${total} moves was; click goes there`,
  graphNote: (total) => `${total} moves; the lines: Black's and White's mean of nine`,
  dot: (move, chance) => `${move.number} ${move.colour} ${move.vertex}: ${chance}`,
  unusual: "The most unusual moves",
  thePlayers: "The players",
  playerColumns: ["moves", "first choices", "log-evidence"],

  // The search of the game
  searchSide: "The search of the game",
  searchGame: "Search the game",
  searchOn: "Search on",
  depthLabel: "Simulations of each position",
  simulations: (n) => `${number(n)} simulations`,
  searchHint: "win rate and points of every move",
  searchGoes: (work) => `${number(work.done)} of ${number(work.of)} positions`,
  searchKnown: (known, all) => (known < all ? `${number(known)} of ${number(all)} positions are known` : "all positions are known"),
  leads: (known) => `Who leads by how much, and how likely Black wins, in ${number(known)} positions; click goes there`,
  ahead: (colour, points) => `${colour === "black" ? "B" : "W"} +${points}`,
  leadsShort: (simulations) => `points, win rate of Black; ${number(simulations)} simulations`,
  leadsNote: (simulations) => `points, and how likely Black wins; ${number(simulations)} simulations; bands: error; triangles: mistakes`,
  mistakesTitle: "Mistakes, as the search sees them",
  orderLabel: "First:",
  mistakeOrders: { points: "most points lost", usual: "most usual better move" },
  mistake: (one) => `${one.number} ${one.colour} ${one.vertex}: ${W.lost(one)} points`,
  lost: (one) => `−${one.points.toFixed(1)} ± ${one.error.toFixed(1)}`,
  betterWas: (one) => `${one.best} instead (${percent(one.probability)} usual); win rate ${points(-one.rate)} ± ${Math.round(100 * one.rateError)} %`,
  unsure: (unsure, sure, all) => `${sure} of ${all} moves lost more than the error. ${unsure === 1 ? "1 loss is" : `${unsure} losses are`} within it: the search cannot tell ${
    unsure === 1 ? "it" : "them"} from nothing.`,
  verdictTitle: "What the search says",
  verdict: (one, bar) => {
    const [side, sign] = one.lead >= 0 ? ["Black", 1] : ["White", -1];
    const rate = sign > 0 ? one.win_rate : 1 - one.win_rate;
    return `${side} leads by ${(sign * one.lead).toFixed(1)}${errorOf(bar * one.lead_error)} points and wins ${Math.round(100 * rate)}${
      errorOf(100 * bar * one.rate_error, 0)} % of ${number(one.simulations)} simulations.`;
  },
  lostBy: (vertex, one) => {
    if (one.own) return `${vertex} was played: the search plays it, too.`;
    const sum = `${Math.abs(one.points).toFixed(1)}${errorOf(one.error)} points`;
    if (one.points <= 0) return `${vertex} was played: by ${sum} no worse than ${one.best}.`;
    return `${vertex} was played: ${one.sure ? `a mistake, ${sum} worse than ${one.best}` : `${sum} worse than ${one.best}, which is within the error`}.`;
  },
  verdictColumns: (colour) => [capital(colour[0].toUpperCase()), "win rate", "points", "of"],
  rateOf: (one) => `${Math.round(100 * one.rate)}${errorOf(100 * one.rateError, 0)} %`,
  leadOf: (one) => `${one.lead >= 0 ? "+" : "−"}${Math.abs(one.lead).toFixed(1)}${one.leadError === null ? "" : errorOf(one.leadError)}`,
  visitsOf: (one) => number(one.visits),
  searchedLine: (line) => line.join(" "),
  sequence: (line, deep, again) => `Likely, by the ${!deep ? "model" : deep >= line.length ? "search" : `search, from ${deep + 1} by the model`}${
    again.length ? `; ${again.join(", ")}` : ""}: ${line.join(" ")}`,
  sequenceAgain: (count, first) => `${count} at ${first}`,

  // The record
  comment: "Comment",
  commentHint: "Write about this position",
  variations: "Variations",
  instead: (vertex) => `instead ${vertex ?? "…"}`,
  then: (vertex) => `then ${vertex ?? "…"}`,
  treeSide: "Tree of variations",
  treeLabel: (count) => `The tree of variations, ${count} nodes: a click goes to a move`,
  treeNode: (count, move) => (move ? `Move ${count}, ${W.colours[move.colour]} ${move.vertex}` : `After move ${count}, no move`),
  promote: "Promote",
  promoteLabel: "Move this variation up",
  remove: "Delete",
  removeLabel: "Delete this move and what follows",
  undo: "Undo delete",
  removed: (count) => `${count === 1 ? "1 move is" : `${count} moves are`} deleted: Undo delete brings them back.`,
  toolsLabel: "What a click on the board does",
  tools: { "": "Play a move", TR: "Triangle", SQ: "Square", CR: "Circle", MA: "Cross", LB: "Letter", N: "Number" },
  aboutLabel: "The game",
  about: {
    GN: "Name", EV: "Event", RO: "Round", PC: "Place", DT: "Date", KM: "Komi", RU: "Rules", HA: "Handicap", TM: "Time", OT: "Overtime",
    RE: "Result", AN: "Annotated by", SO: "Source", GC: "About it",
  },
  seconds: (count) => (count < 60 || count % 60 ? `${count} seconds` : count < 3600 || count % 3600 ? `${count / 60} minutes` : `${count / 3600} hours`),
  kept: "✓ Kept in this browser",
  keeping: "Keeping …",
  notKept: "Not kept: save the game",

  // The list of games
  games: "Games",
  gamesSearch: "Search for names, results, dates",
  ofFile: "Of this file",
  ofFolder: "Of the folder",
  ofBrowser: "Kept in this browser",
  unnamed: "A game without names",
  found: (count, all, most) => `${number(count)} of ${number(all)}${count > most ? `; the first ${most} are listed` : ""}`,

  // Guessing
  guessTitle: "Guess the move",
  guessNext: "Guess the next move.",
  nextMove: "Next move",
  forgetScore: "Begin the score again",
  scores: "Your guesses",
  scoreLabel: "Your guesses by stage",
  scoreColumns: ["guesses", "same move", "how usual"],
  all: "all",
  allStages: "of all stages",
  stageLabel: "Stage of the problems",
  problems: "Ten problems",
  hardOnes: (many) => `Hard ones again (${many})`,
  endSession: "End",
  problem: (place, all, right) => `Problem ${place} of ${all}, ${right} right`,
  noHard: "You have missed no problem yet.",
  noProblems: "No such problem was found in the games: choose all stages.",
  sessionKinds: { games: "problems", hard: "hard ones again" },
  sessionDone: (right, all) => `${right} of ${all} right.`,
  session: (when, one) => `${when}: ${one.right} of ${one.of} right, ${one.name}`,
  missed: (kind, seen, missed) => `${kind} (${missed} of ${seen})`,
  weak: (kinds) => `You miss most: ${kinds.join(", ")}. Half of the problems are of these kinds.`,
  noNext: "The game has no next move: open one, or go back.",
  whereNext: (colour) => `Where did ${colour} play next? Click the board.`,
  guessTold: (yours, played, same) => (yours.vertex === played.vertex ? `${yours.vertex}, as was played: `
    : same ? `${yours.vertex} is the same move on this board, turned or mirrored, as was played: `
      : `You: ${yours.vertex}, ${percent(yours.probability)}, number ${yours.rank}. Played: `)
    + `${played.vertex}, ${percent(played.probability)}, number ${played.rank}. It ${played.why}.${yours.reason ? ` ${yours.reason}.` : ""}`,

  // Playing
  playFrom: "Play from here",
  strengthLabel: "Opponent",
  you: "You are",
  black: "Black",
  white: "White",
  byLot: "Black or White, by lot",
  arrange: "New game…",
  hints: "Hints: usual moves, and what the engine thinks",
  sizeLabel: "Board",
  handicapLabel: "Handicap",
  noHandicap: "none",
  stones: (n) => `${n} stones`,
  komiLabel: "Komi",
  rulesLabel: "Rules",
  rules: { chinese: "Chinese (area)", japanese: "Japanese (territory)", "tromp-taylor": "Tromp-Taylor (area, all stones live)" },
  nameLabel: "Your name",
  student: "Student",
  withClock: "With a clock for you",
  mainLabel: "Main time, minutes",
  periodsLabel: "Byo-yomi periods",
  secondsLabel: "of seconds",
  beginGame: "Begin",
  engineName: (strength) => `Katachi, ${W.strength(strength)}`,
  match: (match, komi, level) => `You are ${W.colours[{ 1: "B", 2: "W" }[match.yours]]} against ${W.level(level ?? { name: match.strength })}. ${
    W.rules[match.rules]}, komi ${komi}.`,
  captured: ([, black, white], yours) => `Prisoners: you ${yours === 1 ? white : black}, Katachi ${yours === 1 ? black : white}.`,
  takeBack: "Undo",
  nothingBack: "You have not moved yet: there is nothing to undo.",
  resign: "Resign",
  enginePasses: "The engine passes. Pass, too, to end the game and count.",
  clockLabel: "Your clock",
  clock: ({ main, periods, period }) => (main > 0 ? `Your time: ${W.minutes(main)}${periods ? `, then ${periods} ${periods === 1 ? "period" : "periods"}` : ""}`
    : `Byo-yomi: ${W.minutes(period)}, ${periods} ${periods === 1 ? "period" : "periods"} left`),
  minutes: (seconds) => `${Math.floor(Math.ceil(seconds) / 60)}:${String(Math.ceil(seconds) % 60).padStart(2, "0")}`,
  timeUp: "Your time is up.",
  result: (result) => {
    const [, who, by] = /^([BW])\+(.*)$/.exec(result) ?? [];
    if (!who) return result === "0" ? "The game is a draw." : `Result: ${result}`;
    return `${capital(who)} wins ${{ R: "by resignation", T: "on time" }[by] ?? `by ${by} ${Number(by) === 1 ? "point" : "points"}`} (${result}).`;
  },
  countLabel: "The count",
  area: "Area",
  territory: "Territory",
  prisoners: "Prisoners and dead stones",
  sum: "Together",
  countHint: "Squares show whose each point is; a square on a stone means that the stone is dead. Tap stones to change that.",
  countAccept: "Accept the result",
  countOn: "Play on",
  countTold: (found) => `Both have passed. ${found.dead.length ? `Dead: ${found.dead.join(", ")}. ` : "No stone is dead. "}${W.result(found.result)}`,
  allAlive: "By these rules no stone is dead: play on, and take what you can.",
  engine: "Engine, move",
  stop: "Stop",
  thinking: "thinking …",
  stopped: "stopped",
  resigns: "The engine resigns.",
  over: "Both have passed: the game is over. Play on, or begin another one.",
  strength: (name) => (name === "pattern" ? "pattern player" : `${number(Number(name))} simulations`),
  level: (one) => `${W.strength(one.name)}${one.elo === undefined || !one.beside.startsWith("GNU") ? "" : ` (${W.signed(one.elo)} Elo)`}`,
  levelTold: (one) => (one?.elo === undefined ? "Its strength is not measured." : `About ${number(Math.abs(one.elo))} Elo ${
    one.elo < 0 ? "below" : "above"} ${/^GNU/.test(one.beside) ? one.beside : W.strength(one.beside)} on 9x9 (95 %: ${W.signed(one.low)} to ${
    W.signed(one.high)}), from ${number(one.games)} games.`),
  simulated: (found, turn, rate) => `${number(found.simulations)} of ${number(found.of)} simulations for ${capital(turn)}${
    rate ? `; ${capital(turn)} wins ${Math.round(100 * found.win_rate)} %` : ""}`,
  winsOf: (move) => `${Math.round(100 * move.win_rate)} % of ${number(move.visits)}`,

  // Games that come in and go out
  pasteTitle: "Paste a game (SGF)",
  pasteLabel: "The text of an SGF file",
  openIt: "Open it",
  close: "Close",
  tooLarge: (megabytes) => `The file has more than ${megabytes} MB, which no game record has: choose an SGF file.`,
  emptyLink: "The link holds no position that can be shown.",
  linkCopied: "The link to this position is copied, and stands in the address.",
  linkHere: "The link to this position stands in the address: copy it from there.",
  status: (code) => `the server answered ${code}`,
  serverGone: "The server does not answer: the page asks again by itself, and stepping through the game goes on. If you "
    + "have ended katachi study, start it again.",
  serverStopped: "The server stopped in the middle of its answer.",

  // Help
  helpBegin: "The blue circles show what strong players usually play: the darker, the more often, with percent of the "
    + "time. The move of the game has a black and white ring. Usual is not good: only the engine, "
    + "which searches, has an opinion about that.",
  helpEnd: "Click the board to try a move of your own; it becomes a variation. By touch, the first tap shows and "
    + "explains a move, the second plays it; two fingers enlarge the board. A game comes in by dropping its "
    + "file on the page, by Open, or by pasting its text.",
  keys: [
    [["←", "→"], "one move back, on"],
    [["Home", "End"], "to the beginning, to the end"],
    [["↑", "↓"], "other variations of this move"],
    [["m"], "move this variation up"],
    [["Delete"], "delete this move and what follows"],
    [["1", "…", "9"], "explain a usual move; once more plays it"],
    [["e"], "show what is likely to follow, or no more"],
    [["s", "r"], "usual moves; their rank in place of percent"],
    [["o", "n", "c"], "owners, move numbers, coordinates"],
    [["g", "p", "Esc"], "guess, play, study"],
    [["Enter"], "next move, while guessing"],
    [["?"], "this"],
  ],
};
