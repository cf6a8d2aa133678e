"""One kernel for many families, made from their list.

Called one by one from Python they would take several times as long, since each call hands the board
over anew; and kernels that describe positions by themselves want one to call: the search asks for
thousands of positions a second. `made_of` writes the loop over the candidates once for each family
of a list, as the source of one function, and compiles that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from katachi.go.kernel import apart, at, int64, kernel
from katachi.patterns.catalogue import BUILT_IN, EXTENDED
from katachi.patterns.family import Family
from katachi.patterns.vocabulary.groups import WORD_FAMILIES

# write(context, candidates, n, wanted, out), see `made_of`
Writer = Callable[..., None]


def made_of(name: str, families: Sequence[Family], whole: bool = False) -> Writer:
    """A function, to be compiled, that writes the levels of all these families.

    It is called as `name(context, candidates, n, wanted, out)`, where the last of the n candidates
    is PASS. The levels go into out ([family, at least n]), a row to each family. Rows that are not
    wanted (bool[family]) stay as they are. `whole`: the families are of the position. PASS is the
    only candidate then, and all of them are asked about it.
    """
    known: dict[str, Any] = {"__name__": __name__, "at": at, "int64": int64}
    source = [f"def {name}(context, candidates, n, wanted, out):"]
    for k, family in enumerate(families):
        known[f"level{k}"] = family.level
        source.append(f"    if wanted[{k}]:")
        if family.prepare is not None:
            known[f"prepare{k}"] = family.prepare
            source.append(f"        prepare{k}(context)")
        asked = whole or family.of_pass
        if not asked:
            source.append(f"        out[{k}, n - 1] = 0")
        source += [
            f"        for i in range({'n' if asked else 'n - 1'}):",
            f"            out[{k}, at(i)] = level{k}(context, int64(candidates[at(i)]))",
        ]
    # Numba keeps what it has compiled by the file and the name of the function. The file is this
    # one: when the list, or a family, changes, so does the folder of all kernels.
    exec(compile("\n".join(source), __file__, "exec"), known)
    made: Writer = known[name]
    return made


# The families of the default model that ask for nothing but the board: those the search asks for.
TOGETHER: Final = tuple(f for f in EXTENDED.families if f.level is not None and not f.slow)
write_together = apart(made_of("write_together", TOGETHER))

# Those of the vocabulary.
write_words = kernel(made_of("write_words", WORD_FAMILIES))

# All others of our catalogues: compiled only where they are wanted.
OTHERS: Final = tuple(
    dict.fromkeys(
        family
        for catalogue in BUILT_IN
        for family in catalogue.families
        if family.level is not None and family not in (*TOGETHER, *WORD_FAMILIES)
    )
)
write_others = kernel(made_of("write_others", OTHERS))

# Those of the position.
WHOLE: Final = tuple(dict.fromkeys(f for c in BUILT_IN for f in c.position if f.level is not None))
write_whole = kernel(made_of("write_whole", WHOLE, whole=True))
