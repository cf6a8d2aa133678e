"""`prefetch`: ask the processor to bring a row of a table into its cache, and go on.

For kernels that know early which rows of a large table they want later. With versions of Numba that
this was not tried with, nothing is asked: how LLVM writes the name of the instruction has changed
before.
"""

from __future__ import annotations

from typing import Any

import numba
import numba.core.cgutils
import numba.core.types
from llvmlite import ir
from numba.extending import intrinsic

from katachi.go.kernel import TRIED

_core: Any = numba.core  # half of Numba has types that are wrong
_INT32 = ir.IntType(32)


def _prefetch(_typing: Any, table: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not numba.__version__.startswith(TRIED):
            return context.get_dummy_value()
        kind = signature.args[0]
        found = context.make_array(kind)(context, builder, args[0])
        number = context.cast(builder, args[1], signature.args[1], _core.types.intp)
        first = context.get_constant(_core.types.intp, 0)
        pointer = _core.cgutils.get_item_pointer(
            context, builder, kind, found, [number, first], wraparound=False
        )
        place = builder.bitcast(pointer, _core.cgutils.voidptr_t)
        hint = ir.FunctionType(ir.VoidType(), [place.type, _INT32, _INT32, _INT32])
        call = _core.cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        # to be read; to be kept in all caches; data
        builder.call(call, [place, _INT32(0), _INT32(3), _INT32(1)])
        return context.get_dummy_value()

    return _core.types.void(table, row), generate


# prefetch(table, row): bring the first line of table[row], of two dimensions. Nothing changes. A
# row that is not there does no harm, but costs more than it saves.
prefetch: Any = intrinsic(_prefetch)
