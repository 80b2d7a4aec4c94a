"""`check` and what is kept beside the sources: a change by hand is noticed in it, or makes no sense."""

from __future__ import annotations

import json
import re
import shutil
from functools import partial
from pathlib import Path
from random import Random

import click
import pytest

from edition.corpus.corpus import list_library_ids
from edition.corpus.problems import find_changed_results
from engine.comparison.separation import EFFECTIVE
from engine.players import nets as net_files
from engine.players.nets import NET_DIGESTS, WEIGHTS_FOLDER, find_spoilt_nets, read_net
from reversis.cli.hint import hint
from reversis.files.attributions import ATTRIBUTIONS_FILE, attribute_deal, read_causes
from reversis.files.separations import SEPARATIONS_FILE, load_separations, verify_parting, worked_deals
from rulebook import __version__
from rulebook.checks.sense import find_senseless_entries
from rulebook.io.digests import add_digest
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.problems import Problem, SpoiltFile
from rulebook.receipts import describe_outdated
from rulebook.sheets.csv_form import render_data_csv
from rulebook.sources.paths import find_sources
from tests.support.commands import refused
from tests.support.library import changed

ROOT = find_sources()
KEPT = [
    *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("receipts/*.json"))),
    *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("survey/*.json"))),
    "attributions.json",
    "separating.json",
]


# ---- what programs write
def list_changed(root: Path) -> list[Problem]:
    """Every file of a program that is not as it wrote it."""
    patterns = ("receipts/*.json", "survey/*.json", ATTRIBUTIONS_FILE, SEPARATIONS_FILE)
    return [fault for pattern in patterns for fault in find_changed_results(root, pattern, "again")]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    root = tmp_path / "sources"
    for name in KEPT:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_one_plausible_value_changed_is_noticed_in_what_a_program_wrote(kept: Path, name: str) -> None:
    letters = (ROOT / name).read_text("utf-8")
    assert not [*list_changed(kept)]
    lot = Random(name)
    digits = [found.start() for found in re.finditer(r"(?<=[:\[, ])[1-8]", letters)]
    for at in lot.sample(digits, min(len(digits), 20)):
        (kept / name).write_text(f"{letters[:at]}{int(letters[at]) + 1}{letters[at + 1 :]}", "utf-8", newline="\n")
        assert [one.file for one in list_changed(kept)] == [f"sources/{name}"]
    bare = re.sub(r'^\{"digest":"[^"]*",', "{", letters)
    (kept / name).write_text(bare, "utf-8", newline="\n")
    (one,) = list_changed(kept)
    assert one.what == "carries no digest" and add_digest(bare) == letters


@pytest.fixture
def nets(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WEIGHTS_FOLDER, tmp_path / "weights"))


@pytest.mark.slow
@pytest.mark.parametrize("digest", [True, False], ids=["with its digest", "without"])
@pytest.mark.parametrize("letters", ["{}", "[]", "", "null", "{", '{"turns": 1, "offers": 2}'])
def test_a_spoilt_net_is_an_error_and_no_traceback(
    nets: Path, monkeypatch: pytest.MonkeyPatch, letters: str, digest: bool
) -> None:
    (nets / "PAM.json").write_text(letters, "utf-8")
    if not digest:
        (nets / NET_DIGESTS).unlink()
    with pytest.raises(SpoiltFile, match="not as its training wrote it"):
        read_net("PAM", nets)
    monkeypatch.setattr(net_files, "read_net", partial(read_net, folder=nets))
    monkeypatch.setattr(hint, "require_search", _refuse_search)
    told = refused(1, "hint", "pam-quinola-forced-side-last", "--source", "PAM", "--seat", "south", "--trick", "3")
    assert "weights/PAM.json: the net is not as its training wrote it" in told


def _refuse_search(*_: object) -> None:
    raise click.ClickException("as if the extra were not installed")


def test_one_weight_changed_is_noticed(nets: Path) -> None:
    assert not [*find_spoilt_nets(nets)] and not [*find_spoilt_nets()]
    record = json.loads((nets / "GER.json").read_text("utf-8"))
    record["turns"]["bias"][0] += 1_000_000
    (nets / "GER.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    assert [one.file for one in find_spoilt_nets(nets)] == ["weights/GER.json"]
    with pytest.raises(SpoiltFile):
        read_net("GER", nets)


# ---- what hands write
#: What is changed: the file, the words there, what stands there instead, and what is told.
SENSELESS = {
    "a sentence without the word": (
        *("glossary.yaml", "PAM.s0031, PAM.s0033, PAM.s0036", "PAM.s0030, PAM.s0033, PAM.s0036"),
        "none of its forms stands in PAM.s0030",
    ),
    "a spelling of no text": (
        *("spelling.yaml", "    payements: paiements", "    payemants: paiements"),
        "'payemants' stands in no text",
    ),
    "an id of nothing": (
        *("glossary.yaml", "feat in GER.s0060 only", "feat in GER.s9060 only"),
        "there is no GER.s9060",
    ),
    "a year other than the key's": (
        *("bibliography.bib", "  year = {1857},", "  year = {1858},"),
        "the key of the work says 1857",
    ),
    "today's form of another word": (
        *("spelling.yaml", "    fraix: frais", "    fraix: lois"),
        "'lois' is another word than 'fraix'",
    ),
    "a misspelt plural": (
        *("spelling.yaml", "    payements: paiements", "    payements: paiments"),
        "'payement' is 'paiement', and its plural 'paiments'",
    ),
    "an answer to an unrelated question": (
        *("telling.yaml", "{Q032} to whoever led the heart", "{Q001} to whoever led the heart"),
        "tells of Q001, which is not related to it",
    ),
    "a year without books": (
        *("bibliography.bib", "  year = {1756},", "  year = {175},"),
        "no work has the year '175'",
    ),
}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Library]:
    """A copy of what hands write, and its library, in which nothing is senseless."""
    away = shutil.ignore_patterns("survey", "receipts", "deals", "sessions")
    root = Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("sense") / "sources", ignore=away))
    library, _ = load_library(root)
    assert library is not None and not [*find_senseless_entries(library, dict(list_library_ids(library)))]
    return root, library


@pytest.mark.slow
@pytest.mark.parametrize("case", SENSELESS)
def test_what_hands_write_is_checked_by_its_sense(copied: tuple[Path, Library], case: str) -> None:
    (root, library), (name, old, new, told) = copied, SENSELESS[case]
    changed(root, name, old, new)
    (one,) = find_senseless_entries(library, dict(list_library_ids(library)))
    assert one.file == f"sources/{name}" and one.line > 1 and told in one.what and one.way_out
    changed(root, name, new, old)


# ---- what spreadsheets read
def test_no_cell_of_an_export_is_a_formula() -> None:
    cells = ("=1+1", "+x", "-x", "@x", "'=x", "-5", "-2.5e-3", 7, -7, None, "plain", "-1/3", "")
    assert render_data_csv([cells]) == "'=1+1,'+x,'-x,'@x,''=x,-5,-2.5e-3,7,-7,,plain,'-1/3,\n"


# ---- computed again
@pytest.mark.nightly
def test_a_sample_of_the_attributions_comes_out_the_same(library: Library) -> None:
    causes, problems = read_causes(ROOT, library)
    assert causes is not None and not problems
    if causes.outdated(library.rules_digest):
        pytest.skip("the sources have changed since; python -m proofs.attributions")
    deals = worked_deals(library)
    for id in Random(38).sample(sorted(causes.by_deal), 5):
        assert tuple(attribute_deal(library, deals[id])) == causes.by_deal[id], id


@pytest.mark.nightly
def test_a_sample_of_the_separating_deals_still_separates(library: Library) -> None:
    store = load_separations(library)
    if describe_outdated((store.version, store.sources), (__version__, library.rules_digest)):
        pytest.skip("the sources have changed since; python -m proofs.separate")
    worked = worked_deals(library)
    for one in Random(38).sample([parting for parting in store.partings if parting.verdict == EFFECTIVE], 40):
        assert verify_parting(library, store, one, worked) is not None, one
