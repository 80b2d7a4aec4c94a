"""How the fast path is compiled, and the few words of a processor that Python has no name for.

Where the environment says NUMBA_DISABLE_JIT=1, nothing is compiled: the same text is run as plain Python. It brings out
the same, some thousand times slower, but one can go through it step by step, see which lines are run, and change it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.extending import intrinsic, register_jitable

from rulebook.io.files import cache_folder

i64 = cast(Callable[[Any], int], np.int64)  #: a whole number of 64 bits
INTERPRETED = bool(config.DISABLE_JIT)  #: the fast path is not compiled, but run as it is written
LANES = 4 if INTERPRETED else 256  #: deals side by side; how many it is changes no result

Function = TypeVar("Function", bound=Callable[..., Any])


# ---- where compiled code is kept
ENGINE = Path(__file__).resolve().parents[1]
KEPT = 8  #: folders of compiled code, of as many states of the program


def fingerprint(folder: Path = ENGINE) -> str:
    """A short name for all that may stand in compiled code: it changes with any letter of the engine.

    The compiler by itself only asks whether the file of a function has changed, and not those of the functions that it
    calls, nor those from which it has taken numbers.
    """
    found = sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def cupboard(kept: Path, name: str) -> Path | None:
    """The folder of this state of the program, made if need be; None where nothing may be written."""
    folder = kept / name
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            tidy(kept)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def tidy(kept: Path) -> None:
    """Of the folders of earlier states of the program only the last few stay."""
    with suppress(OSError):
        for old in sorted(kept.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
            rmtree(old, ignore_errors=True)


@contextmanager
def keeping(folder: Path | None) -> Iterator[bool]:
    """Have the compiler keep its work in this folder; whether it can keep it at all."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = before


CUPBOARD = cupboard(
    (Path(config.CACHE_DIR) if config.CACHE_DIR else cache_folder()) / "compiled-reversis", fingerprint()
)


def compiled(function: Function) -> Function:
    """A function made into machine code when it is first called, and kept on the disk for the next time."""
    with keeping(CUPBOARD) as kept:
        return cast(Function, njit(cache=kept, nogil=True)(function))


# ---- ways of compiling


def inlined(function: Function) -> Function:
    """A small function that is made together with those that call it.

    Numba's own way of writing it out (`inline="always"`) is not used: with 0.68 it lost what stood behind a loop.
    """
    return cast(Function, njit(forceinline=True)(function))


def wrapping(function: Function) -> Function:
    """Marks where numbers may outgrow their 64 bits: what is too much falls off the upper end, and nobody is told."""
    return np.errstate(over="ignore")(function) if INTERPRETED else function


def shared(function: Function) -> Function:
    """A plain function of the readable path that compiled ones may call: one text for both."""
    return cast(Function, register_jitable(function))


def _count() -> Callable[[int], int]:
    """The processor's own way to count bits."""

    def typed(context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)]), arguments)

        return types.int64(types.int64), code

    return cast(Callable[[int], int], intrinsic(typed))


def counted(number: int) -> int:
    """The same in plain Python."""
    return (int(number) & (1 << 64) - 1).bit_count()


count = counted if INTERPRETED else _count()  #: how many bits are set


@inlined
def lowest(hand: int) -> int:
    """The place of the lowest bit that is set."""
    return count((hand & -hand) - 1)


@inlined
def chosen(hand: int, k: int) -> int:
    """The place of the k-th bit that is set, k counted from 0, found by halving."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = count(hand & ((1 << width) - 1))
        above = k >= below
        k = k - below if above else k
        hand = hand >> width if above else hand
        place = place + width if above else place
    return place
