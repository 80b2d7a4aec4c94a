"""Modules for the browser's Python: compiled, and never older than their sources."""

from __future__ import annotations

import io
import py_compile
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

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
    command = [sys.executable, "-S", "-I", "-c", LOADED, str(bundle)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.replace("package-b", "package-b").split()


@pytest.mark.release
def test_every_module_is_compiled_from_its_source() -> None:
    stale = list_stale_modules()
    assert not stale, f"{len(stale)} of {len(list_bundle_modules())}: python -m reversis.browser.python_bundle"
