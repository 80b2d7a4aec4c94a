"""Files that programs keep with the sources: what the pages could not show is refused when it is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reversis.files.attributions import MAY_PLAY, TAKEN, TURNED_OUTCOMES, read_causes
from reversis.files.separations import load_separations, read_partings, verify_parting
from reversis.files.surveys import read_surveys
from reversis.words.certainty import SETTLEMENT_HEADINGS, UPSHOT_WORDINGS
from rulebook.model import Library
from rulebook.sources.paths import find_sources

Spoil = Callable[[Any], object]

READ: dict[str, Callable[[Path, Library], tuple[object, list[Any]]]] = {
    "attributions.json": read_causes,
    "separating.json": read_partings,
    "survey/random.json": read_surveys,
}


def first(some: list[dict[str, Any]], *keys: str) -> dict[str, Any]:
    return next(one for one in some if all(one.get(key) for key in keys))


def turn(data: dict[str, Any]) -> dict[str, Any]:
    return next(one for each in data["found"] for one in each.get("turned", ()) if one["what"] == "may-play")


def latent(data: dict[str, Any]) -> dict[str, Any]:
    return next(one for one in data["partings"] if one["verdict"] == "latent")


def versus(data: dict[str, Any]) -> dict[str, Any]:
    return data["tables"][0]["others"][0]  # type: ignore[no-any-return]


SPOILT: list[tuple[str, str, Spoil]] = [
    ("attributions.json", "turned what", lambda data: turn(data).update(what="nonsense")),
    ("attributions.json", "turned what without a trick", lambda data: turn(data).pop("trick")),
    ("attributions.json", "turned what without a seat", lambda data: turn(data).pop("seat")),
    ("attributions.json", "turned seat", lambda data: turn(data).update(seat="nobody")),
    ("attributions.json", "states", lambda data: data["found"][0].update(states=["x", "y"])),
    (
        "attributions.json",
        "adds",
        lambda data: first(data["found"], "causes")["causes"][0].update(adds={"nobody": "3"}),
    ),
    ("attributions.json", "difference", lambda data: data["found"][0].update(difference={"nobody": 3})),
    ("attributions.json", "joined", lambda data: first(data["found"], "causes")["causes"][0].update(joined="nonsense")),
    ("separating.json", "how", lambda data: first(data["partings"], "deal").update(how=["zzz"])),
    ("separating.json", "alike", lambda data: data["sets"][0].update(alike=[["zzz"]])),
    ("separating.json", "alike to nothing", lambda data: data["sets"][0].update(alike=[["ACA", "ACA.i99"]])),
    ("separating.json", "effective without a deal", lambda data: first(data["partings"], "deal").pop("deal")),
    ("separating.json", "effective without a base", lambda data: first(data["partings"], "deal").pop("base")),
    ("separating.json", "effective for others", lambda data: first(data["partings"], "deal").update(base="PAR")),
    ("separating.json", "latent with a deal", lambda data: first(data["partings"], "deal").update(verdict="latent")),
    ("separating.json", "latent made effective", lambda data: latent(data).update(verdict="effective")),
    ("separating.json", "pool", lambda data: next(iter(data["deals"].values())).update(pool={"XYZ": {"stake": 1}})),
    ("survey/random.json", "events", lambda data: data["tables"][0]["events"].pop()),
    ("survey/random.json", "net", lambda data: data["tables"][0]["net"].pop()),
    ("survey/random.json", "squares", lambda data: data["tables"][0]["squares"].append(0)),
    ("survey/random.json", "steps", lambda data: versus(data).update(steps=[])),
]


@pytest.mark.release
@pytest.mark.parametrize(("file", "spoil"), [(file, spoil) for file, _, spoil in SPOILT], ids=[s[1] for s in SPOILT])
def test_what_a_page_could_not_show_is_refused(tmp_path: Path, library: Library, file: str, spoil: Spoil) -> None:
    data = json.loads((find_sources() / file).read_text(encoding="utf-8"))
    spoil(data)
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    found, problems = READ[file](tmp_path, library)
    assert not found and problems and all(problem.what and problem.line and problem.way_out for problem in problems)
    assert {problem.file for problem in problems} == {f"{tmp_path.name}/{file}"}


@pytest.mark.slow
@pytest.mark.parametrize("file", READ)
def test_what_is_stored_is_read(library: Library, file: str) -> None:
    found, problems = READ[file](find_sources(), library)
    assert found and problems == []


def test_what_is_stored_of_a_deal_that_has_changed_since_may_name_its_old_seats(
    tmp_path: Path, library: Library
) -> None:
    data = json.loads((find_sources() / "attributions.json").read_text(encoding="utf-8"))
    data["found"][0].update(difference={"nobody": 3}, seal="sha256:0")
    (tmp_path / "attributions.json").write_text(json.dumps(data), encoding="utf-8")
    assert read_causes(tmp_path, library)[1] == []


@pytest.mark.parametrize("gone", [{"base": "ZZZ"}, {"giver": "ZZZ"}, {"session": ("gone",), "deal": ""}])
def test_a_parting_of_what_has_been_withdrawn_separates_no_more(library: Library, gone: dict[str, Any]) -> None:
    """A stored file may name what has a tombstone; its page shows the parting without a diagram."""
    store = load_separations(library)
    assert store is not None
    one = next(parting for parting in store.partings if parting.deal)
    assert verify_parting(library, store, one) is not None
    assert verify_parting(library, store, one.model_copy(update=gone)) is None
    assert verify_parting(library, store, one.model_copy(update=gone), {}) is None


def test_every_word_for_what_turns_out_has_english() -> None:
    assert {*TURNED_OUTCOMES} == {MAY_PLAY, TAKEN, *SETTLEMENT_HEADINGS, *UPSHOT_WORDINGS}
