"""Where compiled code is kept: never where it might outlive a change of the program, and nowhere if nothing can be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numba import njit

from lab.survey import jit as compiling
from lab.survey.jit import (
    ENGINE,
    INTERPRETED,
    MAX_CACHE_FOLDERS,
    fingerprint_engine_files,
    open_compile_cache,
    prune_compile_cache,
)

#: asks of a small compiled function what another file than its own decides: whether a heart may be laid away
ASKS = """
import numpy as np
from lab.survey.encode_rules import PLAY_RULES_WIDTH
from lab.survey.play_single import is_exchange_legal
swaps = np.full((8, 1), 255, np.uint8)
swaps[0] = 16
print(is_exchange_legal(np.zeros(PLAY_RULES_WIDTH + 11, np.int64), np.ones((4, 1), np.int64), 0, swaps))
"""


def asked(house: Path, kept: Path, **more: str) -> str:
    """What a fresh process says that takes the program from this folder."""
    env = {key: value for key, value in os.environ.items() if key not in ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT")}
    env |= {"PYTHONPATH": str(house), "XDG_CACHE_HOME": str(kept), "PYTHONDONTWRITEBYTECODE": "1", **more}
    done = subprocess.run([sys.executable, "-c", ASKS], env=env, cwd=house, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def house(tmp_path: Path) -> Path:
    for name in ("engine", "rulebook"):
        ignored = shutil.ignore_patterns("__pycache__", "*.json", "*.yaml")
        shutil.copytree(ENGINE.parent / name, tmp_path / "house" / name, ignore=ignored)
    return tmp_path / "house"


def files(folder: Path, pattern: str = "*") -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob(pattern) if path.is_file()}


@pytest.mark.release
def test_what_another_file_says_is_compiled_anew(house: Path, tmp_path: Path) -> None:
    before, kept = files(house), tmp_path / "kept"
    assert asked(house, kept) == "False"
    assert asked(house, kept) == "False"
    assert files(house) == before  # nothing is written beside the program, which may lie where nobody may write
    (first,) = kept.rglob("compiled-reversis/*")
    assert files(first, "*.nbi")
    changed = house / "engine" / "survey" / "play_batch.py"
    text = changed.read_text(encoding="utf-8")
    assert text.count("    hearts = hand & HEARTS_MASK\n") == 1
    changed.write_text(
        text.replace("    hearts = hand & HEARTS_MASK\n", "    hearts = i64(0)\n    hand = hand | 65536\n").replace(
            "hand & ~HEARTS_MASK |", "hand |"
        ),
        encoding="utf-8",
    )
    assert asked(house, kept) == "True"
    assert len([path for path in first.parent.iterdir() if files(path, "*.nbi")]) == 2


@pytest.mark.slow
def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(house: Path, tmp_path: Path) -> None:
    barred, before = tmp_path / "barred", files(house)
    barred.write_text("a file, no folder", encoding="utf-8")
    assert asked(house, barred) == "False"
    assert files(house) == before


def test_any_letter_of_the_engine_makes_another_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "survey").mkdir()
    one, other = tmp_path / "play.py", tmp_path / "survey" / "lots.py"
    one.write_text("ACE = 12\n", encoding="utf-8")
    other.write_text("", encoding="utf-8")
    first = fingerprint_engine_files(tmp_path)
    os.utime(one, (0, 0))
    (tmp_path / "notes.txt").write_text("of no account", encoding="utf-8")
    assert fingerprint_engine_files(tmp_path) == first
    one.write_text("ACE = 11\n", encoding="utf-8")
    second = fingerprint_engine_files(tmp_path)
    one.rename(tmp_path / "plays.py")
    assert len({first, second, fingerprint_engine_files(tmp_path), fingerprint_engine_files()}) == 4


def test_the_last_few_folders_stay(tmp_path: Path) -> None:
    for age in range(MAX_CACHE_FOLDERS + 4):
        (tmp_path / f"old-{age}").mkdir()
        os.utime(tmp_path / f"old-{age}", (1000 - age, 1000 - age))
    assert open_compile_cache(tmp_path, "new") == tmp_path / "new"
    assert {path.name for path in tmp_path.iterdir()} == {
        "new",
        *(f"old-{age}" for age in range(MAX_CACHE_FOLDERS - 1)),
    }
    assert open_compile_cache(tmp_path, "old-0") == tmp_path / "old-0"
    assert len([*tmp_path.iterdir()]) == MAX_CACHE_FOLDERS


def test_a_cupboard_that_another_process_makes_at_the_same_moment_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not there when one looked, and is there when one would make it."""
    real, looked = Path.is_dir, list[Path]()

    def too_early(path: Path) -> bool:
        if looked or path.name != "new":
            return real(path)
        looked.append(path)
        path.mkdir()
        return False

    monkeypatch.setattr(Path, "is_dir", too_early)
    assert open_compile_cache(tmp_path, "new") == tmp_path / "new" == looked[0]


def test_what_cannot_be_taken_away_does_not_keep_what_is_older_still(tmp_path: Path) -> None:
    names = [*(f"kept-{age}" for age in range(MAX_CACHE_FOLDERS)), "no folder", "old"]
    for age, name in enumerate(names):
        if name == "no folder":
            (tmp_path / name).write_text("", encoding="utf-8")
        else:
            (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    prune_compile_cache(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*names} - {"old"}


def test_where_there_is_no_folder_there_is_no_cupboard(tmp_path: Path) -> None:
    barred = tmp_path / "barred"
    barred.write_text("", encoding="utf-8")
    assert open_compile_cache(barred, "new") is None
    assert open_compile_cache(barred / "below", "new") is None


def test_what_is_compiled_here_lies_in_the_cupboard() -> None:
    from lab.survey.counting import count_moved_counters

    if INTERPRETED:  # nothing is compiled here
        assert not hasattr(count_moved_counters, "_cache")
    elif compiling.COMPILE_CACHE is None:
        assert not hasattr(count_moved_counters, "_cache") or count_moved_counters._cache.cache_path is None
    else:
        assert Path(count_moved_counters._cache.cache_path).is_relative_to(compiling.COMPILE_CACHE)  # type: ignore[attr-defined]


# ---- the words of the processor
HANDS = (0, 0b1011, (1 << 63) - 1, 0x1FFF_0000, -1, -2, 0x0123_4567_89AB_CDEF, *(1 << at for at in range(64)))


def compiled_here(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled for this test alone, and kept nowhere; as it is, where nothing is compiled."""
    return cast(Callable[..., Any], njit(function))


def test_bits_are_counted_and_found_by_their_number() -> None:
    """Compiled or not: numbers are of 64 bits, the highest of them the sign."""
    counted, last, nth = (compiled_here(one) for one in (bits_of, lowest_of, nth_of))
    for hand in HANDS:
        number = np.array([hand & (1 << 64) - 1], np.uint64).astype(np.int64)[0]
        places = [at for at in range(64) if hand >> at & 1]
        assert counted(number) == len(places)
        assert compiling.count_bits_in_python(number) == len(places)
        if 0 < hand < 1 << 63:
            assert last(number) == places[0]
            assert [nth(number, k) for k in range(len(places))] == places


def bits_of(hand: int) -> int:
    return compiling.count_bits(hand)


def lowest_of(hand: int) -> int:
    return compiling.find_lowest_bit(hand)


def nth_of(hand: int, k: int) -> int:
    return compiling.find_kth_bit(hand, k)


def test_what_is_too_much_falls_off_the_upper_end() -> None:
    twice = compiled_here(compiling.wrap_overflow(doubled))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert twice(np.int64(1 << 62)) == -(1 << 63)
        assert twice(np.int64(-(1 << 63))) == 0


def doubled(number: int) -> int:
    return number + number
