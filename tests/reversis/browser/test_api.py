"""Files for a browser: the same engine, the same library, the same answers as the command line's."""

from __future__ import annotations

import _imp
import gzip
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

from edition.citation.places import EditionPlace
from edition.corpus.corpus import Corpus
from engine.deal.model import FAULT_KIND_BY_NAME
from engine.deal.writer import write_deal
from reversis.browser import api, stored_results
from reversis.browser import bundle as carried
from reversis.browser.library_json import pack_library, slim_library, unpack_library
from reversis.browser.python_bundle import PACKAGES_FOLDER, list_bundle_modules, list_imports, pack_sources
from reversis.cli.main import cli
from reversis.files import deals as worked
from reversis.views.deals.deal_editor import render_deal_editor, view_deal_editor
from rulebook.model import Library
from rulebook.resolve import BadChoice, iter_clause_alternatives, rules

#: What a browser does, done by a plain Python that knows nothing but its own library: no site, no path of ours.
ALONE = """
import sys
sys.path[:] = [one for one in sys.path if "site-packages" not in one]
sys.path.insert(0, sys.argv[1])
from reversis.browser import api
assert api.__file__.startswith(sys.argv[1]), api.__file__
answer = api.open_browser_library(open(sys.argv[2], encoding="utf-8").read())
for line in sys.stdin:
    print(answer(line))
extra = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"__main__"}
assert extra == {"rulebook", "engine", "reversis"}, extra
"""
FOUR = "pam-quinola-forced-opposite-last"
VOID = "pam-misdeal-bought-back"  #: no card is led
WISHES = (["Q031=3"], ["Q017@ACA"], ["PAM.i01", "Q031=7"])
Alone = Any


@pytest.fixture(scope="module")
def alone(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Alone:
    """Asks the bundle many things at once, in a Python of its own."""
    folder = tmp_path_factory.mktemp("carried")
    (folder / "reversis.zip").write_bytes(pack_sources(list_bundle_modules()))
    (folder / "library.json").write_text(pack_library(library), encoding="utf-8")

    def asks(requests: list[Mapping[str, object]]) -> list[dict[str, Any]]:
        command = [
            sys.executable,
            "-S",
            "-I",
            "-X",
            "utf8",
            "-c",
            ALONE,
            *(str(folder / name) for name in ("reversis.zip", "library.json")),
        ]
        lines = "".join(json.dumps(one) + "\n" for one in requests)
        done = subprocess.run(command, input=lines, capture_output=True, encoding="utf-8", timeout=300)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return asks


@pytest.fixture(scope="module")
def records(library: Library) -> dict[str, str]:
    """Every worked deal, whole, as JSON."""
    found = (record.deal for record in worked.read_worked_records(library))
    return {deal.id: json.dumps(write_deal(deal), ensure_ascii=False) for deal in found if deal}


def run(*words: str, stdin: str | None = None) -> Any:
    return CliRunner().invoke(cli, ["run", *words, "--format", "json"], input=stdin)


# --- the library --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_library_comes_out_as_it_went_in_and_makes_the_same_letters_again(library: Library) -> None:
    letters = pack_library(library)
    assert unpack_library(letters) == slim_library(library)
    assert pack_library(unpack_library(letters)) == letters == pack_library(library)


@pytest.mark.release
def test_the_rules_are_the_same_for_every_source_and_every_other_reading(library: Library) -> None:
    packed = unpack_library(pack_library(library))
    names = [[], *([one.id] for _, one in iter_clause_alternatives(library.clauses()))]
    for siglum in library.sources:
        for wishes in names:
            assert made(packed, siglum, wishes) == made(library, siglum, wishes), (siglum, wishes)


def made(library: Library, siglum: str, wishes: list[str]) -> object:
    try:
        return rules(library, siglum, *wishes)
    except BadChoice as bad:
        return str(bad)


def test_what_no_answer_holds_is_said_in_the_browser_too(library: Library) -> None:
    carried_library = unpack_library(pack_library(library))
    orders = {siglum: rules(carried_library, siglum).not_held for siglum in library.sources}
    assert orders == {siglum: rules(library, siglum).not_held for siglum in library.sources} and orders["HOY"]


@pytest.mark.parametrize("letters", ["[]", '{"schema": 0}', '{"schema": 1, "library": []}', "no"])
def test_what_is_no_library_is_refused(letters: str) -> None:
    with pytest.raises(ValueError):
        unpack_library(letters)


# --- the bundle ---------------------------------------------------------------------------------------------------


def test_vendored_python_is_as_it_came() -> None:
    text = (carried.find_python() / "README.md").read_text(encoding="utf-8")
    sums = dict(re.findall(r"`([\w.-]+)` `([0-9a-f]{64})`", text))
    assert {*carried.PYODIDE_FILES, carried.PYODIDE_LOCK} <= set(sums)
    for name, digest in sums.items():
        assert hashlib.sha256((carried.find_python() / name).read_bytes()).hexdigest() == digest, name


def test_everything_that_is_fetched_is_laid_into_the_edition_with_its_size_and_its_licences(
    library: Library, tmp_path: Path
) -> None:
    places = {
        ("clause", "PAM.c001"): ("clauses/PAM", "PAM.c001", ""),
        ("clause", "PAM.c002"): ("clauses/PAM", "other", ""),
        ("term", "x"): ("glossary", "x", ""),
    }
    carried.lay_play(Corpus(library), {key: EditionPlace(*value) for key, value in places.items()}, tmp_path)
    told = json.loads((tmp_path / "play.json").read_text(encoding="utf-8"))
    assert told["sizes"] == {path: (tmp_path / path).stat().st_size for path in carried.list_fetched_files()}
    weights = {path.stem: path.stat().st_size for path in (tmp_path / "weights").iterdir()}
    assert told["weights"] == weights and {*weights} == {*library.sources}
    assert (tmp_path / "pyodide" / "LICENSE").is_file() and (tmp_path / "pyodide" / "LICENSE-python").is_file()
    found = json.loads((tmp_path / "places.json").read_text(encoding="utf-8"))
    assert found["clause"] == {"clauses/PAM.html": "PAM.c001 PAM.c002=other"} and "term" not in found
    english = json.loads((tmp_path / "english.json").read_text(encoding="utf-8"))["sentences"]
    assert english.keys() == {
        locus for source in library.sources.values() if source.translation for locus in source.translation.sentences
    }
    named = {path.stem for path in (tmp_path / "results").iterdir()}
    assert named == {*carried.list_example_records(library), json.loads(view_deal_editor(Corpus(library))[0])["deal"]}
    assert english["PAM.s0001"].startswith("R") and all(english.values())
    assert [one["id"] for one in told["sources"]] == list(library.sources)
    others = json.loads((tmp_path / "readings.json").read_text(encoding="utf-8"))
    assert {one["id"] for one in others["readings"]} == {
        other.id for _, other in iter_clause_alternatives(library.clauses())
    }
    assert set(told["faults"]) == set(FAULT_KIND_BY_NAME) and told["lock"]["packages"] == {}


def test_bytecode_of_the_browsers_library_was_made_of_the_very_sources() -> None:
    folder = carried.find_python()
    with (
        zipfile.ZipFile(folder / "python_stdlib.zip") as source,
        zipfile.ZipFile(folder / carried.PART_OF_STDLIB) as part,
    ):
        names = part.namelist()
        assert {"dataclasses.pyc", "re/__init__.pyc", "random.pyc", "traceback.pyc"} <= set(names)
        for name in names:  # the hash in the head is that of the source, keyed by the version of the bytecode
            code = part.read(name)
            digest = _imp.source_hash(int.from_bytes(code[:4], "little"), source.read(name.removesuffix("c")))
            assert code[8:16] == digest, name


def test_the_browsers_library_has_every_module_that_the_engine_imports() -> None:
    folder = carried.find_python()
    with (
        zipfile.ZipFile(folder / "python_stdlib.zip") as source,
        zipfile.ZipFile(folder / carried.PART_OF_STDLIB) as part,
    ):
        whole, there = set(source.namelist()), set(part.namelist())
    modules = [PACKAGES_FOLDER / path for path in list_bundle_modules()]
    names = {name for module in modules for name in list_imports(module)}
    paths = [name.replace(".", "/") for name in names if not _imp.is_frozen(name)]  # those are in Python itself
    files = {file for path in paths for file in (f"{path}.py", f"{path}/__init__.py")}
    assert {f"{file}c" for file in files & whole} - there == set(), (
        "python -m reversis.browser.python_bundle makes the part anew"
    )
    assert len(files & whole) > 10


#: What a browser fetches before the first deal is settled, packed as a server packs it, in bytes.
MOST_FETCHED = 5_500_000


def test_what_a_browser_fetches_is_small(library: Library, tmp_path: Path) -> None:
    carried.lay_play(Corpus(library), {}, tmp_path)
    packed = {name: len(gzip.compress((tmp_path / name).read_bytes())) for name in carried.list_fetched_files()}
    assert sum(packed.values()) <= MOST_FETCHED, packed


def test_the_script_that_keeps_the_table_is_another_when_anything_is_that_it_keeps(tmp_path: Path) -> None:
    play = tmp_path / "play"
    (play / "pyodide").mkdir(parents=True)
    scripts = []
    for content in ("a", "a", "b"):
        for name in (*carried.list_fetched_files(), "english.json", "play.json", "readings.json"):
            (play / name).write_text(content, encoding="utf-8")
        carried.lay_service_worker(play, tmp_path / "sw.js")
        scripts.append((tmp_path / "sw.js").read_text(encoding="utf-8"))
    assert scripts[0] == scripts[1] != scripts[2] and "{{" not in scripts[0]
    assert all(f'"play/{name}"' in scripts[0] for name in carried.list_fetched_files())


def test_the_starting_deal_is_settled_by_every_book_and_the_page_names_them(library: Library) -> None:
    view = view_deal_editor(Corpus(library))
    found = api.answer_request(library, {"do": "run", "record": view[0], "sources": list(library.sources)})
    assert {one["state"] for one in found["ledgers"]} == {"settled"}
    (node,) = render_deal_editor(view)
    books = json.loads(cast("Any", node)["html"]["data-books"])
    assert [one["id"] for one in books] == list(library.sources)
    assert all(one["name"] and one["classes"] and one["counters"] for one in books)


def read_stored_result(script: str) -> list[dict[str, Any]]:
    """What a script has stored, with every ruling where the page puts it."""
    ledgers: list[dict[str, Any]] = json.loads(script.partition("] = ")[2].removesuffix(";\n"))
    for ledger in ledgers:
        ledger["clauses"] = [{"short": clause["words"], **clause} for clause in ledger["clauses"]]
        rulings = ledger.pop("rulings")
        for entry in ledger["entries"]:
            entry["rulings"] = [rulings[at] for at in entry["rulings"]]
    return ledgers


def test_a_stored_result_is_the_answer_of_the_engine(library: Library) -> None:
    examples = carried.list_example_records(library)
    states = set()
    for record in (stored_results.make_starting_record(library), *list(examples.values())[::6], examples[VOID]):
        asked = {"do": "run", "record": json.dumps(record), "sources": list(library.sources)}
        found = api.answer_request(library, asked)["ledgers"]
        script = stored_results.dump_stored_result(library, record)
        assert read_stored_result(script) == json.loads(json.dumps(found)), record["deal"]
        assert len(script) < 200_000
        states |= {ledger["state"] for ledger in found}
    assert states == {"settled", "refused", "silent"}
    assert not stored_results.dump_stored_result(library, {**examples[VOID], "hands": {}})


# --- the same answers ---------------------------------------------------------------------------------------------


@pytest.mark.release
def test_every_worked_deal_by_every_source_comes_out_as_on_the_command_line(
    library: Library, alone: Alone, records: dict[str, str]
) -> None:
    """Settled, refused and silent; letter by letter."""
    sources = list(library.sources)
    answers = alone([{"do": "run", "record": record, "sources": sources} for record in records.values()])
    lines = [line for answer in answers for line in answer["results"]]
    wanted = run("-", stdin="".join(f"{record}\n" for record in records.values())).stdout.splitlines()
    assert len(lines) == len(records) * len(sources)
    assert lines == wanted
    kinds = {next(k for k in ("refused", "silent", "net") if k in json.loads(line)) for line in lines}
    assert kinds == {"refused", "silent", "net"}


@pytest.mark.release
@pytest.mark.parametrize("wishes", WISHES)
def test_with_other_readings_too(alone: Alone, records: dict[str, str], wishes: list[str]) -> None:
    names = list(records)[::9]
    answers = alone([{"do": "run", "record": records[name], "sources": ["PAM"], "wishes": wishes} for name in names])
    words = [word for wish in wishes for word in ("--with", wish)]
    wanted = run("-", "-s", "PAM", *words, stdin="".join(f"{records[name]}\n" for name in names)).stdout.splitlines()
    assert [line for answer in answers for line in answer["results"]] == wanted


def faulty(record: str) -> Iterator[str]:
    """Records with something wrong in them."""
    whole = json.loads(record)
    yield record[:-5]
    yield "[]"
    yield '{"deal": "twice", "deal": "twice"}'
    yield json.dumps({**whole, "pack": 49, "sets": []})
    yield json.dumps({**whole, "hands": {**whole["hands"], "south": "QQ 7C 7C", "nobody": "2S"}})
    yield json.dumps(
        {**whole, "tricks": [*whole["tricks"][:3], "AS AS AS AS"], "faults": [{"kind": "revok", "seat": "west"}]}
    )
    yield json.dumps(
        {**whole, "exchange": [{"seat": "south", "out": "2S"}], "announced": [{"what": "all", "seat": "me"}]}
    )


@pytest.mark.release
def test_a_faulty_record_is_told_as_on_the_command_line_and_where_it_is_wrong(
    alone: Alone, records: dict[str, str], tmp_path: Path
) -> None:
    bad = list(faulty(records[FOUR]))
    answers = alone([{"do": "run", "record": one, "sources": ["PAM"], "name": "bad.json"} for one in bad])
    for record, answer in zip(bad, answers, strict=True):
        (tmp_path / "bad.json").write_text(record, encoding="utf-8")
        said = run(str(tmp_path / "bad.json")).stderr.replace(f"{tmp_path.as_posix()}/", "")
        assert "".join(f"{one['said']}\n" for one in answer["problems"]) == said
    ways = {one["way"] for answer in answers for one in answer["problems"]}
    assert {"", "pack", "hands/south", "tricks/3", "faults/0", "exchange/0", "announced/0"} <= {*ways, ""}


def test_a_wish_that_cannot_be_granted_is_told(library: Library, records: dict[str, str]) -> None:
    record = next(iter(records.values()))
    for wish in ("Q999=1", "Q031=many", "Q031@XXX", "PAM.i99"):
        found = api.answer_request(library, {"do": "run", "record": record, "sources": ["PAM"], "wishes": [wish]})
        assert wish.partition("@")[0].partition("=")[0] in found["wrong"]
    assert "XXX" in api.answer_request(library, {"do": "run", "record": record, "sources": ["XXX"]})["wrong"]


# --- what is otherwise --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_deal_that_is_not_changed_has_nothing_marked(library: Library, records: dict[str, str]) -> None:
    for record in list(records.values())[::7]:
        asked = {"do": "run", "record": record, "before": record, "sources": list(library.sources)}
        for one in api.answer_request(library, asked)["ledgers"]:
            assert not [entry for entry in one["entries"] if entry["mark"]] and not one["gone"]
            assert one["state_was"] == one["state"]
            assert one["net_was"] == [sum_ for _, sum_ in one["net"]]


def test_what_is_otherwise_than_before_is_marked_new_changed_or_gone(library: Library, records: dict[str, str]) -> None:
    before = records[FOUR]
    turned = before.translate(str.maketrans({})).replace("JH", "@").replace("5H", "JH").replace("@", "5H")
    asked = {"do": "run", "record": turned, "before": before, "sources": ["PAM"]}
    (one,) = api.answer_request(library, asked)["ledgers"]
    assert [entry["fact"] for entry in one["entries"] if entry["mark"] == "new"] == ["quinola-led", "quinola-led"]
    assert {entry["fact"] for entry in one["gone"]} == {"quinola-forced"}
    assert one["net_was"] != [sum_ for _, sum_ in one["net"]]
    cheaper = api.answer_request(library, {**asked, "record": before, "wishes": ["Q031=3"]})["ledgers"][0]
    assert not [entry for entry in cheaper["entries"] if entry["mark"]], (
        "both are settled by the rules that are asked for"
    )


# --- random deals


@pytest.mark.slow
@pytest.mark.parametrize(("source", "seed"), [("", 7), ("PAM", 1), ("GER", 23)])
def test_a_random_deal_is_the_one_that_the_command_line_makes(alone: Alone, source: str, seed: int) -> None:
    (answer,) = alone([{"do": "random", "source": source, "seed": seed, "players": 4}])
    named = ["-s", source] if source else []
    done = CliRunner().invoke(cli, ["deal", "random", *named, "--seed", str(seed), "--players", "4", "-f", "json"])
    assert answer["record"] == json.loads(done.stdout)


def test_a_random_deal_has_a_pack_that_every_ticked_book_plays_with(library: Library) -> None:
    for sources in (list(library.sources), ["GER", "PAR"]):
        for seed in range(5):
            asked = {"do": "random", "sources": sources, "seed": seed, "players": 4}
            made = api.answer_request(library, asked)["record"]
            found = api.answer_request(library, {"do": "run", "record": json.dumps(made), "sources": sources})
            assert {one["state"] for one in found["ledgers"]} == {"settled"} and "tricks" not in found


def test_the_rest_of_a_deal_is_played_at_random_as_every_ticked_book_allows(
    library: Library, records: dict[str, str]
) -> None:
    before = json.loads(records[FOUR])
    asked = {"do": "finish", "record": json.dumps(before), "sources": ["PAM", "PAR"], "kept": 4, "seed": 5}
    after = api.answer_request(library, asked)["record"]
    assert (after["hands"], after["tricks"][:4]) == (before["hands"], before["tricks"][:4])
    assert after["tricks"] != before["tricks"]
    found = api.answer_request(library, {"do": "run", "record": json.dumps(after), "sources": ["PAM", "PAR"]})
    assert {one["state"] for one in found["ledgers"]} == {"settled"}
    assert api.answer_request(library, asked)["record"] == after, "the same seed plays the same cards"
    alone = {**asked, "sources": [], "source": "PAM"}
    assert api.answer_request(library, alone)["record"]["tricks"][:4] == before["tricks"][:4], "as older pages ask"


def test_what_cannot_be_played_on_is_told(library: Library, records: dict[str, str]) -> None:
    before = json.loads(records[FOUR])
    asked = {"do": "finish", "source": "PAM", "kept": 0, "seed": 5}
    assert api.answer_request(library, {**asked, "record": json.dumps({**before, "pack": 52})})["wrong"]
    assert api.answer_request(library, {**asked, "record": json.dumps({**before, "talon": "XX"})})["problems"]
    assert api.answer_request(library, {**asked, "record": "["})["problems"]


def test_tricks_are_put_into_the_order_in_which_they_are_led(library: Library, records: dict[str, str]) -> None:
    before = json.loads(records[FOUR])
    turned = {**before, "tricks": [" ".join(reversed(row.split())) for row in before["tricks"]]}
    asked = {"do": "run", "record": json.dumps(turned), "sources": ["PAM"], "arrange": True}
    found = api.answer_request(library, asked)
    assert [sorted(row.split()) for row in found["tricks"]] == [sorted(row.split()) for row in before["tricks"]]
    assert found["tricks"][0] == before["tricks"][0]
    assert not [each for each in found["ledgers"][0]["refusals"] if "leads" in each["message"]]
    again = {**asked, "record": json.dumps({**turned, "tricks": found["tricks"]})}
    assert "tricks" not in api.answer_request(library, again), "nothing is left to arrange"
    assert "tricks" not in api.answer_request(library, {**asked, "arrange": False})
    led = {"do": "lead", "record": json.dumps(turned), "source": "PAM"}
    assert api.answer_request(library, led)["record"]["tricks"] == found["tricks"], "as older pages ask"
    assert api.answer_request(library, {**led, "record": json.dumps({**before, "pack": 50})})["problems"]


def test_a_game_is_begun_in_the_browser_as_here_but_for_the_english(alone: Alone, library: Library) -> None:
    request = {"do": "table.begin", "source": "HOY", "seed": 5, "others": "cautious"}
    there, here = alone([request])[0], json.loads(json.dumps(api.answer_request(library, request)))
    assert there["game"] == here["game"]
    assert there["view"] == here["view"]
