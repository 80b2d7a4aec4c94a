"""Modules for the browser's Python: compiled, and never older than their sources."""

from __future__ import annotations

import dataclasses
import io
import marshal
import py_compile
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from reversis.browser import python_bundle
from reversis.browser.python_bundle import (
    BUNDLE_TIMESTAMP,
    COMPILED_MODULES,
    PACKAGES_FOLDER,
    build_python_bundle,
    list_bundle_modules,
    list_stale_modules,
)

#: Modules of an edition that says a word, and where each word comes from.
API = "from engine.one import ONE\nfrom engine.two import TWO\nSAYS = ONE + TWO\n"
SMALL = {
    "reversis/__init__.py": "",
    "reversis/browser/__init__.py": "",
    "reversis/browser/api.py": API,
    "reversis/browser/dataclass_methods.py": "# nothing here",
    "engine/__init__.py": "",
    "engine/one.py": "ONE = 'a'\n",
    "engine/two.py": "TWO = 'b'\n",
}
LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
from reversis.browser import api
print(api.SAYS, *sorted(name for name, module in sys.modules.items() if module.__spec__ and
    str(module.__spec__.origin).startswith(sys.argv[1]) and module.__spec__.origin.endswith(".py")))
"""


def test_the_bundle_is_the_same_whenever_it_is_made_and_has_every_module_in_one_form() -> None:
    bundle = build_python_bundle()
    assert bundle == build_python_bundle()
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        names = archive.namelist()
        assert {entry.date_time for entry in archive.infolist()} == {BUNDLE_TIMESTAMP}
        sources = [name for name in names if name.endswith(".py")]
        assert all(archive.read(name) == (PACKAGES_FOLDER / name).read_bytes() for name in sources)
    assert sources == list(list_stale_modules())
    assert {name.removesuffix("c") for name in names} >= {*list_bundle_modules()} and len(names) == len({*names})


def test_a_module_compiled_from_another_source_is_stale(tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.zip"
    with zipfile.ZipFile(COMPILED_MODULES) as archive, zipfile.ZipFile(compiled, "w") as into:
        for name in archive.namelist():
            code = archive.read(name)
            into.writestr(name, code[:8] + bytes(8) + code[16:] if name == "engine/cards.pyc" else code)
    assert {*list_stale_modules(compiled)} - {*list_stale_modules()} <= {"engine/cards.py"}
    assert "engine/cards.py" in list_stale_modules(compiled)


@pytest.mark.parametrize(
    "edit, says, sources",
    [
        ({}, "ab", []),
        ({"engine/one.py": "ONE = 'new'\n"}, "newb", ["engine.one"]),
        (
            {"reversis/browser/api.py": f"from engine.three import THREE\n{API}", "engine/three.py": "THREE = 3\n"},
            "ab",
            ["engine.three", "reversis.browser.api"],
        ),
        (
            {"engine/one.py": "", "engine/one/__init__.py": "ONE = 'package-'\n"},
            "package-b",
            ["engine.one"],
        ),
    ],
)
def test_python_takes_the_bytecode_only_of_the_very_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: Mapping[str, str], says: str, sources: list[str]
) -> None:
    before = lay_modules(tmp_path / "before", SMALL)
    compiled = compile_here(before, tmp_path / "compiled.zip")
    after = lay_modules(tmp_path / "after", {**SMALL, **edit})
    assert load_bundle(after, compiled, monkeypatch) == [says, *sources]


def test_a_package_that_has_become_a_module_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = {"engine/one/__init__.py": "ONE = 'package'\n"}
    before = lay_modules(
        tmp_path / "before", {**{path: SMALL[path] for path in SMALL if path != "engine/one.py"}, **package}
    )
    compiled = compile_here(before, tmp_path / "compiled.zip")
    after = lay_modules(tmp_path / "after", SMALL)
    assert load_bundle(after, compiled, monkeypatch)[0] == "ab"


#: Loads two records out of an archive; says what they come to, and how often Python had to compile text.
RECORDS = """
import sys
sys.path.append(sys.argv[2])
sys.path.insert(0, sys.argv[1])
from reversis.browser.dataclass_methods import use_compiled_methods
texts = []
sys.addaudithook(lambda event, found: texts.append(found) if event == "compile" and found[1] == "<string>" else None)
use_compiled_methods(sys.argv[1])
import records
print(records.One(1) == records.One(1), records.Two(2), len(texts))
"""
TWO_RECORDS = "from dataclasses import dataclass\n" + "".join(
    f"@dataclass(frozen=True)\nclass {name}:\n    'A record.'\n    number: int\n" for name in ("One", "Two")
)


@pytest.mark.parametrize("known", ["all", "none", "no file"])
def test_methods_of_records_are_compiled_only_where_the_archive_lacks_them(tmp_path: Path, known: str) -> None:
    codes: dict[str, CodeType] = {}

    def note(text: str, *names: Any) -> None:
        codes[text] = compile(text, "<string>", "exec")
        exec(text, *names)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataclasses, "exec", note, raising=False)
        exec(TWO_RECORDS, {"__name__": __name__})
    archive = tmp_path / "bundle.zip"
    with zipfile.ZipFile(archive, "w") as into:
        into.writestr("records.py", TWO_RECORDS)
        if known != "no file":
            into.writestr("reversis/browser/dataclass_methods.marshal", marshal.dumps(codes if known == "all" else {}))
    equal, two, texts = run_alone(RECORDS, archive, PACKAGES_FOLDER)
    assert (equal, two) == ("True", "Two(number=2)") and codes
    assert (int(texts) == 0) == (known == "all")


def lay_modules(folder: Path, modules: Mapping[str, str]) -> Path:
    """Write modules into a folder; one without a word is left out unless it is a package."""
    for path, source in modules.items():
        if source or path.endswith("__init__.py"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(source, encoding="utf-8")
    return folder


def compile_here(folder: Path, compiled: Path) -> Path:
    """Compile modules as the browser's Python does, by this one."""
    with zipfile.ZipFile(compiled, "w") as into:
        for path in sorted(folder.rglob("*.py")):
            code = f"{path}c"
            py_compile.compile(str(path), code, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
            into.write(code, f"{path.relative_to(folder).as_posix()}c")
    return compiled


def load_bundle(folder: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Import the bundle of a folder; return what it says, and the modules that were loaded from their sources."""
    monkeypatch.setattr(python_bundle, "PACKAGES_FOLDER", folder)
    bundle = folder / "bundle.zip"
    bundle.write_bytes(build_python_bundle(compiled))
    return run_alone(LOADED, bundle)


def run_alone(program: str, *paths: Path) -> list[str]:
    """Run a program in a Python of its own; return the words that it prints."""
    command = [sys.executable, "-S", "-I", "-c", program, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.release
def test_every_module_is_compiled_from_its_source() -> None:
    stale = list_stale_modules()
    assert not stale, f"{len(stale)} of {len(list_bundle_modules())}: python -m reversis.browser.python_bundle"
