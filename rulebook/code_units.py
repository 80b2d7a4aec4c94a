"""Code units: the functions, methods and other statements of a program, each with a digest of its code.

A unit is a top-level function, a method, the head of a class, or any other statement of a module or class body, such as
a table. Its key is its qualified name and a digest of its normalised code. Comments, layout, annotations and docstrings
do not count, and of imports only the names that they bind: so moving a unit, or a module that it imports, leaves the
key as it is. Imports at the top, docstrings and fields without a default are no units.

Knows nothing of what is done with units. The digest does not depend on the version of Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path

UNIT_PACKAGES = ("engine", "lab/players", "lab/survey", "rulebook")  #: searched for the units that a receipt speaks of
IGNORED = {"annotation", "returns", "ctx", "kind", "type_comment"}  #: fields of the AST that change nothing at run time
EMPTY_TEXT = ast.dump(ast.Constant(""))
_MAX_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class CodeUnit:
    """One code unit, and the lines on which it stands."""

    name: str
    digest: str
    first: int
    last: int

    @property
    def key(self) -> str:
        """The qualified name and the digest, by which verdicts are kept."""
        return f"{self.name} {self.digest}"


@cache
def read_units(code: str) -> tuple[CodeUnit, ...]:
    """Return the units of a module in their order. Raises SyntaxError."""
    return tuple(unit for unit, _ in units_with_nodes(code))


def units_with_nodes(code: str) -> Iterator[tuple[CodeUnit, ast.stmt]]:
    """Yield the units of a module, each with its syntax tree; that of a class has no body. Raises SyntaxError."""
    return _units(ast.parse(code).body, "")


def find_units(home: Path) -> Mapping[str, tuple[CodeUnit, ...]]:
    """Return the units of every module below `home`, by path; a module that cannot be parsed has none."""
    paths = (path for package in UNIT_PACKAGES for path in sorted((home / package).rglob("*.py")))
    return {path.relative_to(home).as_posix(): _units_of_file(path) for path in paths}


def _units_of_file(path: Path) -> tuple[CodeUnit, ...]:
    try:
        return read_units(path.read_text("utf-8"))
    except (SyntaxError, ValueError):
        return ()


def _units(body: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[CodeUnit, ast.stmt]]:
    for node in body:
        if not isinstance(node, ast.Import | ast.ImportFrom) and not _says_nothing(node):
            name, last, code = f"{prefix}{_name(node)}", node.end_lineno or node.lineno, node
            if isinstance(node, ast.ClassDef):  # its body is made of units of their own
                last = max(node.lineno, _first_line(node.body[0]) - 1)
                code = ast.ClassDef(node.name, node.bases, node.keywords, [], node.decorator_list)
            digest = sha256(repr((name, normalise_syntax(code))).encode()).hexdigest()[:12]
            yield CodeUnit(name, digest, _first_line(node), last), code
        if isinstance(node, ast.ClassDef):
            yield from _units(node.body, f"{prefix}{node.name}.")


def _first_line(node: ast.stmt) -> int:
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _says_nothing(node: ast.stmt) -> bool:
    field_without_default = isinstance(node, ast.AnnAssign) and node.value is None
    return field_without_default or isinstance(node, ast.Pass) or _is_docstring(node)


def _is_docstring(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            name = ast.unparse(target).strip("()")
        case _:
            name = ast.unparse(node).splitlines()[0]
    return name if len(name) <= _MAX_NAME_LENGTH else f"{name[:_MAX_NAME_LENGTH]}..."


# ---- normalised code
def normalise_syntax(value: object) -> object:
    """Return a part of a syntax tree as nested tuples that are equal where two programs do the same."""
    if isinstance(value, list):
        return _normalise_list(value)
    if not isinstance(value, ast.AST):
        return repr(value)
    if isinstance(value, ast.JoinedStr):  # Python 3.12 puts an empty text behind a nested format
        value = ast.JoinedStr([one for one in value.values if ast.dump(one) != EMPTY_TEXT])
    fields = ((name, field) for name, field in ast.iter_fields(value) if name not in IGNORED)
    return type(value).__name__, *((name, normalise_syntax(field)) for name, field in fields if field not in (None, []))


def _normalise_list(values: Sequence[object]) -> tuple[object, ...]:
    found: list[object] = []
    for is_import, group in groupby(values, lambda value: isinstance(value, ast.Import | ast.ImportFrom)):
        kept = [value for value in group if not _is_docstring(value)]
        found += [("imports", _bound_names(kept))] if is_import else map(normalise_syntax, kept)
    return tuple(found)


def _bound_names(imports: Iterable[object]) -> tuple[str, ...]:
    aliases = (alias for node in imports for alias in getattr(node, "names", ()))
    return tuple(sorted(alias.asname or alias.name.partition(".")[0] for alias in aliases))
