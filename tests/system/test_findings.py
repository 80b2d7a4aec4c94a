"""The figures that README quotes as findings are those of the stored surveys and receipts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulebook.sources.paths import find_sources

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
FINDINGS = " ".join(README.partition("## Three findings")[2].partition("\n## ")[0].split())


def read_record(*place: str) -> Any:
    return json.loads(find_sources().joinpath(*place).read_text(encoding="utf-8"))


@pytest.mark.parametrize("policy", ["skilled", "cautious", "random"])
def test_the_share_of_deals_in_which_a_quinola_is_given_freely_is_of_the_run_that_gives_its_range(policy: str) -> None:
    """The surveys, of other sizes, tell the same within both intervals."""
    found = read_record("receipts", "findings.json")["figures"][policy]
    assert f"{found['changed of 100']:.2f} ± {found['give or take']:.2f}" in FINDINGS
    (table,) = (one for one in read_record("survey", f"{policy}.json")["tables"] if one["source"] == "GER")
    (other,) = (one for one in table["others"] if one["wishes"] == ["Q033@HOY"])
    share = other["changed"] / table["settled"]
    margin = 196 * (share * (1 - share) / table["settled"]) ** 0.5
    assert abs(100 * share - found["changed of 100"]) < margin + found["give or take"]


@pytest.mark.parametrize(
    ("counsel", "field", "digits"),
    [
        *(("pam-deal", "gain", 2), ("ger-deal", "gain", 1), ("aca-take-high", "gain", 2), ("aca-lead-low", "gain", 2)),
        *(
            ("aca-lead-low", "ahead", 2),
            ("aca-take-high", "ahead", 2),
            ("aca-take-high", "cost", 2),
            ("aca-below", "gain", 2),
            ("aca-lone-heart", "gain", 2),
        ),
    ],
)
def test_what_counsel_earns_or_costs_is_what_the_receipt_says(counsel: str, field: str, digits: int) -> None:
    found = read_record("receipts", "counsel.json")["figures"]["results"][counsel]
    assert f"{abs(found[field]):.{digits}f} ± {found[f'{field} give or take']:.{digits}f}" in FINDINGS


@pytest.mark.parametrize("counsel", ["aca-take-high", "aca-lead-low"])
def test_the_number_of_cases_is_that_of_the_receipt(counsel: str) -> None:
    assert f"{read_record('receipts', 'counsel.json')['figures']['results'][counsel]['cases']}" in FINDINGS


def test_by_the_pamphlet_nets_hardly_ever_put_a_quinola_on_a_heart_by_choice() -> None:
    (table,) = (one for one in read_record("survey", "skilled.json")["tables"] if one["source"] == "PAM")
    (other,) = (one for one in table["others"] if one["wishes"] == ["Q033@GER"])
    assert f"changes {other['changed']:,} of {table['settled']:,} deals" in FINDINGS


def test_the_loss_of_the_believer_is_that_of_the_receipt() -> None:
    line = read_record("receipts", "regret.json")["figures"]["PAM"]["quinola.forced.when@GER"]
    assert f"loses {line['regret']:.2f} ± {line['give or take']:.2f} fiches a deal" in FINDINGS
    assert f"in {line['other cards of 100']:.1f} of 100 cards" in FINDINGS


@pytest.mark.parametrize(
    ("counsel", "end"),
    [
        *(("ger-deal", "lowest"), ("ger-deal", "highest"), ("pam-deal", "lowest"), ("pam-deal", "highest")),
        *(
            ("aca-take-high", "lowest"),
            ("aca-take-high", "highest"),
            ("aca-lead-low", "lowest"),
            ("aca-lead-low", "highest"),
        ),
        *(("aca-below", "highest"), ("aca-lone-heart", "lowest"), ("aca-lone-heart", "highest")),
    ],
)
def test_the_end_of_a_range_over_readings_is_the_receipts_with_how_sure_it_is(counsel: str, end: str) -> None:
    found = read_record("receipts", "counsel.json")["figures"]["results"][counsel][end]
    assert f"{abs(found['gain']):.1f} ± {found['gain give or take']:.1f}" in FINDINGS


def test_the_readings_that_leave_least_of_the_dealers_lead_are_all_named() -> None:
    readings = read_record("receipts", "counsel.json")["figures"]["results"]["ger-deal"]["lowest"]["by"]
    (named,) = re.findall(r"seven other readings together \(GER\.([^)]+)\)", FINDINGS)
    assert len(readings) == 7 and {f"GER.{one}" for one in named.split(", ")} == {*readings}


def test_the_range_of_the_first_finding_is_that_of_its_receipt() -> None:
    figures = read_record("receipts", "findings.json")["figures"]
    for players in ("skilled", "random"):
        ends = (figures[players][end]["changed of 100"] for end in ("lowest", "highest"))
        assert "({:.1f} to {:.1f}".format(*ends) in FINDINGS
