"""Settlements as execution traces, held to the fields of RegelRecht's trace format.

The fields below are those of `schema/trace/v1/trace-schema.json` in the repository MinBZK/regelrecht (RFC-039), as seen
on 26 November 2026.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.data.deals import readable_deals
from edition.data.limits import select_settling_sources
from edition.export.downloads import collect_downloads
from edition.export.execution_trace import build_execution_trace, export_traces
from edition.export.file import ExportFile
from edition.export.formats import EXPORT_FORMATS, make_folder_readme
from edition.views.about.downloads import downloads_view, render_downloads
from edition.views.deals.deal import deal_view, render_deal_page
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.result_json import result
from engine.settlement.settle import Settled, settle
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.support.commands import cache, run

__all__ = ["cache"]  # the fixture, for these tests too

NODE_FIELDS = {
    *("node_type", "name", "result", "resolve_type", "children", "node_id", "anchor", "legal_basis"),
    *("yaml_path", "uri", "source", "type_spec", "duration_us", "message"),
}
NODE_TYPES = {
    *("resolve", "operation", "action", "requirement", "cross_law_reference", "article", "cached"),
    *("open_term_resolution", "hook_resolution", "override_resolution"),
}
KINDS = {
    *("URI", "PARAMETER", "DEFINITION", "OUTPUT", "INPUT", "LOCAL", "CONTEXT", "RESOLVED_INPUT", "DATA_SOURCE"),
    *("OPEN_TERM", "OPEN_TERM_SILENT", "HOOK", "OVERRIDE"),
}
ANCHOR_FIELDS = {
    *("law_id", "law", "law_uuid", "bwb_id", "article", "paragraph", "sentence", "url", "juriconnect", "valid_from"),
    "explanation",
}
DEAL = "pam-quinola-forced-side-last"


def steps_of(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node, and all that are nested in it."""
    yield node
    for child in node.get("children", ()):
        yield from steps_of(child)


def hold_to_format(trace: dict[str, Any]) -> None:
    """Fail if a trace has a field, or a value of a closed list, that the format does not know."""
    assert {*trace} == {"trace_version", "root"} and trace["trace_version"] == 1
    found = [*steps_of(trace["root"])]
    for one in found:
        assert {"node_type", "name"} <= {*one} <= NODE_FIELDS, one
        assert one["node_type"] in NODE_TYPES and one.get("resolve_type", "URI") in KINDS
        assert re.fullmatch(r"n([0-9]+(\.[0-9]+)*)?", one["node_id"])
        assert {*one.get("source", {"kind": ""})} == {"kind"}
        assert one.get("source", {}).get("kind") == one.get("resolve_type")
        assert {*one.get("anchor", {}), *one.get("legal_basis", {})} <= ANCHOR_FIELDS
        assert "explanation" not in one.get("anchor", {})
        assert all(isinstance(value, str) for at in ("anchor", "legal_basis") for value in one.get(at, {}).values())
        assert one.get("children") != []
    assert max(Counter(one["node_id"] for one in found).values()) == 1


@pytest.fixture(scope="module")
def trace(library: Library) -> dict[str, Any]:
    return build_execution_trace(library, settled(library, DEAL, "PAM"))


def settled(library: Library, name: str, siglum: str) -> Settled:
    deal = next(one for one in readable_deals(library) if one.id == name)
    found = settle(deal, resolve(library, siglum))
    assert isinstance(found, Settled)
    return found


def test_a_settled_deal_is_a_trace(trace: dict[str, Any]) -> None:
    hold_to_format(trace)
    root = trace["root"]
    assert (root["node_id"], root["name"], root["anchor"]["law_id"]) == ("n", DEAL, "PAM")
    assert root["result"] == {"south": -108, "east": -20, "north": 16, "west": 52, "pool": 60}


def test_every_payment_of_the_ledger_is_a_step_with_its_questions_clauses_and_sentences(
    library: Library, trace: dict[str, Any]
) -> None:
    entries: Any = result(settled(library, DEAL, "PAM"))["entries"]
    steps = [one for one in trace["root"]["children"] if one["node_type"] == "action"]
    assert [(one["name"], one["result"]) for one in steps] == [(one["rule"], one["postings"]) for one in entries]
    for step, entry in zip(steps, entries, strict=True):
        questions = [one for one in step["children"] if re.fullmatch(r"Q\d{3}", one["name"])]
        assert [one["name"] for one in questions] == entry["questions"]
        articles = [one for one in steps_of(step) if one["node_type"] == "article"]
        assert list(dict.fromkeys(one["name"] for one in articles)) == entry["clauses"]
        for one in articles:
            cited = {cite.locus for cite in library.clause(one["name"]).cites}
            assert one["anchor"]["article"] == one["legal_basis"]["article"] == one["name"]
            assert {one["legal_basis"].get("sentence", "").partition("-")[0]} <= (cited or {""})


def test_the_values_that_fed_a_payment_are_parameters_of_its_step(trace: dict[str, Any]) -> None:
    step = next(one for one in trace["root"]["children"] if one["name"] == "matches-stake")
    fed = {one["name"]: one["result"] for one in step["children"] if one.get("resolve_type") == "PARAMETER"}
    assert fed == {
        "fact": "quinola-forced",
        **{"trick": 11, "card": "JH", "player": "south", "leader": "west", "taker": "west"},
        "stake": 60,
    }


def read_parameters(step: dict[str, Any]) -> dict[str, Any]:
    """The values that fed a step, by their names."""
    return {one["name"]: one["result"] for one in step["children"] if one.get("resolve_type") == "PARAMETER"}


def test_the_partie_has_the_points_the_tricks_and_the_talon_it_is_settled_by(trace: dict[str, Any]) -> None:
    """South has the most points, north the fewest; the talon comes to 12 with the four that are added."""
    step = next(one for one in trace["root"]["children"] if one["name"] == "partie")
    fed = read_parameters(step)
    assert (fed["player"], fed["winner"], fed["due"]) == ("south", "north", 12)
    assert fed["points"]["south"] == max(fed["points"].values()) == 19
    assert fed["points"]["north"] == min(fed["points"].values())
    assert sum(fed["tricks"].values()) == 11
    answers = {one["name"]: one["result"] for one in step["children"] if one["name"].startswith("Q")}
    worth = [answers["Q065"].get(card, answers["Q005"].get(card[0], 0)) for card in fed["talon"]]
    assert sum(worth) + answers["Q064"] == fed["due"] and step["result"][0]["amount"] == 2 * fed["due"]


def test_a_step_where_nobody_is_paid_says_why(files: tuple[ExportFile, ...]) -> None:
    steps = [step for one in files for step in json.loads(one.letters)["root"].get("children", ())]
    unpaid = [one for one in steps if one["node_type"] == "action" and "unpaid" in read_parameters(one)]
    assert unpaid and not any(one["result"] for one in unpaid)
    assert {read_parameters(one)["unpaid"] for one in unpaid} <= {*NONPAYMENT_REASONS}
    assert {"forced", "led", "partie"} <= {one["name"] for one in unpaid}


def test_the_readme_names_every_step_and_every_event(files: tuple[ExportFile, ...], corpus: Corpus) -> None:
    steps = [step for one in files for step in json.loads(one.letters)["root"].get("children", ())]
    told = make_folder_readme(["traces"], [], corpus).letters.decode()
    events = {str(read_parameters(one)["fact"]) for one in steps if one["node_type"] == "action"}
    for name in {one["name"].removesuffix("-returned") for one in steps if one["node_type"] == "action"} | {
        one.removeprefix("ace-").removeprefix("quinola-") for one in events
    }:
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", told), name
    for name in {name for one in steps if one["node_type"] == "action" for name in read_parameters(one)}:
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", told), name
    assert "reversis-traces.zip" in told and "reversis-all.zip" in told


def test_an_answer_that_we_supply_fills_an_open_term(trace: dict[str, Any]) -> None:
    """PAM does not answer Q063; ours is played."""
    (found,) = (one for one in steps_of(trace["root"]) if one["name"] == "Q063")
    assert (found["node_type"], found["resolve_type"]) == ("open_term_resolution", "OPEN_TERM")
    stated = next(one for one in steps_of(trace["root"]) if one["name"] == "Q032")
    assert (stated["node_type"], stated["resolve_type"], stated["result"]) == ("resolve", "DEFINITION", 10)


@pytest.mark.slow
def test_every_worked_deal_by_every_source_is_a_trace(library: Library) -> None:
    states = set()
    for deal in readable_deals(library):
        for siglum in library.sources:
            settlement = settle(deal, resolve(library, siglum))
            states.add(type(settlement).__name__)
            trace = build_execution_trace(library, settlement)
            hold_to_format(trace)
            assert ("result" in trace["root"]) == isinstance(settlement, Settled)
    assert states == {"Settled", "Refused", "Unanswered"}


# ---- the files
@pytest.fixture(scope="module")
def files(corpus: Corpus) -> tuple[ExportFile, ...]:
    return (*export_traces(corpus),)


def test_every_worked_deal_has_a_file_by_every_source(library: Library, files: tuple[ExportFile, ...]) -> None:
    deals = [*readable_deals(library)]
    wanted = {f"{deal.id}.{siglum}.json" for deal in deals for siglum in select_settling_sources(library, deal)}
    assert {one.path for one in files} == wanted and len(files) == len(wanted)
    published = {f"{deal.id}.{siglum}.json" for deal in deals for siglum in deal.expect}
    assert {one.path for one in files if not one.packed} == published
    assert {deal.id for deal in deals if deal.expect} == {one.partition(".")[0] for one in published}


def test_a_file_is_the_trace_that_the_command_prints(
    library: Library, files: tuple[ExportFile, ...], trace: dict[str, Any]
) -> None:
    (found,) = (one for one in files if one.path == f"{DEAL}.PAM.json")
    assert json.loads(found.letters) == trace and found.letters.count(b"\n") == 1


def test_the_downloads_have_some_one_by_one_and_all_in_an_archive(
    corpus: Corpus, files: tuple[ExportFile, ...]
) -> None:
    found = collect_downloads(corpus)
    published = {one.path for one in files if not one.packed}
    listed = [one for one in found.files if one.path.startswith("downloads/traces/")]
    assert {one.path for one in listed} == {f"downloads/traces/{path}" for path in (*published, "README.txt")}
    assert {one.group for one in listed} == {EXPORT_FORMATS["traces"].title}
    held = {name: zipfile.ZipFile(io.BytesIO(found.letters[f"downloads/{name}.zip"])) for name in ARCHIVES}
    inside = {name: {path.rpartition("/")[2] for path in held[name].namelist() if "/traces/" in path} for name in held}
    assert inside["reversis-traces"] - {"README.txt"} == {one.path for one in files}
    assert inside["reversis-all"] - {"README.txt"} == published


ARCHIVES = ("reversis-traces", "reversis-all")


def test_the_page_of_a_deal_leads_to_its_traces_and_to_what_is_experimental_about_them(corpus: Corpus) -> None:
    (page,) = render_deal_page(deal_view(corpus, DEAL))
    found = {
        one.astext(): one["refuri"] for one in page.findall(nodes.reference) if "download" in one.get("refuri", "")
    }
    assert found == {
        "the deal (YAML)": f"../downloads/sources/PAM/deals/{DEAL}.yaml",
        "experimental": "../downloads.html#traces-of-settlements-regelrecht-experimental",
        "the Pamphlet": f"../downloads/traces/{DEAL}.PAM.json",
        "reversis-traces.zip": "../downloads/reversis-traces.zip",
    }
    files = collect_downloads(corpus).letters
    assert {one.removeprefix("../") for one in found.values() if ".html" not in one} <= {*files}


def test_the_page_of_downloads_says_whose_shape_it_is_since_when_and_that_it_is_experimental(corpus: Corpus) -> None:
    (shown,) = (one for one in render_downloads(downloads_view(corpus)) if "RegelRecht" in one.astext()[:80])
    said = " ".join(shown.astext().split())
    for words in ("github.com/MinBZK/regelrecht", "26 November 2026", "Experimental", "Folder downloads/traces/"):
        assert words in said
    leads = {one["refuri"] for one in shown.findall(nodes.reference)}
    assert {"downloads/reversis-traces.zip", "downloads/reversis-all.zip"} <= leads
    assert "https://github.com/MinBZK/regelrecht" in leads
    assert any(one.startswith("downloads/traces/") and one.endswith(".json") for one in leads)


def test_the_command_prints_one_trace_a_line(trace: dict[str, Any]) -> None:
    done = run("run", DEAL, "--source", "PAM", "--format", "regelrecht-trace")
    assert done.exit_code == 0 and json.loads(done.stdout) == trace
    assert len(done.stdout.splitlines()) == 1
    assert len(run("run", DEAL, "-s", "PAM", "--format", "regelrecht-trace", "--pretty").stdout.splitlines()) > 50


def test_an_answer_that_was_asked_for_is_an_override() -> None:
    done = run("run", DEAL, "--source", "PAM", "--with", "Q032=3", "--format", "regelrecht-trace")
    found = next(one for one in steps_of(json.loads(done.stdout)["root"]) if one["name"] == "Q032")
    assert (found["node_type"], found["result"]) == ("override_resolution", 3) and "children" not in found
