"""JIT compilation of the survey, and bit operations that Python has no name for.

Where the environment says NUMBA_DISABLE_JIT=1, nothing is compiled: the same text is run as plain Python. It brings out
the same, some thousand times slower, but one can go through it step by step, see which lines are run, and change it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir

from rulebook.io.files import cache_folder, make_private_folder, require_private_folder

#: Numba takes settings from a file of this name in the current folder, which a stranger may have laid there: where the
#: code it unpickles is kept, what to write. It is imported elsewhere, and looks for no such file afterwards.
_SETTINGS_FILE = ".numba_config.yaml"
with chdir(Path(__file__).parent) if os.path.lexists(_SETTINGS_FILE) else nullcontext():
    from numba import config, njit, types
    from numba.extending import intrinsic, register_jitable
config._config_fname = os.devnull

i64 = cast(Callable[[Any], int], np.int64)  #: a whole number of 64 bits
INTERPRETED = bool(config.DISABLE_JIT)  #: the fast path is not compiled, but run as it is written
LANES = 4 if INTERPRETED else 256  #: deals side by side; how many it is changes no result

Function = TypeVar("Function", bound=Callable[..., Any])


# ---- where compiled code is kept
#: Compiled code comes from these.
ENGINE, LAB = (Path(__file__).resolve().parents[2] / room for room in ("engine", "lab"))
MAX_CACHE_FOLDERS = 8  #: folders of compiled code, of as many states of the program


def fingerprint_engine_files(*folders: Path) -> str:
    """Fingerprint all that may end up in compiled code, any change of engine and lab, or of the *folders* given.

    The compiler by itself only asks whether the file of a function has changed, and not those of the functions that it
    calls, nor those from which it has taken numbers.
    """
    digest = sha256()
    for folder in folders or (ENGINE, LAB):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def open_compile_cache(kept: Path, name: str) -> Path | None:
    """Open or create the cache folder of this program state; None if nothing may be written, or others can write."""
    folder = kept / name
    try:
        make_private_folder(kept)
        if not folder.is_dir():
            make_private_folder(folder)
            prune_compile_cache(kept)
        require_private_folder(folder)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def prune_compile_cache(kept: Path) -> None:
    """Delete all but the latest cache folders."""
    with suppress(OSError):
        for old in sorted(kept.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[MAX_CACHE_FOLDERS:]:
            rmtree(old, ignore_errors=True)


@contextmanager
def use_compile_cache(folder: Path | None) -> Iterator[bool]:
    """Make the compiler cache in this folder; yields whether it can cache at all."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = before


COMPILE_CACHE = open_compile_cache(
    (Path(config.CACHE_DIR) if config.CACHE_DIR else cache_folder()) / "compiled-reversis", fingerprint_engine_files()
)


def jit_compile(function: Function) -> Function:
    """Compile a function when it is first called, and cache it on disk."""
    with use_compile_cache(COMPILE_CACHE) as kept:
        return cast(Function, njit(cache=kept, nogil=True)(function))


# ---- ways of compiling


def jit_inline(function: Function) -> Function:
    """Compile a small function into those that call it.

    Numba's own way of writing it out (`inline="always"`) is not used: with 0.68 it lost what stood behind a loop.
    """
    return cast(Function, njit(forceinline=True)(function))


def wrap_overflow(function: Function) -> Function:
    """Let 64-bit numbers wrap on overflow, without a warning."""
    return np.errstate(over="ignore")(function) if INTERPRETED else function


def jit_share(function: Function) -> Function:
    """Let compiled functions call a plain function of the readable path."""
    return cast(Function, register_jitable(function))


def _count() -> Callable[[int], int]:
    """The processor's own way to count bits."""

    def typed(context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)]), arguments)

        return types.int64(types.int64), code

    return cast(Callable[[int], int], intrinsic(typed))


def count_bits_in_python(number: int) -> int:
    """Count the bits that are set, in plain Python."""
    return (int(number) & (1 << 64) - 1).bit_count()


count_bits = count_bits_in_python if INTERPRETED else _count()  #: how many bits are set


@jit_inline
def find_lowest_bit(hand: int) -> int:
    """Find the position of the lowest bit that is set."""
    return count_bits((hand & -hand) - 1)


@jit_inline
def find_kth_bit(hand: int, k: int) -> int:
    """Find the position of the k-th bit that is set, counted from 0, by halving."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = count_bits(hand & ((1 << width) - 1))
        above = k >= below
        k = k - below if above else k
        hand = hand >> width if above else hand
        place = place + width if above else place
    return place
