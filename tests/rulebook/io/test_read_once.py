"""A file is read once for as long as it is the same, by whichever reader."""

from __future__ import annotations

import os
from pathlib import Path

from rulebook.io.files import read_once


def test_a_file_is_read_again_once_its_time_or_its_size_has_changed(tmp_path: Path) -> None:
    path, read = tmp_path / "x", list[str]()

    @read_once(8)
    def letters(path: Path, name: str) -> str:
        read.append(name)
        return path.read_text(encoding="utf-8") if path.exists() else ""

    assert [letters(path, "a"), letters(path, "a")] == ["", ""] and read == ["a"]
    path.write_text("one", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert [letters(path, "a"), letters(path, "a"), letters(path, "b")] == ["one"] * 3 and read == ["a", "a", "b"]
    path.write_text("longer", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert letters(path, "a") == "longer"
    path.write_text("as long", encoding="utf-8")
    os.utime(path, ns=(2, 2))
    assert letters(path, "a") == "as long"
    path.unlink()
    assert letters(path, "a") == ""
    assert letters.__name__ == "letters"
