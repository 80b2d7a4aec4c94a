"""Claims that pages make about the edition itself, each held to the data: words used, marks, dates, pools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.addnodes import pending_xref

from edition.corpus.corpus import Corpus
from edition.nodes.builders import TARGET
from edition.nodes.components import ANSWER_STATUS_MARKS, describe_status_mark
from edition.text.answers import SUMMARY, name_within
from edition.views import common as views
from edition.views.about import home
from edition.views.questions import question as asking
from edition.views.questions.all_answers import AGREEMENT_NAMES
from engine.settlement.settle import Settled, settle
from reversis.files.deals import iter_source_deals
from reversis.files.extras import get_deals, get_surveys
from reversis.findings.costs import OUR_POOL, describe_supplied_pools, find_supplied_pools, pools_note
from reversis.views import library_checks as agenda
from reversis.views.deals import separations as separating
from reversis.views.deals.deal import PROVENANCE
from reversis.views.home import home_start_view, render_home_start
from reversis.views.panels import source as source_panels
from reversis.views.panels.question import view_answer_effects
from reversis.views.rules import rules as howto
from reversis.views.surveys import costs as materiality
from reversis.views.surveys import distances as farness
from rulebook.model import Library
from rulebook.resolve import resolve
from rulebook.sources.paths import find_sources
from tests.support.handwritten import find_page
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS

SOURCES = find_sources()
HOUSE = SOURCES.parent
#: What a reader sees or takes away: pages, book, programs that write pages, data.
READ = (
    "*.md",
    "*.cff",
    "edition/**/*.md",
    "edition/**/*.py",
    "edition/**/*.html",
    "edition/static/*.js",
    "reversis/static/*.js",
    "edition/book/*.typ",
)
DATA = ("sources/**/*.yaml", "sources/**/*.xml", "sources/**/*.bib")
GLOSSARY = SOURCES / "glossary.yaml"
SYNONYMS = (GLOSSARY, HOUSE / "sources" / "indices.yaml")  #: readers look for the words of other books


def written() -> Iterator[tuple[Path, str]]:
    """Every file that people read, on one line."""
    for pattern in (*READ, *DATA):
        for path in sorted(HOUSE.glob(pattern)):
            if path.name != "CHANGELOG.md":
                yield path, on_one_line(path)


def on_one_line(path: Path) -> str:
    return " ".join(path.read_text(encoding="utf-8").split())


def text_of(made: nodes.Node | list[nodes.Node]) -> str:
    found = made if isinstance(made, list) else [made]
    return " ".join(" ".join(one.astext().split()) for one in found)


# --- words ----------------------------------------------------------------------------------------
def test_the_card_has_one_english_name() -> None:
    """Ace, king, queen, jack. Ids such as plain-knave live for ever and are no words."""
    knave = re.compile(r"(?<![\w-])knaves?(?![\w-])", re.IGNORECASE)
    said = {
        path.relative_to(HOUSE).as_posix()
        for path, words in written()
        if knave.search(words) and path not in SYNONYMS and not quotes_english(path)
    }
    assert said == set()


def quotes_english(path: Path) -> bool:
    """Whether a file holds the words of a source that is itself in English, and says knave."""
    return path.parent == HOUSE / "sources" / "HOY" and path.name in (
        "text.xml", "text.txt", "clauses.yaml", "coding-ed2.yaml", "settled.yaml"
    )  # fmt: skip


def test_carte_blanche_has_the_sense_of_other_games() -> None:
    said = on_one_line(GLOSSARY).partition("term: carte blanche")[2].partition("forms:")[0]
    assert "without figures (court cards)" in said and "nothing to do" not in said


@pytest.mark.slow
def test_the_decade_of_the_pamphlet_is_nowhere_told_as_certain(library: Library) -> None:
    record = library.sources["PAM"].record
    assert record["date"] == "probably 1780s" and "argument" in str(record["date_certainty"])
    for path, words in written():
        for found in re.finditer("1780s", words):
            assert "probabl" in words[max(0, found.start() - 90) : found.end() + 90], path


# --- what the front pages say of the game ---------------------------------------------------------
@pytest.mark.slow
def test_the_game_in_two_sentences_holds_in_every_source(library: Library, corpus: Corpus) -> None:
    """On the home page and in README: few points, and the jack of hearts, for which the pool is won or matched."""
    home_says = " ".join(node.astext() for node in render_home_start(home_start_view(corpus)))
    assert "Take few points, be rid of the jack of hearts (the quinola) in time" in home_says
    found = home_start_view(corpus).deal
    assert found is not None
    totals = sorted(result.total for result in found.results)
    said = on_one_line(HOUSE / "README.md")
    assert f"wins {totals[-1]} fish by one and loses {-totals[0]} Marquen by another" in said  # HOY and GER
    assert "take few points, and the jack of hearts can win or cost everything that is staked" in said
    for siglum in library.sources:
        loser, card, thrown, forced = (
            library.cell(siglum, slug)
            for slug in ("partie.loser", "quinola.card", "quinola.thrown-off.stake", "quinola.forced.stake")
        )
        assert loser and card and thrown and forced
        assert isinstance(loser.value, tuple) and loser.value[0] == "most-points"
        whole = {"draws": "matches", "draws-up-to-limit": "matches-up-to-limit"}
        assert card.value == "JH" and whole[str(thrown.value)] == forced.value


# --- whose words ----------------------------------------------------------------------------------
def test_what_is_printed_and_what_is_summed_up(library: Library, corpus: Corpus) -> None:
    """Six texts are printed, one is summed up; and not every payment rests on a sentence."""
    said = on_one_line(HOUSE / "README.md")
    assert sum(source.text is not None for source in library.sources.values()) == 6
    told = "The six old texts are printed as far as they were consulted, those in French and German with a translation;"
    assert f"{told} the modern English one, in copyright, is summarised." in said
    assert "or says that the answer is ours because the book is silent" in said
    books = {one.source.siglum: one.here for one in home.home_books_view(corpus)}
    for siglum, source in library.sources.items():
        ours = "in our own words, since it is in copyright"
        printed = "sentences with translation" if source.translation else "sentences"
        assert (printed if source.text else ours) in books[siglum]


@pytest.mark.release
def test_our_words_for_a_source_are_marked_as_ours_wherever_a_question_is_answered(corpus: Corpus) -> None:
    """By what the source has, a text or statements of ours, and not by its name."""
    seen = {True: 0, False: 0}
    for question in corpus.library.questions.values():
        asked = asking.question_view(corpus, question.id)
        page = text_of(asking.render_question(asked))
        assert "In its words" not in page
        for cell in asked.cells:
            printed = corpus.library.sources[cell.source.siglum].text is not None
            paraphrased = [
                quote.paraphrase for clause in cell.clauses for quote in clause.quotations if quote.paraphrase
            ]
            assert not (printed and paraphrased)
            seen[bool(paraphrased)] += 1
            for said in paraphrased:
                assert f"{SUMMARY} {said}" in page and page.count(said) == page.count(f"{SUMMARY} {said}")
    assert min(seen.values()) > 100


# --- what follows from the text -------------------------------------------------------------------
@pytest.mark.slow
def test_rule_pages_mark_what_is_implied_as_well_as_what_is_supplied(corpus: Corpus) -> None:
    for siglum in corpus.library.sources:
        view = howto.howto_view(corpus, siglum)
        told = [one for part in view.parts for one in part.told]
        (page,) = howto.render_howto(view)
        lines = [node for node in page.findall(nodes.inline) if "rv-rule" in node["classes"]]
        for one, line in zip(told, lines, strict=True):
            status = {each.slug: corpus.library.cell(siglum, each.slug) for each in one.questions}
            implied = [slug for slug, cell in status.items() if cell and cell.status == "implied"]
            assert [each.slug for each in one.implied] == implied
            marks = {mark["title"] for mark in _find_marks(line)}
            assert (ANSWER_STATUS_MARKS["follows"][1] in marks) == bool(implied)
            assert (describe_status_mark("ours", one.partial) in marks) == bool(one.ours)
            assert (ANSWER_STATUS_MARKS["doubtful"][1] in marks) == bool(one.doubtful)
        assert any(one.implied for one in told)


def _find_marks(line: nodes.Node) -> Iterator[dict[str, str]]:
    for one in line.findall(nodes.inline):
        if "rv-status" in one["classes"]:
            yield one["html"]


# --- pools that we supply -------------------------------------------------------------------------
STAKES = ("stake.first.each", "stake.first.dealer", "stake.dealer-adds")


def with_stated_stakes(corpus: Corpus, siglum: str) -> Corpus:
    """As if a source said what is put in before the first deal."""
    source = corpus.library.sources[siglum]
    clauses = tuple(
        replace(clause, status="stated", taken_from="") if set(clause.answers) & set(STAKES) else clause
        for clause in source.clauses
    )
    library = replace(corpus.library, sources={**corpus.library.sources, siglum: replace(source, clauses=clauses)})
    return replace(corpus, library=library)


def test_a_pool_is_ours_where_the_source_does_not_say_what_is_put_in(corpus: Corpus) -> None:
    surveyed = dict.fromkeys(table.siglum for survey in get_surveys(corpus) for table in survey.tables)
    silent = [s for s in surveyed if any(c and c.supplied for c in (corpus.cell(s, q) for q in STAKES))]
    assert list(find_supplied_pools(corpus)) == silent and 0 < len(silent) < len(corpus.library.sources)
    first = silent[0]
    assert list(find_supplied_pools(with_stated_stakes(corpus, first))) == silent[1:]
    assert pools_note([]) == "" and first in pools_note(silent)


def test_several_sources_whose_pools_are_ours_are_listed() -> None:
    said = [pools_note("ABC"[:number]).partition(":")[0] for number in (1, 2, 3)]
    assert said == [
        "The opening pool (A) is our assumption",
        "The opening pools (A and B) are our assumption",
        "The opening pools (A, B and C) are our assumption",
    ]


@pytest.mark.release
def test_every_page_with_shares_of_such_a_pool_says_so(corpus: Corpus) -> None:
    note = describe_supplied_pools(corpus)
    assert all(corpus.library.sources[siglum].short_name in note for siglum in find_supplied_pools(corpus))
    for said in (
        text_of(farness.render_distance_table(farness.distances_view(corpus))),
        text_of(materiality.render_costs(materiality.costs_view(corpus))),
        text_of(agenda.render_agenda(agenda.agenda_view(corpus))),
    ):
        assert note in said and ("our pool" in said or materiality.OUR_POOL_MARK in said)
    view = farness.distances_view(corpus)
    assert view is not None
    for way in (way for measure in view.measures for way in measure.ways):
        assert way.pool_supplied == (way.own in find_supplied_pools(corpus))
    changes = [view_answer_effects(corpus, question.id) for question in corpus.library.questions.values()]
    lines = [view.cost.words for view in changes if view and view.cost and view.cost.weighed]
    for line in lines:
        for siglum, source in corpus.library.sources.items():
            assert f"({siglum}" not in line
            assert (f"({name_within(source)}, {OUR_POOL}, with" in line) == (
                siglum in find_supplied_pools(corpus) and f"({name_within(source)}" in line
            )


@pytest.mark.slow
def test_a_figure_says_how_far_other_readings_move_it_or_that_they_were_not_tried(corpus: Corpus) -> None:
    proof = text_of(ALL_RENDERERS["proof"](ALL_VIEWS["proof"](corpus, "findings")))
    assert "Skilled players: 32.49" in proof and "(by GER.i01) to 34.23" in proof
    assert "(as we read it)" in proof and "[]" not in proof and "\N{EN DASH}" not in proof
    moved = "27.5 to 34.2 of 100 deals of skilled players"
    costs = text_of(materiality.render_costs(materiality.costs_view(corpus)))
    assert "Other readings were not tried for these figures, but for one" in costs and moved in costs
    tried, other = (
        text_of(ALL_RENDERERS["question"](ALL_VIEWS["question"](corpus, question))) for question in ("Q033", "Q031")
    )
    untried = "Other readings of the books were not tried for these figures."
    assert moved in tried and untried not in tried and untried in other


def test_a_payment_that_rests_on_an_assumption_of_ours_says_so_beside_it(corpus: Corpus) -> None:
    said = text_of(ALL_RENDERERS["deal"](ALL_VIEWS["deal"](corpus, "ger-five-players"))).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    cited = re.findall(r"with ((?:c\d+(?: \(our assumption\))?(?:, )?)+)\.", said)
    assert cited and "c056 (our assumption)" in said
    for siglum in ("ACA", "GER"):
        (ledger,) = re.findall(rf"Rests on {siglum}\.c\d+, with ([^.]*)\.", said)[:1]
        for one in ledger.split(", "):
            assert corpus.library.clause(f"{siglum}.{one.split()[0]}").supplied == ("our assumption" in one)


# --- doubts that the text answers, and an essay that heeds the rivals -----------------------------
def test_pam_s0053_answers_what_s0044_leaves_open_and_the_agenda_asks_it_no_more(corpus: Corpus) -> None:
    view = agenda.agenda_view(corpus)
    assert view is not None
    assert "PAM.c204" not in {one.clause for one in (*view.doubts, *view.unsurveyed)}
    (gone,) = (one for one in corpus.gone if one.id == "PAM.i21")
    assert "s0053" in gone.why and "PAM.c204" in gone.see


# --- what pages say of the edition itself ----------------------------------------------------------------------------


def by_hand(name: str) -> str:
    """A page that is written by hand, its line ends forgotten."""
    return " ".join(find_page(name).read_text(encoding="utf-8").split())


def test_questions_that_no_source_answers_are_owned_up_to(corpus: Corpus) -> None:
    every = corpus.library.questions.values()
    assert [one.id for one in every if views.classify_agreement(corpus, one) == "nobody"]
    said = by_hand("taking-part")
    assert "is not taken up" not in said and f"*{AGREEMENT_NAMES['nobody']}*" in said


@pytest.mark.parametrize("name", ["reading", "deals", "index"])
def test_where_a_deal_is_promised_to_be_settled_the_folder_is_excepted(name: str) -> None:
    said = by_hand(name)
    assert "reversis serve" in said and "from a folder on a disk" in said
    assert "start" in said[said.index("folder on a disk") :] or "helps there" in said


def test_every_origin_of_a_deal_is_explained_and_the_one_that_does_not_occur_is_said_not_to(corpus: Corpus) -> None:
    said, found = by_hand("deals"), {deal.provenance for deal in get_deals(corpus)}
    assert all(f"*{origin}*" in said for origin in PROVENANCE)
    assert "generated" in found and ("printed" not in found) == ("none does so far" in said)


@pytest.mark.parametrize("siglum", ["ACA", "GER", "HOY", "PAM"])
def test_the_page_of_a_source_counts_all_deals_of_its_own_and_those_that_come_to_a_result(
    corpus: Corpus, siglum: str
) -> None:
    (words,) = source_panels.render_own_share(source_panels.view_own_share(corpus, siglum))  # type: ignore[arg-type]
    own = [*iter_source_deals(corpus.library, siglum)]
    rules = resolve(corpus.library, siglum)
    settled = sum(isinstance(settle(deal, rules), Settled) for deal in own)
    whose = f"its {len(own)}" if settled == len(own) else f"the {settled} of its {len(own)}"
    assert words.astext().startswith(f"To settle {whose} example deals")


@pytest.mark.release
def test_no_page_of_figures_counts_many_counters_in_the_singular(corpus: Corpus) -> None:
    units = "|".join(source.unit for source in corpus.library.sources.values() if source.unit != "fish")
    alone = re.compile(rf"(?<![\d.,])(?!1 )[\d.,]*\d ({units})\b")
    wanted = (
        ("distance-table", ""),
        ("itself", ""),
        ("costs", ""),
        *(("cost-table", source) for source in corpus.library.sources),
    )
    text = " ".join(
        node.astext() for kind, name in wanted for node in ALL_RENDERERS[kind](ALL_VIEWS[kind](corpus, name))
    )
    assert "jetons" in text and [found[0] for found in alone.finditer(text)] == []


@pytest.mark.slow
def test_a_verdict_leads_to_where_it_is_explained(corpus: Corpus) -> None:
    made = separating.render_separations(separating.partings_view(corpus))
    marked = (one for node in made for one in node.findall(nodes.Element))
    places = [(kind, target) for one in marked for kind, target, *_ in one.get(TARGET, [])]
    assert places.count(("parting", separating.VERDICTS_TOLD)) == 1
    told = " ".join(node.astext() for node in made)
    for slug in ("ace.forced.payee", "espagnolette.forced"):
        view = asking.question_view(corpus, corpus.library.questions[slug].id)
        page = nodes.container("", *asking.render_question(view))
        ways = [(ref["reftype"], ref["reftarget"]) for ref in page.findall(pending_xref)]
        changes = view_answer_effects(corpus, view.link.id)
        assert changes and changes.cases and ("parting", separating.VERDICTS_TOLD) in ways
        assert all(case.verdict in told and case.verdict in page.astext() for case in changes.cases)


def test_every_sentence_that_a_deal_shows_is_there_in_english(corpus: Corpus) -> None:
    """Translated, in our summary, or as a book in English has it."""
    shown = {locus for deal in get_deals(corpus) for locus in deal.cites}
    sources = corpus.library.sources
    english = {locus: [*views.read_english_runs(corpus, sources[locus.partition(".")[0]], locus)] for locus in shown}
    assert {locus.partition(".")[0] for locus in shown} == {*sources}
    assert [locus for locus, runs in english.items() if not "".join(words for words, _, _ in runs).strip()] == []
