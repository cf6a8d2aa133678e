"""docs/proverbs.md, from what `katachi proverbs --json` printed of professionals and of amateurs.

python -m tools.proverb_page PROFESSIONALS.json AMATEURS.json > docs/proverbs.md
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from katachi.evaluation.proverbs.proverbs import PROVERBS, Proverb

_HEAD = """\
# Proverbs

What players do with the proverbs of the game. Each is a question to game records: in positions in
which its move and a rival can be played, how often is it played rather than the rival? The odds are
those of one such move against one rival in the same position (Mantel and Haenszel's estimate): 2
says that it is played twice as often, 1 that it makes no difference. The interval (95 %) comes from
drawing whole games again. A proverb is *followed* if its interval lies on the side of 1 that the
proverb says. This tells what players do, not what wins.

The moves and the rivals are words of [the vocabulary](vocabulary.md), where nothing else is said.
The moves may be anywhere on the board, except where *near* is said: within three lines of the last
move. So an old hane that nobody has played counts as often as it could have been. In the diagrams
`X` is to move, `*` is the proverb's move, `@` the opponent's last one.

Measured by `katachi proverbs ../shared/data/{0} --even --json --games {1}` (professionals) and
`katachi proverbs ../shared/data/{2} --even --json --games {3}` (amateurs of 6 dan and stronger on
KGS). This page is printed by `python -m tools.proverb_page`.
"""
PROFESSIONALS, AMATEURS = "pro-train-20000.tar.xz", "amateur-large-kgs.tar.xz"


def page(first: dict[str, Any], second: dict[str, Any]) -> str:
    """The page. Both must be of these proverbs, in any order."""
    head = _HEAD.format(PROFESSIONALS, first["games"], AMATEURS, second["games"])
    found = [{one["key"]: one for one in each["proverbs"]} for each in (first, second)]
    rows = ["| proverb | professionals | amateurs |", "| --- | ---: | ---: |"]
    for proverb in PROVERBS:
        rows.append(
            f"| {proverb.text} | {' | '.join(_odds(each[proverb.key]) for each in found)} |"
        )
    sections = [_section(proverb, *(each[proverb.key] for each in found)) for proverb in PROVERBS]
    return "\n".join([head, *rows, "", *sections])


def _odds(one: dict[str, Any]) -> str:
    if one["odds"] is None or one["interval"] is None:
        return "–"
    low, high = one["interval"]
    return f"{one['odds']:.2f} ({low:.2f}–{high:.2f})"


def _section(proverb: Proverb, first: dict[str, Any], second: dict[str, Any]) -> str:
    told = [
        f"- {who}: {one['cases']:,} cases, its move {one['played']:,} times, "
        f"{proverb.other} {one['instead']:,} times; odds {_odds(one)}: {one['verdict']}."
        for who, one in (("professionals", first), ("amateurs", second))
    ]
    return f"## {proverb.text}\n\n```\n{proverb.diagram}\n```\n\n" + "\n".join(told) + "\n"


def main() -> None:
    first, second = (json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:3])
    sys.stdout.write(page(first, second))


if __name__ == "__main__":
    main()
