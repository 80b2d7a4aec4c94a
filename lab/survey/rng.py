"""Random numbers that depend only on the seed, the deal and the draw.

So a deal is the same on every machine, in whatever order deals are played and in however many pieces. The numbers are
those of SplitMix64 (Steele, Lea and Flood 2014), one stream a deal. A draw of 32 bits is scaled to the number of
things to choose among; with at most 48 of them no chance is off by more than one part in eighty millions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lab.survey.jit import i64, jit_inline, wrap_overflow

SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)  #: the golden ratio in 64 bits
SPLITMIX_FIRST, SPLITMIX_SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFT_FIRST, _SHIFT_SECOND, _SHIFT_LAST, HALF = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW_BITS = np.uint64(0xFFFFFFFF)

#: which draws serve what, two cards to a draw: dealing, exchanging (three draws a seat), playing
DEALING, EXCHANGING, PLAYING = 0, 24, 40


@jit_inline
@wrap_overflow
def mix_bits(x: np.uint64) -> np.uint64:
    """Mix all bits of a number."""
    x = (x ^ (x >> _SHIFT_FIRST)) * SPLITMIX_FIRST
    x = (x ^ (x >> _SHIFT_SECOND)) * SPLITMIX_SECOND
    return x ^ (x >> _SHIFT_LAST)


@jit_inline
@wrap_overflow
def advance_stream(x: Any, steps: int) -> np.uint64:
    """Advance a stream by a number of steps."""
    return x + np.uint64(steps) * SPLITMIX_STEP


@jit_inline
def start_stream(seed: int, deal: int) -> np.uint64:
    """Start the stream of a deal."""
    return mix_bits(advance_stream(mix_bits(advance_stream(SPLITMIX_STEP, seed)), deal))


@jit_inline
def draw_pair(start: Any, at: int) -> np.uint64:
    """Draw one step of the stream: two draws of 32 bits, an even one and the next."""
    return mix_bits(advance_stream(start, at >> 1))


@jit_inline
def pick_half(both: np.uint64, odd: int) -> int:
    """Pick one of two draws."""
    return i64(both >> HALF) if odd & 1 else i64(both & _LOW_BITS)


@jit_inline
def draw_bits(start: Any, at: int) -> int:
    """Draw 32 bits by the number of the draw."""
    return pick_half(draw_pair(start, at), at)


@jit_inline
def scale_draw(draw: int, things: int) -> int:
    """Scale a draw to an index from 0 below a bound."""
    return (draw * things) >> 32
