"""`library.yaml`: the name of a library, its words where pages need any, and the game that is played by its rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulebook.io.files import read_once
from rulebook.io.strict_yaml import read_yaml
from rulebook.problems import Problem
from rulebook.schema.reference_records import LibraryRecord
from rulebook.schema.validation import validate_record

SETTINGS_FILE = "library.yaml"
_read_settings_file = read_once(4)(read_yaml)  #: the game is asked for before anything else is read


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """Settings of a library, as `library.yaml` has them; where there is no such file, nothing."""

    title: str = ""
    tagline: str = ""  #: the library in a few words; {sources} stands for the number of its sources
    subtitle: str = ""  #: the same on the cover of the book
    example: str = ""  #: a word for which readers search, in the field for it
    about: str = ""  #: a paragraph on the edition, for catalogues that list it
    publisher: str = ""
    citation: str = ""  #: file that says how the edition is cited, in the folder of the library or in the one above
    licence: str = ""  #: of texts and data, by its SPDX identifier
    languages: str = ""  #: of the sources, in two letters each, with commas; the first is offered for a new one
    game: str = ""
    groups: Mapping[str, str] = _NO_WORDS  #: group of questions -> its title
    affects: Mapping[str, str] = _NO_WORDS  #: what the answer to a question may change -> the same in words


def read_settings(root: Path) -> tuple[LibrarySettings, list[Problem]]:
    """Read the settings of a library, and what is wrong with them."""
    path = root / SETTINGS_FILE
    if not path.is_file():
        return LibraryRecord(), []
    raw, positions, problems = _read_settings_file(path, f"{root.name}/{SETTINGS_FILE}")
    if problems or not isinstance(raw, Mapping):
        return LibraryRecord(), [*problems] or [positions.where(()).problem("holds no settings", "write `title: ...`")]
    read = {key: validate_record(LibraryRecord, {key: value}, positions, ()) for key, value in raw.items()}
    kept = {key: raw[key] for key, (record, _) in read.items() if record}
    return LibraryRecord.model_validate(kept), [fault for _, faults in read.values() for fault in faults]
