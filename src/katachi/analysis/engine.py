"""KataGo's JSON analysis protocol, which KaTrain and others speak: a query to a line, in any order,
answered line by line with its id.

    {"id": "a", "moves": [["B", "Q16"]], "rules": "chinese", "komi": 7.5, "boardXSize": 19,
     "boardYSize": 19, "maxVisits": 500, "analyzeTurns": [0, 1], "includeOwnership": true}

Queries wait in order of priority, then of arrival; several are worked on at once, each by a player
of its own. Win rates, leads and owners are Black's, unless `overrideSettings` say otherwise.
"""

from __future__ import annotations

import heapq
import itertools
import json
import math
import time
from collections.abc import Callable
from threading import Condition, Event, Lock, Thread
from typing import Any, Final

from katachi import __version__
from katachi.analysis.query import KNOWN, BadQuery, Query, queries_of
from katachi.analysis.snapshots import Analysis, snapshot, thinking
from katachi.errors import KatachiError
from katachi.go.points import BLACK, PASS, WHITE, all_points, vertex
from katachi.search.engine import SearchPlayer
from katachi.search.player import Budget
from katachi.study.opinion import Opinion

LONGEST_LINE: Final = 1_000_000  # characters of a query


class AnalysisEngine:
    """Answers queries; `write` gets each answer as a line of JSON, from any thread."""

    def __init__(
        self, build: Callable[[int], SearchPlayer], write: Callable[[str], None], workers: int = 1
    ) -> None:
        self._build = build
        self._write = write
        self._lock = Lock()
        self._some = Condition()
        self._waiting: list[tuple[int, int, Query]] = []
        self._active: dict[int, Query] = {}
        self._order = itertools.count()
        self._closing = False
        self._clears = 0
        self._threads = [
            Thread(target=self._work, args=(n,), daemon=True, name=f"analysis-{n}")
            for n in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, line: str) -> None:
        """Take a line of input: a query, or an action."""
        if not line.strip():
            return
        name = None
        try:
            data = _parsed(line)
            name = data.get("id")
            if not isinstance(name, str):
                raise BadQuery("id", "Request must have an id, which is a text")
            if "action" in data:
                self._act(name, data)
                return
            queries = queries_of(data)
        except BadQuery as error:
            answer: dict[str, Any] = {"error": str(error)}
            if error.name:
                answer["field"] = error.name
            if isinstance(name, str):
                answer["id"] = name
            self._say(answer)
            return
        for unknown in sorted(data.keys() - KNOWN):
            self._say({"warning": "Unexpected or unused field", "field": unknown, "id": name})
        with self._some:
            for priority, query in queries:
                heapq.heappush(self._waiting, (-priority, next(self._order), query))
            self._some.notify_all()

    def close(self) -> None:
        """Finish all that waits, then end."""
        with self._some:
            self._closing = True
            self._some.notify_all()
        for thread in self._threads:
            thread.join()

    def stop(self) -> None:
        """End at once: what waits is dropped."""
        with self._some:
            self._waiting.clear()
            for query in self._active.values():
                query.ended.set()
        self.close()

    # -- actions -------------------------------------------------------------------------------

    def _act(self, name: str, data: dict[str, Any]) -> None:
        action = data["action"]
        if action == "query_version":
            self._say(
                {
                    "id": name,
                    "action": action,
                    "version": __version__,
                    "git_hash": "",
                    "name": "Katachi",
                }
            )
        elif action == "query_models":
            self._say({"id": name, "action": action, "models": []})
        elif action == "clear_cache":
            with self._some:
                self._clears += 1
            self._say({"id": name, "action": action})
        elif action in ("terminate", "terminate_all"):
            turns = data.get("turnNumbers")
            whole = isinstance(turns, list) and all(isinstance(t, int) for t in turns)
            if turns is not None and not whole:
                raise BadQuery("turnNumbers", "Must be a list of whole numbers")
            target = data.get("terminateId")
            if action == "terminate" and not isinstance(target, str):
                raise BadQuery("terminateId", "Must be a text")
            self._terminate(target if action == "terminate" else None, turns)
            echoed = ("terminateId", "turnNumbers")
            told: dict[str, Any] = {key: data[key] for key in echoed if key in data}
            self._say({"id": name, "action": action, **told})
        else:
            raise BadQuery("action", f"there is no action {str(action)[:30]!r}")

    def _terminate(self, target: str | None, turns: list[int] | None) -> None:
        def meant(query: Query) -> bool:
            return (target is None or query.id == target) and (turns is None or query.turn in turns)

        with self._some:
            dropped = [query for *_, query in self._waiting if meant(query)]
            self._waiting = [entry for entry in self._waiting if not meant(entry[2])]
            heapq.heapify(self._waiting)
            for query in self._active.values():
                if meant(query):
                    query.ended.set()
        for query in dropped:
            self._say_nothing(query)

    # -- work ----------------------------------------------------------------------------------

    def _work(self, number: int) -> None:
        player: SearchPlayer | None = None
        clears = 0
        while True:
            with self._some:
                while not self._waiting and not self._closing:
                    self._some.wait()
                if not self._waiting:
                    return
                *_, query = heapq.heappop(self._waiting)
                self._active[number] = query
                stale, clears = clears != self._clears, self._clears
            try:
                if player is None:
                    player = self._build(number)
                if stale:
                    player.clear()
                self._answer(player, query)
            except KatachiError as error:
                self._say({"error": str(error), "id": query.id, "turnNumber": query.turn})
            except Exception as error:
                words = f"internal error: {type(error).__name__}: {error}"[:300]
                self._say({"error": words, "id": query.id, "turnNumber": query.turn})
            finally:
                with self._some:
                    del self._active[number]

    def _answer(self, player: SearchPlayer, query: Query) -> None:
        if query.ended.is_set():
            self._say_nothing(query)
            return
        if query.avoid:
            player.clear()
            player.forbid(query.game, query.avoid)
        stop = Event()
        budget = Budget(simulations=query.visits)
        with thinking(player, query.game, stop, budget) as goes_on:
            due = math.inf if query.every is None else time.monotonic() + query.every
            while goes_on(min(0.05, max(due - time.monotonic(), 0.0))):
                if query.ended.is_set():
                    stop.set()
                if query.every is not None and time.monotonic() >= due:
                    due += query.every
                    self._report(player, query, True)
        self._report(player, query, False)
        if query.avoid:
            player.clear()

    def _report(self, player: SearchPlayer, query: Query, during: bool) -> None:
        found = snapshot(player, query.game)
        if found.lines or not during:
            self._say(answer_of(query, found, during, player))

    def _say_nothing(self, query: Query) -> None:
        self._say(
            {"id": query.id, "turnNumber": query.turn, "isDuringSearch": False, "noResults": True}
        )

    def _say(self, answer: dict[str, Any]) -> None:
        with self._lock:
            self._write(json.dumps(answer))


def _parsed(line: str) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise BadQuery("", f"a query of more than {LONGEST_LINE:,} characters")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        words = " ".join(str(error).split())[:100]
        raise BadQuery("", f"Could not parse as JSON: {words}") from None
    if not isinstance(data, dict):
        raise BadQuery("", "Request line was valid JSON but was not an object")
    return data


def answer_of(query: Query, found: Analysis, during: bool, player: SearchPlayer) -> dict[str, Any]:
    """The answer to a query, with KataGo's names."""
    position = query.game.position
    size, own = position.size, position.to_move
    turn = {"BLACK": own == BLACK, "WHITE": own == WHITE}.get(query.side, True)

    def rate(value: float) -> float:
        return round(value if turn else 1.0 - value, 6)

    def signed(value: float) -> float:
        return round(value if turn else -value, 4)

    moves = []
    for order, line in enumerate(x for x in found.lines if x.move not in query.avoid):
        win = rate(line.win_rate)
        info: dict[str, Any] = {
            "move": vertex(line.move, size),
            "visits": line.visits,
            "winrate": win,
            "scoreMean": signed(line.lead),
            "scoreLead": signed(line.lead),
            "scoreSelfplay": signed(line.lead),
            "scoreStdev": round(line.deviation, 4),
            "utility": round(2 * win - 1, 6),
            "utilityLcb": round(2 * rate(line.lower) - 1, 6),
            "lcb": rate(line.lower),
            "prior": round(line.prior, 6),
            "order": order,
            "pv": [vertex(p, size) for p in line.moves],
        }
        if query.line_visits:
            info["pvVisits"] = list(line.visits_of)
        moves.append(info)
    answer: dict[str, Any] = {
        "id": query.id,
        "turnNumber": query.turn,
        "isDuringSearch": during,
        "moveInfos": moves,
        "rootInfo": {
            "currentPlayer": "B" if own == BLACK else "W",
            "visits": found.visits,
            "winrate": rate(found.win_rate),
            "scoreLead": signed(found.lead),
            "scoreSelfplay": signed(found.lead),
            "scoreStdev": round(found.deviation, 4),
            "utility": round(2 * rate(found.win_rate) - 1, 6),
        },
    }
    if query.ownership:
        answer["ownership"] = [signed(float(share)) for share in found.owners]
    if query.policy:
        chances = Opinion(player.model, position).probabilities
        policy = [round(chances.get(p, -1.0), 8) for p in all_points(size)]
        answer["policy"] = [*policy, round(chances[PASS], 8)]
    return answer
