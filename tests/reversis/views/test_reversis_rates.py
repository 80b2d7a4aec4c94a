"""How often the reversis is undertaken: the counts of the stored surveys, by source and way of playing."""

from __future__ import annotations

from dataclasses import replace

from edition.corpus.corpus import Corpus
from lab.survey.request import EVENTS
from reversis.files.extras import get_surveys
from reversis.files.surveys import StoredSurvey
from reversis.views.surveys.surveys import count_reversis, reversis_rates_view
from rulebook.estimates import estimate_share
from tests.support.library import with_extras
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS

NO_SURVEY = "No survey has been made yet: `python -m proofs.survey` makes one."


def recounted(corpus: Corpus, policy: str, siglum: str, undertaken: int, made: int) -> Corpus:
    """Give one table of a survey other counts."""
    counts = {"reversis-undertaken": undertaken, "reversis-made": made}

    def change(survey: StoredSurvey) -> StoredSurvey:
        tables = (
            replace(table, count=replace(table.count, deals=1000, events=tuple(counts.get(name, 0) for name in EVENTS)))
            if table.siglum == siglum
            else table
            for table in survey.tables
        )
        return replace(survey, tables=tuple(tables)) if survey.policy == policy else survey

    return with_extras(corpus, surveys=tuple(map(change, get_surveys(corpus))))


def told(corpus: Corpus) -> str:
    return " ".join(one.astext() for one in ALL_RENDERERS["reversis-rates"](ALL_VIEWS["reversis-rates"](corpus, "")))


def test_of_a_hundred_deals_it_is_told_how_many_have_one_undertaken_and_made(surveyed_edition: Corpus) -> None:
    said = told(recounted(surveyed_edition, "skilled", "PAM", 40, 25))
    assert "4.0 undertaken, 2.5 made" in said and "to 5.4" in said
    assert all(one in said for one in ("Skilled players", "Careful players", "Random players"))


def test_every_source_that_was_surveyed_has_a_row_and_events_are_found_by_their_names(surveyed_edition: Corpus) -> None:
    view = reversis_rates_view(surveyed_edition)
    assert [row.source.siglum for row in view[1]] == [*surveyed_edition.library.sources]
    skilled = next(survey for survey in get_surveys(surveyed_edition) if survey.policy == "skilled")
    assert count_reversis(skilled, "PAM") == (estimate_share(853, 65_536), estimate_share(515, 65_536))
    assert count_reversis(skilled, "ZZZ") is None


def test_where_only_the_whole_hand_counts_nothing_is_called_undertaken_and_ours_is_marked(
    surveyed_edition: Corpus,
) -> None:
    rows = {row.source.siglum: row for row in reversis_rates_view(surveyed_edition)[1]}
    assert {siglum for siglum, row in rows.items() if row.whole} == {"ACA", "GER"}
    assert {siglum for siglum, row in rows.items() if row.supplied} == {"PIE"}
    said = told(recounted(surveyed_edition, "skilled", "ACA", 10, 10))
    assert "1.0 made" in said and "for Pierer 1857 that is our assumption" in said


def test_without_a_survey_the_page_says_so(surveyed_edition: Corpus) -> None:
    assert told(with_extras(surveyed_edition, surveys=())) == NO_SURVEY
