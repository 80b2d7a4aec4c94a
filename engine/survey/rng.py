"""The lot: every draw is a number that depends on the seed, on the deal and on which draw of the deal it is.

So a deal is the same on every machine, in whatever order deals are played and in however many pieces. The numbers are
those of SplitMix64 (Steele, Lea and Flood 2014), one stream a deal. A draw of 32 bits is scaled to the number of
things to choose among; with at most 48 of them no chance is off by more than one part in eighty millions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.survey.jit import i64, inlined, wrapping

STEP = np.uint64(0x9E3779B97F4A7C15)  #: the golden ratio in 64 bits
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
A, B, C, HALF = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)

#: which draws serve what, two cards to a draw: dealing, exchanging (three draws a seat), playing
DEALING, EXCHANGING, PLAYING = 0, 24, 40


@inlined
@wrapping
def mixed(x: np.uint64) -> np.uint64:
    """A number with all its bits stirred."""
    x = (x ^ (x >> A)) * FIRST
    x = (x ^ (x >> B)) * SECOND
    return x ^ (x >> C)


@inlined
@wrapping
def onwards(x: Any, steps: int) -> np.uint64:
    """A number so many steps further on."""
    return x + np.uint64(steps) * STEP


@inlined
def start(seed: int, deal: int) -> np.uint64:
    """Where the stream of a deal begins."""
    return mixed(onwards(mixed(onwards(STEP, seed)), deal))


@inlined
def drawn(start: Any, at: int) -> np.uint64:
    """One step of the stream: two draws of 32 bits, an even one and the odd one after it."""
    return mixed(onwards(start, at >> 1))


@inlined
def half(both: np.uint64, odd: int) -> int:
    """One of two draws."""
    return i64(both >> HALF) if odd & 1 else i64(both & LOW)


@inlined
def draw(start: Any, at: int) -> int:
    """A draw by its number."""
    return half(drawn(start, at), at)


@inlined
def scaled(draw: int, things: int) -> int:
    """A draw as the number of one of so many things, from 0."""
    return (draw * things) >> 32
