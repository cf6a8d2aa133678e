"""Kernels that are compiled in two steps, so that LLVM works on each of them once.

Numba optimises a function, turns it into machine code, and then does so again, with all that it
calls, for every function that calls it: three floors up, the code of a ladder was optimised five
times. Here a kernel is first a *part*: typed and lowered to LLVM's language, which is all that
kernels that call it need. Only what Python calls is then made *whole*: linked with its parts,
optimised and turned into machine code, once. Both are cached, each in files of its own.

A kernel that is large, and called both by Python and by kernels, stands *apart*: it is made whole,
and kernels call it at its address.

This subclasses Numba's dispatcher and compiler: `tests/go/test_whole.py` tells what it relies on,
`katachi.go.kernel.TRIED` with which versions it works.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numba.core.caching
import numba.core.codegen
import numba.core.compiler
import numba.core.compiler_machinery
import numba.core.dispatcher
import numba.core.registry
import numba.core.typed_passes
from llvmlite import binding

OBJECTS: Final = 100_000  # new ones between two looks of the garbage collector, while compiling

# Half of Numba has types that are wrong; here it has none.
_core: Any = numba.core
caching, codegen, compiler = _core.caching, _core.codegen, _core.compiler
dispatcher, registry, typed_passes = _core.dispatcher, _core.registry, _core.typed_passes
register_pass = _core.compiler_machinery.register_pass
types = _core.types


class _PartLibrary(codegen.JITCodeLibrary):  # type: ignore[misc,name-defined]
    """Code to be linked into other code, as it was lowered; it never runs."""

    def finalize(self) -> None:
        """Link what it calls, and nothing else."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(typed_passes.NativeLowering):  # type: ignore[misc,name-defined]
    """Numba's lowering, into a library that does not run."""

    _name = "katachi_lower_part"

    def run_pass(self, state: Any) -> bool:
        """As Numba's."""
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        done: bool = super().run_pass(state)
        state.library.finalize()
        state.reload_init.extend(state.library._reload_init)  # once each: nothing else has added
        return done


class _Pipeline(compiler.CompilerBase):  # type: ignore[misc,name-defined]
    """Numba's passes, with our lowering."""

    def define_pipelines(self) -> list[Any]:
        """The one there is."""
        found = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        found.passes = [
            (_LowerPart, text) if one is typed_passes.NativeLowering else (one, text)
            for one, text in found.passes
        ]
        found._finalized = False
        found.finalize()
        return [found]


class _FrontEnd(dispatcher._FunctionCompiler):  # type: ignore[misc,name-defined]
    """Compiles parts."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_compile = True  # no machine code
        flags.no_cfunc_wrapper = True  # neither C calls it
        flags.no_cpython_wrapper = True  # nor Python
        return flags

    def compile(self, args: Any, return_type: Any) -> Any:
        """A part; its entry point is no more than a name for it."""
        found = super().compile(args, return_type)._replace(entry_point=object())
        found.target_context.insert_user_function(found.entry_point, found.fndesc, [found.library])
        return found


class _PartCacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc,name-defined]
    """Keeps parts, as LLVM's bitcode."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """The name of the part's files, beside those of the whole."""
        return f"part-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, found: Any) -> Any:
        """What is written."""
        found.fndesc.typemap = found.fndesc.calltypes = None
        return (
            found.library.name,
            found.library._final_module.as_bitcode(),
            found.fndesc,
            found.environment,
            found.signature,
            found.reload_init,
            tuple(found._find_referenced_environments()),
        )

    def rebuild(self, target: Any, written: Any) -> Any:
        """The part that was written."""
        name, bitcode, described, environment, signature, reload_init, environments = written
        for start in reload_init:
            start()
        library = _PartLibrary(target.codegen(), name)
        library._reload_init.update(reload_init)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_dynamic_globals()
        library._finalized = True
        return compiler.compile_result(
            typing_context=target.typing_context,
            target_context=target,
            entry_point=object(),
            typing_error=None,
            type_annotation="",
            library=library,
            call_helper=None,
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=described,
            environment=environment,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=environments,
        )


class _PartCache(caching.Cache):  # type: ignore[misc,name-defined]
    _impl_class = _PartCacheImpl


class _Part(registry.CPUDispatcher):  # type: ignore[misc,name-defined]
    """A kernel as other kernels call it."""

    def __init__(self, function: Any, locals: Any, options: Any) -> None:
        super().__init__(function, locals, options)
        self._compiler = _FrontEnd(function, self.targetdescr, options, self.locals, _Pipeline)

    def enable_caching(self) -> None:
        """As Numba's."""
        self._cache = _PartCache(self.py_func)

    def add_overload(self, found: Any) -> None:
        """As Numba's, but Python cannot call it."""
        self.overloads[tuple(found.signature.args)] = found


@contextmanager
def _little_collecting() -> Iterator[None]:
    """Numba makes millions of objects that live until a kernel is compiled: a fifth of the time
    would go into looking at them again and again.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], OBJECTS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _has_array(found: Any) -> bool:
    """Whether a type of Numba is an array, or a tuple with one in it."""
    if isinstance(found, types.BaseTuple):
        return any(map(_has_array, found.types))
    return isinstance(found, types.Array)


class _BackEnd(dispatcher._FunctionCompiler):  # type: ignore[misc,name-defined]
    """Makes parts whole."""

    part: _Part

    def compile(self, args: Any, _return_type: Any) -> Any:
        """The part with all that it calls, optimised, as machine code."""
        with _little_collecting():
            return self._whole(args)

    def _whole(self, args: Any) -> Any:
        self.part.compile(tuple(args))
        part = self.part.overloads[tuple(args)]
        if _has_array(part.signature.return_type):
            name = self.part.py_func.__name__
            raise TypeError(f"{name} gives an array back to Python: give it one to write to")
        target = part.target_context
        library = target.codegen().create_library(part.library.name)
        library.enable_object_caching()
        library._reload_init.update(part.library._reload_init)
        library._final_module.link_in(part.library._final_module, preserve=True)
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        wrapping = compiler._make_subtarget(self.targetdescr.target_context, flags)
        with wrapping.push_code_library(library):
            wrapping.create_cpython_wrapper(
                library, part.fndesc, part.environment, None, release_gil=True
            )
        library.finalize()
        entry = target.get_executable(library, part.fndesc, part.environment)
        whole = part._replace(library=library, entry_point=entry, metadata={})
        for environment in whole._find_referenced_environments():
            library.codegen.set_env(environment.env_name, environment)
        return whole


@dataclass(frozen=True)
class _Stands:
    """Called before code from the cache that calls a kernel apart is used: makes it stand there."""

    module: str
    name: str
    args: tuple[Any, ...]

    def __call__(self) -> None:
        getattr(import_module(self.module), self.name).stand(self.args)


class Whole(registry.CPUDispatcher):  # type: ignore[misc,name-defined]
    """A kernel as Python calls it; kernels get the part of it, or if it stands apart its address.
    Then it must be a name of its module, and have one signature.
    """

    def __init__(
        self, py_func: Any, locals: Any = None, targetoptions: Any = None, apart: bool = False
    ) -> None:
        super().__init__(py_func, locals, targetoptions)
        self.apart = apart
        self._standing: tuple[tuple[Any, ...], object] | None = None
        self.part = _Part(py_func, self.locals, self.targetoptions)
        self._compiler = _BackEnd(
            py_func, self.targetdescr, self.targetoptions, self.locals, compiler.Compiler
        )
        self._compiler.part = self.part

    def enable_caching(self) -> None:
        """As Numba's."""
        super().enable_caching()
        self.part.enable_caching()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """As Numba's, for the part."""
        return self.part.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """As Numba's, for the part. Called while the kernel that calls this one is lowered."""
        if not self.apart:
            return self.part.get_overload(sig)
        args = tuple(sig)
        key = self.stand(args)
        here = _Stands(self.py_func.__module__, self.py_func.__name__, args)
        self.targetctx.active_code_library._reload_init.add(here)
        return key

    def stand(self, args: tuple[Any, ...]) -> object:
        """Make it whole and tell LLVM its address; what stands for it in Numba's tables."""
        if self._standing is None:
            self.compile(args)
            whole = self.overloads[args]
            described = copy(whole.fndesc)
            described.mangled_name = f"{self.py_func.__module__}.{self.py_func.__name__}"
            address = whole.library.get_pointer_to_function(whole.fndesc.llvm_func_name)
            binding.add_symbol(described.mangled_name, address)
            self._standing = args, object()
            self.targetctx.insert_user_function(self._standing[1], described, [])
        known, key = self._standing
        if known != args:
            raise TypeError(f"{self.py_func.__name__} stands apart: it has one signature only")
        return key
