"""How the fast path is compiled, and the few words of a processor that Python has no name for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, register_jitable

i64 = cast(Callable[[Any], int], np.int64)  #: in compiled code a whole number of 64 bits

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """A function made into machine code when it is first called, and kept on the disk for the next time."""
    return cast(Function, njit(cache=True, nogil=True)(function))


def inlined(function: Function) -> Function:
    """A small function that is made together with those that call it.

    Numba's own way of writing it out (`inline="always"`) is not used: with 0.68 it lost what stood behind a loop.
    """
    return cast(Function, njit(forceinline=True)(function))


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


count = _count()  #: how many bits are set


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
