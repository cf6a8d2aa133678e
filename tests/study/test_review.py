"""Reviews of games, and how they are written into the record."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from sgfmill import sgf

from katachi.go.points import PASS, row_col
from katachi.models.model import load_model
from katachi.records.record import parse_tree
from katachi.records.sgf import parse_games
from katachi.study.annotate import BEGIN, END, annotate, clean, percent
from katachi.study.opinion import Opinion
from katachi.study.review import players, review, stage_of, unusual
from katachi.study.searched import Searcher
from tests.games import bundled_sgfs
from tests.trained import games

AUTHORED = r"""(;FF[4]GM[1]SZ[9]KM[6.5]C[The author's \] words, with Euro: €]
;B[ee]C[a thought]LB[cc:A][gg:1];W[cc](;B[gc]TR[ee];W[cg];B[gg])
(;B[gg]C[a variation];W[gc]))""".encode()


def test_every_move() -> None:
    model = load_model()
    game = games(10, 11)[0]
    told: list[tuple[str, int, int]] = []
    moves = review(model, game, progress=lambda *news: told.append(news))
    assert len(moves) == len(game.moves) == len(told)
    assert told[-1] == ("reviewing", len(moves), len(moves))
    for m, (colour, p) in list(zip(moves, game.moves, strict=True))[::11]:
        opinion = Opinion(model, game.position(m.number - 1))
        assert (m.colour, m.move) == (colour, p)
        assert m.probability == opinion.probability(p)
        assert m.rank == opinion.rank(p)
        assert len(m.alternatives) == 3
        assert p not in [one.move for one in m.alternatives]
        if m.rank == 1:
            assert m.reason == ""
    least = unusual(moves, 5)
    assert [m.probability for m in least] == sorted(m.probability for m in least)
    assert all(m.rank > 1 for m in least)
    assert all(m.reason for m in least)
    rest = [m.probability for m in moves if m.rank > 1 and m not in least]
    assert max(m.probability for m in least) <= min(rest)


@pytest.mark.slow
def test_players() -> None:
    game = games(70, 71)[0]
    moves = review(load_model(), game)
    found = players(moves, game.size)
    black = [m for m in moves if m.colour == 1]
    assert found["black"]["moves"] == len(black)
    assert found["black"]["first_choices"] == sum(m.rank == 1 for m in black) / len(black)
    mean = sum(m.log_evidence for m in black) / len(black)
    assert found["black"]["mean_log_evidence"] == pytest.approx(mean)
    stages = found["black"]["stages"]
    assert sum(part["moves"] for part in stages.values()) == len(black)
    assert [stage_of(n, 19) for n in (1, 60, 61, 150, 151)] == [
        "opening",
        "opening",
        "middle game",
        "middle game",
        "endgame",
    ]
    assert stage_of(20, 9) == "middle game"


def test_written_back() -> None:
    """The author's words and all else stay; ours are replaced on a second run."""
    model = load_model()
    before = parse_tree(AUTHORED, "a.sgf")
    tree = parse_tree(AUTHORED, "a.sgf")
    moves = review(model, tree.game)
    once = annotate(tree, moves)
    again = annotate(parse_tree(once, "a.sgf"), moves)
    assert again == once
    read = sgf.Sgf_game.from_bytes(once)
    line = read.get_main_sequence()
    assert line[0].get("C").startswith("The author's ] words, with Euro: €\n\n" + BEGIN)
    assert line[1].get("C").startswith("a thought\n\n" + BEGIN)
    assert line[1].get("C").endswith(END)
    labels = dict(line[1].get("LB"))
    assert labels[(6, 2)] == "A"  # the author's
    assert labels[(2, 6)] == "1"
    assert line[3].get("TR") == {(4, 4)}
    # Without our blocks it is what it was
    plain = parse_tree(once, "a.sgf")
    for node in plain.nodes:
        clean(node, 9)
    for ours, theirs in zip(plain.nodes, before.nodes, strict=True):
        assert {k: v for k, v in ours.properties.items() if k != "CA"} == theirs.properties
    # Labels stand on the alternatives
    for number, m in enumerate(moves, 1):
        found = dict(line[number].get("LB")) if line[number].has_property("LB") else {}
        for p in (one.move for one in m.alternatives):
            if p != PASS:
                row, column = row_col(p)
                assert (8 - row, column) in found


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 40, 80, 120])
def test_reads_back_equal(number: int) -> None:
    """With sgfmill, and with our own reader: the same game."""
    name, data = list(bundled_sgfs().items())[number]
    tree = parse_tree(data, name)
    reviewed = annotate(tree, review(load_model(), tree.game))
    (one,), _ = parse_games(data, name)
    (two,), notices = parse_games(reviewed, name)
    assert not notices
    assert two.actions.tolist() == one.actions.tolist()
    assert (two.black, two.komi, two.result) == (one.black, one.komi, one.result)
    first, second = (sgf.Sgf_game.from_bytes(d) for d in (data, reviewed))
    moves = [[node.get_move() for node in g.get_main_sequence()] for g in (first, second)]
    assert moves[0] == moves[1]
    assert sgf.Sgf_game.from_bytes(second.serialise()).serialise() == second.serialise()


@pytest.mark.slow
@pytest.mark.needs("npm")
def test_read_by_sabaki(tmp_path: Path) -> None:
    """The npm package @sabaki/sgf, which Sabaki reads games with."""
    installed = subprocess.run(
        [shutil.which("npm") or "npm", "install", "--no-audit", "--no-fund", "@sabaki/sgf"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    if installed.returncode:
        pytest.skip("the npm package @sabaki/sgf cannot be installed here")
    name, data = list(bundled_sgfs().items())[100]
    tree = parse_tree(data, name)
    (tmp_path / "game.sgf").write_bytes(annotate(tree, review(load_model(), tree.game)))
    (tmp_path / "read.js").write_text(
        "const sgf = require('@sabaki/sgf');"
        "const [root] = sgf.parseFile('game.sgf');"
        "const out = [];"
        "for (let n = root; n; n = n.children[0]) out.push(n.data);"
        "console.log(JSON.stringify(out));"
    )
    done = subprocess.run(
        ["node", "read.js"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    nodes = json.loads(done.stdout)
    theirs = sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes()).get_main_sequence()
    assert len(nodes) == len(theirs)
    for node, own in zip(nodes, theirs, strict=True):
        assert node["C"][0] == own.get("C")
        assert len(node.get("LB", [])) == (len(own.get("LB")) if own.has_property("LB") else 0)


def test_the_engines_opinion() -> None:
    model = load_model()
    game = games(0, 1)[0]
    short, _ = parse_games(b"(;SZ[9]KM[7.5];B[ee];W[ge];B[gd])")
    moves = review(model, short[0], searcher=Searcher(model), simulations=150)
    assert game.size == 9
    for m in moves:
        assert m.best
        assert m.best_win_rate is not None
        assert 0 <= m.best_win_rate <= 1
        if m.best == m.vertex:
            assert m.win_rate == m.best_win_rate
    reviewed = annotate(parse_tree(b"(;SZ[9]KM[7.5];B[ee];W[ge];B[gd])", ""), moves)
    assert b"the search: " in reviewed


def test_percent() -> None:
    assert [percent(x) for x in (1, 0.1234, 0.00999, 0.0004)] == [
        "100.0%",
        "12.3%",
        "1.00%",
        "< 0.05%",
    ]
