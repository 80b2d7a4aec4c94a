"""The figures that README quotes as findings are those of the stored surveys and receipts."""

from __future__ import annotations

import json
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
        *(("pam-deal", "gain", 2), ("ger-deal", "gain", 1), ("aca-below", "gain", 2)),
        *(("aca-lead-low", "gain", 2), ("aca-lead-low", "ahead", 2)),
    ],
)
def test_what_counsel_earns_or_costs_is_what_the_receipt_says(counsel: str, field: str, digits: int) -> None:
    found = read_record("receipts", "counsel.json")["figures"]["results"][counsel]
    assert f"{abs(found[field]):.{digits}f} ± {found[f'{field} give or take']:.{digits}f}" in FINDINGS


def test_the_number_of_cases_is_that_of_the_receipt() -> None:
    found = read_record("receipts", "counsel.json")["figures"]["results"]["aca-lead-low"]
    assert f"({found['cases']} cases" in FINDINGS


@pytest.mark.parametrize("counsel", ["ger-deal", "aca-lead-low"])
@pytest.mark.parametrize("end", ["lowest", "highest"])
def test_the_end_of_a_range_over_readings_is_the_receipts_with_how_sure_it_is(counsel: str, end: str) -> None:
    found = read_record("receipts", "counsel.json")["figures"]["results"][counsel][end]
    assert f"{abs(found['gain']):.1f} ± {found['gain give or take']:.1f}" in FINDINGS


def test_the_readings_that_leave_least_of_the_dealers_lead_are_counted() -> None:
    readings = read_record("receipts", "counsel.json")["figures"]["results"]["ger-deal"]["lowest"]["by"]
    assert len(readings) == 7 and "by seven other readings together" in FINDINGS


def test_the_range_of_the_first_finding_is_that_of_its_receipt() -> None:
    found = read_record("receipts", "findings.json")["figures"]["skilled"]
    ends = (found[end]["changed of 100"] for end in ("lowest", "highest"))
    assert "({:.1f} to {:.1f} by {} readings)".format(*ends, found["other readings"]) in FINDINGS


def test_pools_are_those_of_the_survey() -> None:
    pools = {table["source"]: table["pool"] for table in read_record("survey", "skilled.json")["tables"]}
    assert f"Marquen ({pools['GER']} lie in the pool)" in FINDINGS and f"fiches of {pools['PAM']}," in FINDINGS


def test_a_finding_has_at_most_sixty_words() -> None:
    findings = [finding.partition(" (`python")[0].split() for finding in FINDINGS.split("- **")[1:]]
    assert len(findings) == 3 and max(map(len, findings)) <= 60
