"""Rules: two minutes, a card and every rule once, with what it rests on, in words that a player understands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from jsonschema import Draft202012Validator
from sphinx.addnodes import pending_xref

from edition.corpus.corpus import Corpus
from reversis.views.rules.rule_list import howtos_view
from reversis.views.rules.rule_phrases import AnswerPhraser
from reversis.views.rules.rule_writer import RuleSentence
from reversis.views.rules.rules import HowtoView, howto_view, render_howto
from reversis.views.rules.two_minutes import ShortRules, render_card, short_rules_view
from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.answers.typed import parse_text
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Alternative, Cite, Clause, FrozenMap, Library, Like, Question, Source, Statement
from rulebook.phrases import flatten_pieces
from rulebook.schema.reference_records import (
    AgreedSumsRecord,
    NameRecord,
    RuleRecord,
    SectionRecord,
    ShortGroupRecord,
    TellingRecord,
    TermRecord,
    TwoMinutesRecord,
)
from rulebook.sources.paths import digest_sources, find_sources
from rulebook.sources.rule_sentences import TELLING_FILE, read_telling
from tests.support.library import NINE, corpus_of, write_nine_sources
from tests.support.pages import build_corpus

ROOT = find_sources()

# --- a tiny library ---------------------------------------------------------------------------------------

SUM = {"type": "integer", "unit": "smallest", "min": 0}
OF = FrozenMap({"fewest": "Those with the fewest tricks.", "first": "The first in play."})
ORDER, NUMBER = {"type": "order", "of": OF}, LIBRARY_KINDS["integer"]
QUESTIONS = {
    one.slug: one
    for one in (
        Question(
            "Q001", "toll.payee", "Who is paid?", "Toll", "payment", "c", {"leader": "He who led.", "nobody": "Nobody."}
        ),
        Question("Q002", "toll.amount", "How much is paid?", "Toll", "payment", "c", measure=SUM, kind=NUMBER),
        Question("Q003", "toll.twice", "How much the second time?", "Toll", "payment", "c", measure=SUM, kind=NUMBER),
        Question("Q004", "toll.order", "Who wins?", "Toll", "award", "c", measure=ORDER, kind=LIBRARY_KINDS["order"]),
        Question("Q005", "toll.word", "What is it called?", "Words", "table", "c", {"a": "A."}, not_played="a word"),
    )
}
TELLING = """\
names:
  pool: {otherwise: pool, terms: [g-pot]}
left_out: {Q005: a word}
sections:
- id: toll
  title: "Toll and {pool}"
  rules:
    Q001:
      readings:
        leader: Whoever led is paid {Q002} out of the {pool}.
        nobody: Nobody is paid.
    Q002:
      called: for the first toll
      says: The toll is {answer}.
    Q003:
      readings:
        "0": The second toll is free.
      says: The second toll is {answer}.
- id: prize
  title: Prize
  needs: "toll.payee != nobody"
  rules:
    Q004:
      says: The prize goes to {answer}.
      words: {fewest: him who has the fewest tricks}
      then: {first: "failing that, the first"}
"""
N1, N2 = Cite("BBB.n01"), Cite("BBB.n02")


def clause(number: int, answers: dict[str, Any], status: str = "stated", **more: Any) -> Clause:
    return Clause(f"BBB.c{number:03}", "BBB", answers, status, "high", "ed1", **more)


CLAUSES = (
    clause(1, {"toll.payee": "leader"}, cites=(N1,)),
    clause(2, {"toll.amount": 10}, cites=(N2,)),
    clause(3, {"toll.twice": Like("toll.amount", 2)}, "silent", taken_from="practice"),
    clause(4, {"toll.order": ("fewest", "first")}, cites=(N1,)),
)


def library(*clauses: Clause, questions: dict[str, Question] = QUESTIONS) -> Library:
    record = {"short_title": "The tolls", "language": "en", "units": {"smallest": "fish", "multiples": {"counter": 5}}}
    statements = (Statement("BBB.n01", "Toll", "The leader is paid."), Statement("BBB.n02", "Toll", "It is ten."))
    return Library(questions, {"BBB": Source("BBB", record, clauses or CLAUSES, statements=statements)})


Read = Callable[..., HowtoView]


def told_in(tmp_path: Path, words: str, found: Library, terms: tuple[TermRecord, ...] = ()) -> tuple[Corpus, list[str]]:
    (tmp_path / TELLING_FILE).write_text(words, encoding="utf-8")
    telling, problems = read_telling(tmp_path, found, {"g-pot"})
    return build_corpus(found, terms, telling=telling), [problem.what for problem in problems]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def reader(*clauses: Clause, words: str = TELLING, terms: tuple[TermRecord, ...] = (), **more: Any) -> HowtoView:
        corpus, problems = told_in(tmp_path, words, library(*clauses, **more), terms)
        assert problems == []
        return howto_view(corpus, "BBB")

    return reader


def lines(view: HowtoView) -> dict[str, list[str]]:
    return {part.title: [flatten_pieces(one.said) for one in part.told] for part in view.parts}


def told(view: HowtoView, question: str) -> RuleSentence:
    (found,) = [one for part in view.parts for one in part.told if question in [q.id for q in one.questions]]
    return found


# --- sentences ---------------------------------------------------------------------------------------------


def test_rules_are_told_in_the_order_of_the_headings_and_an_answer_filled_in_is_not_told_again(read: Read) -> None:
    assert lines(read()) == {
        "Toll and pool": [
            "Whoever led is paid 10 fish (2 counters) out of the pool.",
            "The second toll is 20 fish (twice as much as for the first toll).",
        ],
        "Prize": ["The prize goes to him who has the fewest tricks; failing that, the first."],
    }


def test_a_sentence_rests_on_the_clauses_of_every_answer_in_it(read: Read) -> None:
    first = told(read(), "Q002")
    assert [question.id for question in first.questions] == ["Q001", "Q002"]
    assert first.clauses == ("BBB.c001", "BBB.c002")
    assert first.places == (("BBB.n01", ""), ("BBB.n02", ""))
    assert not first.ours


def test_what_we_supply_is_ours_and_says_from_where(read: Read) -> None:
    second = told(read(), "Q003")
    assert second.all_ours and [ground for _, _, ground in second.ours] == ["the practice of the game"]


def test_where_only_a_part_is_ours_that_part_is_named(read: Read) -> None:
    partly = told(read(CLAUSES[0], clause(2, {"toll.amount": 10}, "silent", taken_from="logic")), "Q001")
    assert not partly.all_ours and [question.id for question, _, _ in partly.ours] == ["Q002"]


def test_what_points_to_an_answer_of_ours_is_no_more_the_source_s_than_that_one(read: Read) -> None:
    supplied = clause(2, {"toll.amount": 10}, "silent", taken_from="logic")
    pointing = clause(3, {"toll.twice": Like("toll.amount", 2)}, cites=(N2,))
    second = told(read(CLAUSES[0], supplied, pointing), "Q003")
    assert [(question.id, clause) for question, clause, _ in second.ours] == [("Q002", "BBB.c002")]
    assert not second.all_ours and second.clauses == ("BBB.c003",)


def test_where_a_gap_cannot_be_filled_the_question_and_its_gloss_stand_in_its_place(read: Read) -> None:
    view = read(CLAUSES[0])
    assert lines(view) == {"Toll and pool": ["Who is paid? He who led."]}
    assert not told(view, "Q001").worded


def test_a_source_is_told_in_its_own_words(read: Read) -> None:
    pot = TermRecord(id="g-pot", term="pot", lang="en", definition="The pool.", attestations=["BBB.n01"])
    foreign = TermRecord(id="g-pot", term="pot", lang="en", definition="The pool.", attestations=["AAA.n01"])
    assert "Toll and pot" in lines(read(terms=(pot,)))
    assert "Toll and pool" in lines(read(terms=(foreign,)))


def test_options_and_other_readings_have_sentences_of_their_own(read: Read) -> None:
    others = (
        Alternative("BBB.o01", "option", "twice as much", {"toll.amount": 20}),
        Alternative("BBB.i01", "interpretation", "nobody at all", {"toll.payee": "nobody"}),
        Alternative("BBB.i02", "interpretation", "no toll", {"toll.payee": "nobody", "toll.amount": 10}),
    )
    found = told(
        read(replace(CLAUSES[0], alternatives=others[1:]), replace(CLAUSES[1], alternatives=others[:1])), "Q001"
    )
    assert [(one.id, one.kind, flatten_pieces(one.said)) for one in found.others] == [
        ("BBB.i01", "interpretation", "Nobody is paid."),
        ("BBB.i02", "interpretation", ""),  # it would read the same, so its name is told
        ("BBB.o01", "option", "The toll is 20 fish (4 counters)."),
    ]


def test_what_a_source_leaves_open_is_listed(read: Read) -> None:
    view = read(*CLAUSES[:3], clause(4, {}, "silent", about=("toll.order",)))
    assert [(group, [question.id for question, _ in rows]) for group, rows in view.open] == [("Toll", ["Q004"])]


# --- the file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("    Q003:", "    Q009:", "there is no question Q009"),
        ("        nobody: Nobody", "        nobdy: Nobody", "Q001: nobdy is no reading of toll.payee"),
        ("{Q002} out", "{Q092} out", "nothing is called {Q092}"),
        ("the {pool}.", "the {pol}.", "nothing is called {pol}"),
        ("the {pool}.", "the {pool.", "a brace is not closed"),
        ('"0": The second', '"-1": The second', "Q003: -1 is too little"),
        ("words: {fewest:", "words: {fewst:", "no answer to Q004 has a part fewst"),
        ("[g-pot]", "[g-pott]", "no term g-pott"),
        ("Q005: a word", "Q003: a word", "Q003 stands twice"),
        ("left_out: {Q005: a word}", "left_out: {Q006: a word}", "there is no question Q006"),
        ("toll.payee != nobody", "toll.payer != nobody", "no question toll.payer"),
        ("    Q002:\n", "    Q002:\n      sais: x\n", "the entry sais is unknown here"),
        (
            "      readings:\n        leader",
            "      says: x\n      readings:\n        leader",
            "Q001 is answered from a closed list",
        ),
    ],
)
def test_a_slip_in_the_file_is_told(tmp_path: Path, before: str, after: str, what: str) -> None:
    assert before in TELLING
    _, problems = told_in(tmp_path, TELLING.replace(before, after, 1), library())
    assert any(problem.startswith(what) for problem in problems), problems


def test_a_question_that_is_played_cannot_be_left_out(tmp_path: Path) -> None:
    words = re.sub(r"- id: prize.*", "", TELLING, flags=re.S).replace("{Q005: a word}", "{Q004: a word}")
    assert told_in(tmp_path, words, library())[1] == ["Q004 is played and cannot be left out"]


def test_without_the_file_every_rule_is_told_by_its_question(tmp_path: Path) -> None:
    assert read_telling(tmp_path, library(), ()) == (TellingRecord(), [])
    assert lines(howto_view(build_corpus(library()), "BBB"))["Other rules"][0] == "Who is paid? He who led."


def test_the_schema_knows_just_the_entries_that_are_read_and_the_file_agrees_with_it() -> None:
    schema = json.loads((ROOT / "schema" / "telling.schema.json").read_text(encoding="utf-8"))
    defs = schema["$defs"]
    pairs = ((schema, TellingRecord), (defs["name"], NameRecord), (defs["rule"], RuleRecord))
    more = ((defs["two_minutes"], TwoMinutesRecord), (defs["short_group"], ShortGroupRecord))
    for known, record in (*pairs, *more, (defs["section"], SectionRecord), (defs["agreed"], AgreedSumsRecord)):
        assert set(known["properties"]) == set(record.model_fields)
    raw, _, problems = read_yaml(ROOT / TELLING_FILE)
    assert problems == []
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(raw)) == []


def test_the_words_are_no_part_of_the_fingerprint_of_the_sources(tmp_path: Path) -> None:
    (tmp_path / "glossary.yaml").write_text("[]", encoding="utf-8")
    before = digest_sources(tmp_path)
    (tmp_path / TELLING_FILE).write_text(TELLING, encoding="utf-8")
    assert digest_sources(tmp_path) == before


# --- the real sources --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def views(corpus: Corpus) -> dict[str, HowtoView]:
    return {siglum: howto_view(corpus, siglum) for siglum in corpus.library.sources}


def all_told(view: HowtoView) -> list[RuleSentence]:
    return [one for part in view.parts for one in part.told]


@pytest.mark.slow
def test_every_question_that_a_source_answers_is_told_once(corpus: Corpus, views: dict[str, HowtoView]) -> None:
    for siglum, view in views.items():
        asked = {question.slug for one in all_told(view) for question in one.questions}
        own = [one.questions[0].slug for one in all_told(view)]  # the others fill its gaps: a limit may in several
        cells = {slug: corpus.cell(siglum, slug) for slug in corpus.library.questions}
        answered = {slug for slug, cell in cells.items() if cell and cell.value is not None}
        assert len(own) == len(set(own)), siglum
        assert asked == answered - set(corpus.telling.left_out), siglum


def test_every_sentence_has_its_grounds_or_is_ours(views: dict[str, HowtoView]) -> None:
    for view in views.values():
        for one in all_told(view):
            assert one.clauses and (one.places or one.all_ours), flatten_pieces(one.said)


def test_every_answer_of_the_sources_has_been_put_into_a_sentence(views: dict[str, HowtoView]) -> None:
    assert [flatten_pieces(one.said) for view in views.values() for one in all_told(view) if not one.worded] == []


def test_every_sentence_is_whole(views: dict[str, HowtoView]) -> None:
    for view in views.values():
        for one in all_told(view):
            for said in (flatten_pieces(one.said), *(flatten_pieces(each.said) for each in one.others if each.said)):
                assert re.fullmatch(r"[A-Z][^{}_]*[^ ]\.", said), said
                assert not re.search(r"  | [.,;:]|\.\.|,,|\bNone\b", said), said


def test_every_reading_of_every_question_has_a_sentence(corpus: Corpus) -> None:
    rules = corpus.telling.rules
    for question in corpus.library.questions.values():
        if question.slug in corpus.telling.left_out:
            continue
        rule = rules[question.slug]
        without = [reading for reading in question.readings if not rule.sentence(reading)]
        assert without == [], question.id
        assert question.closed or rule.says, question.id


def test_every_part_of_an_answer_has_words(corpus: Corpus) -> None:
    for question in corpus.library.questions.values():
        of = question.measure.get("of", {})
        rule = corpus.telling.rules.get(question.slug)
        if isinstance(of, dict | FrozenMap) and of and rule and not question.measure.get("like"):
            assert set(of) <= {*rule.words, *rule.then}, question.id


def test_a_source_tells_its_sums_in_its_own_counters(corpus: Corpus, views: dict[str, HowtoView]) -> None:
    for siglum, view in views.items():
        units = {other.unit for other in corpus.library.sources.values()} - {corpus.library.sources[siglum].unit}
        words = " ".join(flatten_pieces(one.said) for one in all_told(view))
        assert not [unit for unit in units if re.search(rf"\d {unit}", words)]


def test_the_first_deal_is_one_of_the_source_s_own(corpus: Corpus, views: dict[str, HowtoView]) -> None:
    for siglum, view in views.items():
        assert view.first is not None
        (path,) = [path for path in corpus.library.deals if Path(path).stem == view.first.id]
        assert path.startswith(f"{siglum}/") and view.first.payments


def test_an_answer_typed_is_told_as_the_same_answer_coded(corpus: Corpus) -> None:
    source = corpus.library.sources["PAM"]
    question = corpus.library.question("Q047")
    value, _ = parse_text(question, "1, -1")
    assert value is not None
    found = AnswerPhraser(corpus, source).phrase(question, value, {})
    assert found is not None and flatten_pieces(found) == "the first trick and the last"


def test_a_sum_that_rests_on_a_supplied_one_is_marked_by_every_source(
    corpus: Corpus, views: dict[str, HowtoView]
) -> None:
    marked = 0
    for siglum, view in views.items():
        for one in all_told(view):
            for question in one.questions:
                cell = corpus.cell(siglum, question.slug)
                value = cell.value if cell else None
                target = corpus.cell(siglum, value.question) if isinstance(value, Like) else None
                if target and target.supplied:
                    marked += 1
                    assert one.ours, flatten_pieces(one.said)
    assert marked


def test_two_rules_on_one_payment_say_that_it_is_one(views: dict[str, HowtoView]) -> None:
    """PAM.c091, PAR.c068: twice in all, not twice and the stake owed for losing besides."""
    for siglum in ("PAM", "PAR"):
        assert "twice as much in all; what they owe for losing is included" in flatten_pieces(
            told(views[siglum], "Q091").said
        )
    assert "charged only once" in flatten_pieces(told(views["PAM"], "Q209").said)


def test_no_sentence_points_to_the_one_after_it(views: dict[str, HowtoView]) -> None:
    """What follows in one source may not in another: its answer can be missing, or part of an earlier sentence."""
    said = [flatten_pieces(one.said) for view in views.values() for one in all_told(view)]
    assert not [one for one in said if re.search(r"\b(told|said|described) (next|above|below)\b|\bas follows\b", one)]


def test_sentences_name_no_player_by_a_masculine_pronoun(corpus: Corpus) -> None:
    for rule in corpus.telling.rules.values():
        for said in (rule.says, rule.same, *rule.readings.values(), *rule.words.values(), *rule.then.values()):
            assert not re.search(r"\b(he|him|his|himself)\b", said), said


def test_nobody_is_said_to_pay_nothing_where_a_later_rule_has_him_pay(views: dict[str, HowtoView]) -> None:
    """GER.s0039: the player who led first pays a part, though he is not the loser."""
    assert "of the player who led first, who pays the other half" in flatten_pieces(told(views["GER"], "Q067").said)
    assert flatten_pieces(told(views["GER"], "Q060").said) == "The loser pays the winner."


# --- the page ------------------------------------------------------------------------------------------------------


def targets_of(node: nodes.Node) -> set[tuple[str, str]]:
    return {(ref["reftype"], ref["reftarget"]) for ref in node.findall(pending_xref)}


def items_of(page: nodes.Node, kind: type[nodes.Element], cls: str = "") -> list[Any]:
    return [item for found in page.findall(kind) if not cls or cls in found["classes"] for item in found.children]


@pytest.mark.release
def test_every_rule_on_the_page_leads_to_what_it_rests_on(views: dict[str, HowtoView]) -> None:
    for siglum, view in views.items():
        (page,) = render_howto(view)
        rules = items_of(page, nodes.bullet_list, "rv-rules")
        assert len(rules) == len(all_told(view))
        for item, one in zip(rules, all_told(view), strict=True):
            targets = targets_of(item)
            assert {("clause", id) for id in one.clauses} <= targets
            assert {("sentence", locus) for locus, _ in one.places} <= targets
            assert {("cell", f"{question.id}@{siglum}") for question in one.questions} <= targets
            assert {("alternative", other.id) for other in one.others} <= targets
            assert ("our assumption" in item.astext()) == bool(one.ours)


@pytest.mark.slow
def test_the_full_rules_say_how_many_are_the_book_s_and_how_many_are_ours(views: dict[str, HowtoView]) -> None:
    for view in views.values():
        page = render_howto(view)[0].astext()
        ours = sum({question for question, _, _ in one.ours} == {*one.questions} for one in all_told(view))
        own = len(all_told(view)) - ours
        lead = page.partition("Full rules: ")[2].partition("The number after a rule")[0]
        assert f"{own} rules of " in lead and f"{ours} that we assume" in lead and "Every rule" not in lead
        assert own > 0 and ours > 0


@pytest.mark.slow
def test_what_is_left_open_says_which_unanswered_questions_are_not_listed(
    corpus: Corpus, views: dict[str, HowtoView]
) -> None:
    """MEY leaves 69 questions without any answer, of which 59 are listed."""
    for siglum, view in views.items():
        cells = [cell for slug in corpus.library.questions if (cell := corpus.cell(siglum, slug))]
        unanswered = [one.question for one in cells if one.value is None and one.status in ("silent", "not-collated")]
        listed = {one.slug for _, rows in view.open for one, _ in rows}
        beside = len([slug for slug in unanswered if slug in corpus.telling.left_out])
        never = len(unanswered) - len(listed) - beside
        said = render_howto(view)[0].astext().partition("What the source leaves open")[2].partition("Not listed")[2]
        assert never + beside > 0 and f"{never + beside} questions without an answer" in said.partition(".")[0]
        assert (f"{never} that cannot arise" in said) == bool(never)
        assert (f"{beside} about words or customs" in said) == bool(beside)


# --- two minutes -----------------------------------------------------------------------------------------------------


def said_in(view: ShortRules) -> list[str]:
    return [" ".join(flatten_pieces(sentence.said) for sentence in sentences) for sentences, _ in view.lines]


def test_two_minutes_tell_every_card_with_the_rights_of_the_quinola_and_the_exchange_across_the_table(
    views: dict[str, HowtoView],
) -> None:
    said = {siglum: " ".join(said_in(view.short)) for siglum, view in views.items()}
    sigla = {
        siglum for siglum, words in said.items() if "the little quinola" in words and "with a pool of its own" in words
    }
    assert sigla == {
        siglum for siglum, words in said.items() if "those who sit opposite give each other one card" in words
    }
    assert len(sigla) == 1  # the other books have one quinola, and nobody gives a card to another player


def test_two_minutes_say_how_the_cards_are_dealt_and_how_sure_it_is_when_the_quinola_is_forced(
    corpus: Corpus, views: dict[str, HowtoView]
) -> None:
    for siglum, view in views.items():
        said = " ".join(said_in(view.short))
        assert "the dealer gets 12, each other player 11, and three are left over" in said, siglum
        forced = [
            one for line, _ in view.short.lines for one in line if "Q033" in {asked.id for asked in one.questions}
        ]
        cell = corpus.cell(siglum, "quinola.forced.when")
        assert [("doubtful" in one.statuses) for one in forced] == [cell is not None and cell.status == "ambiguous"]


def test_every_line_unfolds_quotations_or_is_our_assumption(views: dict[str, HowtoView]) -> None:
    for view in views.values():
        for sentences, quotations in view.short.lines:
            assert quotations or all(sentence.all_ours for sentence in sentences), sentences[0].said
            quoted = [quote.locus for quote in quotations]
            assert set(quoted) == {locus for sentence in sentences for locus, _ in sentence.places}
            assert len(quoted) == len(set(quoted))


def test_of_a_source_in_our_words_no_quotation_is_repeated(corpus: Corpus, views: dict[str, HowtoView]) -> None:
    for siglum, view in views.items():
        if corpus.library.sources[siglum].text is None:
            (page,) = render_howto(view)
            quoted = {quote.exact for _, quotations in view.short.lines for quote in quotations if quote.exact}
            shown = [node.astext() for node in page.findall(nodes.block_quote)]
            assert shown and not [one for one in shown if any(f"“{words}”" in one for words in quoted)]


def test_a_nearly_silent_source_gets_what_it_says_and_not_what_we_assume(corpus: Corpus) -> None:
    record = corpus.library.sources["PAM"].record
    spoken = Clause("BBB.c001", "BBB", {"play.follow": "must"}, "stated", "high", "ed1", cites=(N1,))
    fine = Clause("BBB.c002", "BBB", {"revoke.fine": 3}, "stated", "high", "ed1", cites=(N2,))
    names = ("play.trick-taker", "play.next-leader", "partie.paid-by")
    cells = {slug: corpus.answers_of["PAM"][slug] for slug in names}
    ours = [
        Clause(f"BBB.c{at:03}", "BBB", {slug: value}, "silent", "low", "ed1", taken_from="practice")
        for at, (slug, value) in enumerate(cells.items(), 10)
    ]
    assert ours
    found = Library(corpus.library.questions, {"BBB": Source("BBB", record, (spoken, fine, *ours))})
    view = short_rules_view(build_corpus(found, telling=corpus.telling), "BBB")
    assert (
        view.terse
        and len(view.lines) == 2
        and not any(sentence.ours for sentences, _ in view.lines for sentence in sentences)
    )
    assert said_in(view)[0] == "Players must follow suit if they can."


def test_nine_sources_have_their_pages_their_cards_and_their_place_in_the_list(tmp_path: Path) -> None:
    found = corpus_of(write_nine_sources(tmp_path))
    for siglum in NINE:
        view = howto_view(found, siglum)
        assert view.short.lines and not any(
            sentence.ours for sentences, _ in view.short.lines for sentence in sentences
        )
        assert render_howto(view) and render_card(view.short)
    assert len(howtos_view(found)) == len(NINE)


def test_without_an_order_of_importance_a_source_gets_what_it_says(read: Read) -> None:
    view = read().short
    assert said_in(view) == [
        "Whoever led is paid 10 fish (2 counters) out of the pool.",
        "The prize goes to him who has the fewest tricks; failing that, the first.",
    ]


SHORT = """\
two_minutes:
  aim: [Q004]
  groups:
  - {title: "About the {pool}", lines: [[Q003], [Q001]]}
  payments: []
sections:
"""


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("[[Q003], [Q001]]", "[[Q003], [Q003]]", "Q003 stands twice in the rules in two minutes"),
        ("aim: [Q004]", "aim: [Q005]", "no section tells Q005"),
        ("aim: [Q004]", "aim: [Q009]", "there is no question Q009"),
        ("About the {pool}", "About the {pol}", "nothing is called {pol}"),
    ],
)
def test_a_slip_in_the_order_of_importance_is_told(tmp_path: Path, before: str, after: str, what: str) -> None:
    words = TELLING.replace("sections:\n", SHORT)
    assert before in words
    assert [problem[: len(what)] for problem in told_in(tmp_path, words.replace(before, after, 1), library())[1]] == [
        what
    ]


def test_a_rank_that_the_pack_lacks_is_not_told(views: dict[str, HowtoView]) -> None:
    order = {
        siglum: next(
            flatten_pieces(one.said) for one in all_told(view) if "Q004" in {each.id for each in one.questions}
        )
        for siglum, view in views.items()
    }
    told_of_tens = {siglum: "10" in said for siglum, said in order.items()}
    assert {siglum for siglum, told in told_of_tens.items() if told} == {"ACA", "GER"}


def test_what_hangs_on_an_answer_that_leaves_no_room_is_not_left_to_the_players(
    corpus: Corpus, views: dict[str, HowtoView]
) -> None:
    open_ = {one.id for _, rows in views["ACA"].open for one, _ in rows}
    hanging = corpus.library.cell("ACA", "espagnolette.until")
    assert hanging is not None and (hanging.status, hanging.value) == ("silent", None)
    assert "Q104" in open_ and "Q081" not in open_
