"""Code units: which there are, and what changes their keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.code_units import CodeUnit, find_units, read_units

CODE = '''\
"""A module."""
from __future__ import annotations

import os.path

LOW, HIGH = 1, 2
ORDER: tuple[int, ...] = (LOW, HIGH)
if LOW:
    import sys

@cached
def first(of: int = LOW) -> int:
    """The first."""
    def inner():
        return of
    return inner()


@frozen(slots=True)
class Hand(Base):
    """A hand."""

    cards: tuple[int, ...]
    size: int = 3

    @property
    def lowest(self): return min(self.cards)

    class Side: ...
'''
SPANS = [
    ("LOW, HIGH", 6, 6),
    ("ORDER", 7, 7),
    ("if LOW:", 8, 9),
    ("first", 11, 16),
    ("Hand", 19, 20),
    ("Hand.size", 24, 24),
    ("Hand.lowest", 26, 27),
    ("Hand.Side", 29, 29),
]


def keys(code: str) -> dict[str, str]:
    return {unit.name: unit.digest for unit in read_units(code)}


def test_units_are_functions_methods_heads_of_classes_and_other_statements() -> None:
    assert [(unit.name, unit.first, unit.last) for unit in read_units(CODE)] == SPANS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import os.path", "from elsewhere import os"),
        ("    import sys", "    from somewhere import (\n        x as sys,\n    )"),
        ("of: int = LOW) -> int", "of=LOW)"),
        ('"""The first."""', "# the first"),
        ('"""A hand."""', '"""Some cards."""'),
        ("size: int = 3", "size: float = 3"),
        ("lowest(self): return", "lowest(self) -> int:\n        return"),
        ("min(self.cards)", "(min( self.cards ))"),
    ],
)
def test_what_does_not_count_leaves_every_key(old: str, new: str) -> None:
    assert old in CODE
    assert keys(CODE.replace(old, new)) == keys(CODE)


@pytest.mark.parametrize(
    ("old", "new", "unit"),
    [
        ("1, 2", "1, 3", "LOW, HIGH"),
        ("import sys", "import platform", "if LOW:"),
        ("of: int = LOW", "of: int = HIGH", "first"),
        ("@cached", "@cached()", "first"),
        ("return of", "return -of", "first"),
        ("(Base)", "(Basis)", "Hand"),
        ("slots=True", "slots=False", "Hand"),
        ("size: int = 3", "size: int = True", "Hand.size"),
        ("@property", "@cached_property", "Hand.lowest"),
        ("min(", "max(", "Hand.lowest"),
    ],
)
def test_a_change_of_code_changes_the_key_of_its_own_unit_only(old: str, new: str, unit: str) -> None:
    before, after = keys(CODE), keys(CODE.replace(old, new))
    assert before.keys() == after.keys() and {name for name in before if before[name] != after[name]} == {unit}


def test_equal_methods_of_two_classes_are_two_units() -> None:
    one, other = (read_units(f"class {name}:\n    def size(self): return 3\n")[1] for name in ("One", "Other"))
    assert one.name == "One.size" and other.name == "Other.size" and one.digest != other.digest


def test_the_digest_is_the_same_for_every_version_of_python() -> None:
    """Receipts keep it: another way to compute it would void every verdict in them."""
    code = "def double(a: int, *, b=None):\n    return f'{a!r:>{b}}' if b else {**a, 'x': [2 * y for y in a]}\n"
    assert read_units(code) == (CodeUnit("double", "9e1ce65b2d92", 1, 2),)


def test_a_module_that_cannot_be_parsed_has_no_units(tmp_path: Path) -> None:
    (tmp_path / "engine" / "deal").mkdir(parents=True)
    (tmp_path / "engine" / "deal" / "play.py").write_text("A = 1\n", encoding="utf-8")
    (tmp_path / "engine" / "half.py").write_text("A = (\n", encoding="utf-8")
    units = find_units(tmp_path)
    assert [unit.name for unit in units["engine/deal/play.py"]] == ["A"] and units["engine/half.py"] == ()
