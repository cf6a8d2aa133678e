"""The player that searches: reproducible, within its budget and the rules, and what it reports."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from katachi.errors import KatachiError
from katachi.go.board import Board
from katachi.go.points import AREA, BLACK, PASS, WHITE, all_points
from katachi.go.position import Position
from katachi.patterns.catalogue import COULOM
from katachi.patterns.describe import describe
from katachi.patterns.families.position import GAMES
from katachi.patterns.features import Features, Watch
from katachi.search import engine
from katachi.search.engine import SLICE, SURE, SearchPlayer, search_player
from katachi.search.player import RESIGN, Budget, GameState
from katachi.search.prior import ModelPrior
from katachi.search.settings import PRESETS, SearchSettings
from katachi.search.tree import FORBIDDEN, ROOT, child_of
from tests.go.helpers import Oracle
from tests.search.twin import (
    EYES,
    FIXED,
    LIGHT,
    Whole,
    full_model,
    play_on,
    stones_of_game,
    wandered,
    whole,
)

Shares = npt.NDArray[np.float64]

MODEL = replace(FIXED, model_after=2)


def light(seed: int = 1, settings: SearchSettings = FIXED, threads: int = 1) -> SearchPlayer:
    return SearchPlayer(LIGHT, settings, threads=threads, memory_mb=8, seed=seed)


def played(one: SearchPlayer, two: SearchPlayer, size: int, moves: int) -> list[tuple[int, int]]:
    """The first moves of a game between two players."""
    position = Position(size)
    turn = {BLACK: one, WHITE: two}
    for _ in range(moves):
        choice = turn[position.to_move].choose(GameState(position), Budget(simulations=60))
        position.play(choice.move)
    return position.moves


def legal(position: Position, move: int) -> bool:
    return position.why_illegal(move, superko=True) == ""


# -- the same again -------------------------------------------------------------------------------


def test_one_thread_and_a_seed_give_the_same_game() -> None:
    first = played(light(3), light(4), 7, 16)
    assert played(light(3), light(4), 7, 16) == first
    assert played(light(5), light(4), 7, 16) != first


def test_the_same_game_with_a_model() -> None:
    def player(seed: int) -> SearchPlayer:
        return SearchPlayer(full_model(), MODEL, memory_mb=8, seed=seed)

    first = played(player(3), player(4), 5, 8)
    assert played(player(3), player(4), 5, 8) == first


def test_clear_begins_again() -> None:
    player, position = light(6), wandered(7, 3, 9)
    first = player.search(GameState(position), Budget(simulations=200))
    more = player.search(GameState(position), Budget(simulations=200))
    assert sum(visits for _, visits, _, _ in more.moves) > 200
    player.clear()
    again = player.search(GameState(position), Budget(simulations=200))
    assert again.moves == first.moves
    assert (again.black == first.black).all()


def test_the_position_is_left_as_it_is() -> None:
    position = wandered(9, 4, 20)
    before = position.board.copy()
    choice = light().choose(GameState(position), Budget(simulations=100))
    assert position.board == before
    assert choice.line[0] == choice.move
    assert choice.simulations == 100
    assert "simulations, 100 in all" in choice.comment


# -- what is kept from move to move ----------------------------------------------------------------


def taken_over(player: SearchPlayer, game: GameState) -> int:
    """The simulations that are known of a position before any new one."""
    player._take_over(game)
    return int(player._tree.visits[ROOT])


def searched() -> tuple[SearchPlayer, Position, int, int]:
    """A player, the position it has searched, its best move there and the best answer."""
    player, position = whole(FIXED, 2), wandered(7, 6, 10)
    player.search(GameState(position), Budget(simulations=600))
    first, second = player.choose(GameState(position), Budget(simulations=1)).line[:2]
    return player, position, first, second


def test_the_tree_is_kept_after_the_answer() -> None:
    player, position, first, second = searched()
    tree = player._tree
    one = child_of(tree, ROOT, first)
    assert one is not None
    two = child_of(tree, one, second)
    assert two is not None
    known = int(tree.visits[two])
    after = play_on(play_on(position, first), second)
    assert taken_over(player, GameState(after)) == known > 0
    found = player.search(GameState(after), Budget(simulations=50))
    assert found.simulations == 50
    assert player._tree.visits[ROOT] == known + 50
    assert found.moves[0][1] > 0


def test_the_same_position_again_goes_on() -> None:
    player, position, _, _ = searched()
    assert taken_over(player, GameState(position)) == 601
    assert taken_over(player, GameState(position.copy())) == 601
    assert taken_over(player, GameState(position, may_resign=False)) == 601


def test_what_does_not_fit_is_forgotten() -> None:
    _, position, first, second = searched()
    undone = position.copy()
    undone.undo()
    again = play_on(position, first)
    again.undo()
    twice = play_on(position, first)
    twice.play(second, colour=twice.moves[-1][0])
    flipped = position.copy()
    flipped.board.to_move = 3 - flipped.board.to_move
    same_stones = Position.from_stones(7, position.colors, position.to_move)
    unknown = play_on(position, first)
    for p in unknown.legal_moves():
        if p not in (second, PASS):
            unknown = play_on(play_on(unknown, p), PASS)
            break
    games = {
        "komi": (GameState(position, komi=0.5), 0),
        "rules": (GameState(position, rules="japanese"), 0),
        "cleanup": (GameState(position, cleanup=True), 0),
        "undone": (GameState(undone), 0),
        "the same after an undo": (GameState(again), 601),
        "one colour twice": (GameState(twice), 0),
        "the other colour to move": (GameState(flipped), 0),
        "the same stones by another way": (GameState(same_stones), 0),
        "another board": (GameState(Position(5)), 0),
        "a pass that was not thought of": (GameState(unknown), 0),
    }
    for what, (game, known) in games.items():
        player = searched()[0]
        assert taken_over(player, game) == known, what
        found = player.search(game, Budget(simulations=20))
        assert found.simulations == 20
        assert player._tree.visits[ROOT] == known + 20, what
        assert {move for move, *_ in found.moves} <= set(game.position.legal_moves(superko=True))


# -- budgets ---------------------------------------------------------------------------------------


def test_the_budget_in_simulations() -> None:
    game = GameState(Position(9))
    for count in (1, 7, SLICE):
        assert light().search(game, Budget(simulations=count)).simulations == count
    for count in (SLICE + 1, 300):
        assert whole(FIXED).search(game, Budget(simulations=count)).simulations == count
    own = replace(FIXED, simulations=33)
    assert light(1, own).search(GameState(Position(9)), Budget()).simulations == 33


# One black move takes all that White has.
TAKE = """
. . . . .
X X X X X
O O O O O
O X X X O
. X . X O
"""


def test_it_stops_early_only_if_the_answer_cannot_change() -> None:
    early = 0
    cases = [wandered(5, seed, 5 + seed) for seed in range(6)]
    cases += [Position.from_diagram(TAKE), wandered(7, 1, 30)]
    for seed, position in enumerate(cases):
        game = GameState(position)
        found = light(seed).search(game, Budget(simulations=1000))
        full = whole(FIXED, seed, memory_mb=8).search(game, Budget(simulations=1000))
        assert full.simulations == 1000
        assert found.moves[0][0] == full.moves[0][0]
        assert found.simulations <= 1000
        if found.simulations < 1000:
            early += 1
            visits = [*(n for _, n, _, _ in found.moves), 0]
            assert visits[0] - visits[1] > 1000 - found.simulations
    assert early >= 2


def test_stop_ends_it_at_once() -> None:
    stop = Event()
    stop.set()
    for threads, most in ((1, SLICE), (2, 10**5)):
        player = light(threads=threads)
        choice = player.choose(GameState(Position(9)), Budget(simulations=10**9), stop)
        assert choice.simulations <= most
        assert legal(Position(9), choice.move)


class Late(SearchPlayer):
    """A player whose threads are slow to start, as on a machine with much else to do."""

    def _some(self, *arguments: Any) -> None:
        time.sleep(0.2)
        super()._some(*arguments)


def test_a_stopped_search_has_a_move_all_the_same() -> None:
    stop = Event()
    stop.set()
    game = GameState(Position(9))
    for threads in (1, 2):
        for budget, event in ((Budget(simulations=10**9), stop), (Budget(longest=0.001), None)):
            player = Late(LIGHT, FIXED, threads=threads, memory_mb=8)
            choice = player.choose(game, budget, event)
            assert choice.simulations > 0
            assert choice.move != PASS


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_it_while_it_runs(threads: int) -> None:
    """By itself it would go on for hours."""
    stop = Event()

    class Stopped(SearchPlayer):
        slices = 0

        def _some(self, *arguments: Any) -> None:
            super()._some(*arguments)
            self.slices += 1
            if self.slices == 5:
                stop.set()

    player = Stopped(LIGHT, FIXED, threads=threads, memory_mb=8)
    choice = player.choose(GameState(Position(9)), Budget(simulations=10**9), stop)
    assert 0 < choice.simulations < 10**9


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_time_is_kept(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of our own, which goes on by 10 ms whenever it is looked at."""
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(ticks) / 100, sleep=time.sleep)
    monkeypatch.setattr(engine, "time", clock)
    game = GameState(Position(9))
    for budget in (Budget(seconds=0.5), Budget(seconds=0.5, longest=0.8), Budget(longest=0.8)):
        choice = light(threads=threads).choose(game, budget)
        longest = budget.longest or budget.seconds
        assert longest is not None
        assert 0 < choice.seconds < longest + 0.05
        assert choice.simulations > 0


# -- threads ---------------------------------------------------------------------------------------


def test_two_threads() -> None:
    player = Whole(LIGHT, FIXED, threads=2, memory_mb=8)
    position = wandered(9, 2, 10)
    for _ in range(20):
        known = taken_over(player, GameState(position))
        choice = player.choose(GameState(position), Budget(simulations=150))
        assert choice.simulations == 150
        # The threads share the tree without a lock: a simulation may be lost now and then.
        assert 0.8 * 150 < player._tree.visits[ROOT] - known < 1.2 * 150
        if choice.move == RESIGN:
            break
        assert legal(position, choice.move)
        position.play(choice.move)


def test_two_threads_with_a_model() -> None:
    player = SearchPlayer(full_model(), MODEL, threads=2, memory_mb=8)
    position = Position(7)
    for _ in range(4):
        choice = player.choose(GameState(position, may_resign=False), Budget(simulations=100))
        assert 0 < choice.simulations <= 100
        assert legal(position, choice.move)
        position.play(choice.move)


# -- the rules -------------------------------------------------------------------------------------


def banned(bottom: str, moves: str, place: str) -> tuple[Position, Whole, int]:
    """After these moves White may not play at `place`: the position, a player that has searched
    it, and the node of that move.
    """
    position = Position.from_diagram(EYES + bottom, to_move=WHITE)
    for name in moves.split():
        position.play(name)
    assert position.why_illegal(place) == ""
    assert position.why_illegal(place, superko=True) == "superko"
    player = whole(FIXED, 1)
    found = player.search(GameState(position, komi=-7.5), Budget(simulations=200))
    assert len(found.moves) > 0
    assert {move for move, *_ in found.moves} <= set(position.legal_moves())
    child = child_of(player.tree, ROOT, position.point(place))
    assert child is not None
    return position, player, child


def test_taking_back_what_repeats_is_forbidden() -> None:
    """White's B1 takes a stone, and the stones would stand as at the beginning."""
    position, player, child = banned(". O . O O", "A1 C1", "B1")
    assert player.tree.state[child] & FORBIDDEN
    assert player.tree.visits[child] == 0
    # In the middle of the tree, too: after White's B1 …
    begun = Position.from_diagram(EYES + ". O . O O", to_move=WHITE)
    begun.play("A1")
    tree = whole(replace(FIXED, expand_after=1), 1).simulate(GameState(begun), 300)
    node = child_of(tree, ROOT, begun.point("C1"))
    assert node is not None
    again = child_of(tree, node, begun.point("B1"))
    assert again is not None
    assert tree.state[again] & FORBIDDEN
    assert position.stone("B1") == 0


def test_a_move_that_takes_nothing_may_repeat_too() -> None:
    """White's A1 takes nothing, and the stones would stand as after its first B1."""
    _, player, child = banned("O . . O O", "B1 C1 B1 pass", "A1")
    assert player.tree.state[child] & FORBIDDEN
    assert player.tree.visits[child] == 0


def repeats_in_tiny_games() -> list[bool]:
    """Games on 2x2 and 3x3, to the end or to 60 moves, every position held against a plain list of
    all before: whether the move took stones, for each that repeated one.
    """
    found = []
    for size in (2, 3):
        for seed in range(8):
            position = Position(size)
            players = {BLACK: light(seed), WHITE: light(seed + 100)}
            while position.board.passes < 2 and len(position.moves) < 60:
                choice = players[position.to_move].choose(
                    GameState(position, komi=0.5, may_resign=False),
                    Budget(simulations=1 + seed % 4 * 15),
                )
                before = stones_of_game(position)
                taken = position.play(choice.move)  # raises if it is illegal
                if choice.move != PASS and bytes(position.board.color) in before:
                    found.append(taken > 0)
    return found


def test_games_on_tiny_boards_never_repeat() -> None:
    assert repeats_in_tiny_games() == []


def test_games_on_tiny_boards_never_repeat_by_taking_stones() -> None:
    assert not any(repeats_in_tiny_games())


# Nothing but own eyes is left: both sides can only pass.
SETTLED_BOARD = """
. X . X O . O
X X X X O O O
. X X X O O .
X X . X O O O
X . X X O . O
X X X X O O O
. X . X O . O
"""


def test_only_a_pass_is_left() -> None:
    for colour in (BLACK, WHITE):
        for rules in ("chinese", "japanese", "tromp-taylor"):
            position = Position.from_diagram(SETTLED_BOARD, colour)
            choice = light().choose(GameState(position, rules=rules), Budget(simulations=50))
            assert choice.move == PASS
            assert choice.simulations > 0


def test_a_finished_game() -> None:
    position = wandered(5, 3, 9)
    position.pass_()
    position.pass_()
    player = light()
    found = player.search(GameState(position), Budget(simulations=50))
    assert found.moves == []
    assert found.simulations == 50
    assert found.win_rate in (0, 1)
    assert player.choose(GameState(position, may_resign=False), Budget(simulations=50)).move == PASS


def test_the_smallest_board() -> None:
    for size in (2, 3):
        choice = light().choose(GameState(Position(size)), Budget(simulations=200))
        assert choice.move == RESIGN or legal(Position(size), choice.move)
    # The centre of 3x3 wins all of it.
    assert light().choose(GameState(Position(3), komi=3.5), Budget(simulations=2000)).move == (
        Position(3).point("B2")
    )


# -- resigning -------------------------------------------------------------------------------------


def test_it_resigns_when_it_is_lost() -> None:
    budget, position = Budget(simulations=200), Position(5)
    lost = GameState(position, komi=100)
    choice = light().choose(lost, budget)
    assert choice.move == RESIGN
    assert choice.win_rate == 0
    for game in (
        replace(lost, may_resign=False),
        replace(lost, cleanup=True),
        replace(lost, komi=-100),
    ):
        assert light().choose(game, budget).move != RESIGN
    assert light(1, replace(FIXED, resign=0.0)).choose(lost, budget).move != RESIGN
    # Not before it is sure.
    assert light().choose(lost, Budget(simulations=SURE - 1)).move != RESIGN
    white = play_on(position, position.point("C3"))
    assert light().choose(GameState(white, komi=-100), budget).move == RESIGN


def test_it_resigns_below_the_setting() -> None:
    game, budget = GameState(Position(5), komi=6.5), Budget(simulations=200)
    rate = light().choose(replace(game, may_resign=False), budget).win_rate
    assert rate is not None
    assert 0.05 < rate < 0.95
    for resign, gives_up in ((rate - 0.01, False), (rate + 0.01, True)):
        choice = light(1, replace(FIXED, resign=resign)).choose(game, budget)
        assert (choice.move == RESIGN) is gives_up


# -- models ----------------------------------------------------------------------------------------


def test_a_model_without_playout_gammas() -> None:
    bare = full_model(playout=False)
    with pytest.raises(KatachiError, match="the model has no playout gammas: train them by"):
        search_player(bare)
    # Uniform playouts need none.
    player = search_player(bare, memory_mb=4, settings={"playouts": "uniform"})
    choice = player.choose(GameState(Position(5)), Budget(simulations=30))
    assert legal(Position(5), choice.move)


def test_search_player_takes_settings_as_text() -> None:
    player = search_player(LIGHT, memory_mb=2, seed=5, settings={"preset": "patterns", "ucb": "1"})
    assert player.settings == replace(PRESETS["patterns"], ucb=1.0)
    with pytest.raises(KatachiError, match="there is no setting 'speed'"):
        search_player(LIGHT, settings={"speed": "1"})


# -- owners ----------------------------------------------------------------------------------------


def test_settled_ground_has_sure_owners() -> None:
    position = Position.from_diagram(SETTLED_BOARD)
    area = position.owners()
    for found in (light().owners(GameState(position)), full_owners(position)):
        for p in all_points(7):
            assert found[p] == (area[p] == BLACK)


def full_owners(position: Position) -> Shares:
    player = SearchPlayer(full_model(), MODEL, memory_mb=4)
    return player.owners(GameState(position))


# Both sides live; the white stones at B6 and B7 are dead and the black one at F2 too.
DEAD_STONES = """
. O . X O . O
. O . X O O O
X . X X O O .
X X . X O . O
. X X X O O O
X X X X O X .
. X . X O . .
"""


def test_owners_know_dead_stones() -> None:
    position = Position.from_diagram(DEAD_STONES)
    owners = light().owners(GameState(position))
    for place in ("B6", "B7", "A5", "D4"):
        assert owners[position.point(place)] > 0.9
    for place in ("F2", "E4", "G4"):
        assert owners[position.point(place)] < 0.1


def test_owners_know_dead_stones_after_two_passes() -> None:
    """GTP's final_score and final_status_list ask then."""
    position = Position.from_diagram(DEAD_STONES)
    position.pass_()
    position.pass_()
    owners = light().owners(GameState(position))
    assert owners[position.point("B6")] > 0.9
    assert owners[position.point("F2")] < 0.1


# All is settled but the black corner: who plays B7 first makes it live or die.
CORNER = """
. . . X O . O
X X X X O O O
O O O O O O .
. O O O O O O
O O O O O . O
O . O O O O O
O O O O O O O
"""


def test_criticality_is_highest_where_the_game_is_decided() -> None:
    position = Position.from_diagram(CORNER)
    # Each side wins if it gets the corner: 8 points of 49.
    game = GameState(position, komi=7 - 42 + 0.5)
    # The search must look at bad moves, too: were all of them good, nothing would be decided.
    wide = replace(PRESETS["no-patterns"], expand_after=5, ucb=10.0)
    found = whole(wide, 3).search(game, Budget(simulations=600))
    corner = [position.point(v) for v in ("A7", "B7", "C7", "D7", "A6", "B6", "C6", "D6")]
    critical = {p: found.criticality[p] for p in all_points(7)}
    rest = [critical[p] for p in critical if p not in corner]
    assert max(critical.values()) == critical[position.point("B7")]
    assert min(critical[p] for p in corner) > 0.2
    assert max(map(abs, rest)) < 0.01


# -- the owner feature in the tree -----------------------------------------------------------------


def owner_levels(position: Position, owned: Shares) -> dict[int, int]:
    features = Features(COULOM, owner=True)
    watch = Watch(features)
    watch.start(position.size)
    situation = watch.look(position.board)
    situation.owned = owned
    columns = describe(situation, features.families)
    owner = columns[[family.name for family in features.families].index("owner")]
    points = situation.candidates[: situation.count].tolist()
    return dict(zip(points, owner.tolist(), strict=True))


def test_levels_of_the_owner_family_from_shares() -> None:
    position = Position(5)
    shares = np.zeros(AREA)
    points = all_points(5)
    for k, level in ((0, 1), (7, 1), (8, 2), (15, 2), (16, 3), (31, 4), (32, 5), (55, 7), (56, 8)):
        shares[points] = k / GAMES
        shares[PASS] = 1.0
        assert owner_levels(position, shares) == {**dict.fromkeys(points, level), PASS: 0}
    shares[points] = 1.0
    assert set(owner_levels(position, shares).values()) == {0, 8}
    # Nearest count: 7.4 and 7.6 games of 63
    shares[points[0]], shares[points[1]] = 7.4 / GAMES, 7.6 / GAMES
    levels = owner_levels(position, shares)
    assert (levels[points[0]], levels[points[1]]) == (1, 2)


class Noted(ModelPrior):
    """A prior that remembers what it was asked."""

    asked: list[tuple[int, Shares | None]]

    def __call__(self, board: Board, owned: Shares | None) -> Shares:
        self.asked.append((int(board.to_move), owned))
        return super().__call__(board, owned)


def test_the_owner_feature_is_told_by_the_search() -> None:
    model = full_model(owner=True)
    player = SearchPlayer(model, MODEL, memory_mb=4, seed=2)
    game = GameState(wandered(5, 2, 6))
    player._take_over(game)
    noted = Noted(model, 5)
    assert noted.wants_owned
    noted.asked = []
    player._workers[0].prior = noted
    player.search(game, Budget(simulations=120))
    (_, first), *later = noted.asked
    assert first is None  # before any simulation there is nothing to tell
    assert len(later) > 5
    assert {mover for mover, _ in later} == {BLACK, WHITE}
    for _, owned in later:
        assert owned is not None
        assert np.all((owned >= 0) & (owned <= 1))
    # For the side to move: what is Black's is not White's.
    counts = player._sums()
    simulations, black = counts[0], counts[2 : 2 + AREA]
    for position in (game.position, play_on(game.position, PASS)):
        shares = player._owned(position.board)
        assert shares is not None
        for p in all_points(5):
            share = black[p] / simulations
            assert shares[p] == pytest.approx(share if position.to_move == BLACK else 1 - share)


def test_moves_are_legal_by_another_board() -> None:
    """All that the root thought of, by sgfmill."""
    for seed in range(4):
        position = wandered(7, seed, 35)
        oracle = Oracle.of(position.board)
        found = light(seed).search(GameState(position), Budget(simulations=100))
        allowed = set(oracle.legal_points(position.to_move))
        assert {move for move, *_ in found.moves} - {PASS} <= allowed
