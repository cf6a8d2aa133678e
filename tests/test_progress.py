from __future__ import annotations

from katachi.progress import named, silent, stage


def test_names_and_stages() -> None:
    heard: list[tuple[str, int, int]] = []

    def hear(what: str, done: int, total: int) -> None:
        heard.append((what, done, total))

    named(hear, "all games")("reading", 1, 2)
    stage(hear, "measuring")("anything", 3, 4)
    stage(named(hear, "a"), "b")("c", 5, 0)
    assert heard == [("all games: reading", 1, 2), ("measuring", 3, 4), ("a: b", 5, 0)]
    silent("anything", 1, 2)
