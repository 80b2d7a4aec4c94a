"""Why and why not, told: in the words of the source, on the screen, as data, and on the deals' pages."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from engine.deal.model import Deal
from engine.settlement.explain import reckon
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from engine.settlement.payments.rules import RULES
from engine.settlement.settle import settle
from reversis.cli.explain import serialize_explanation
from reversis.files.deals import list_deal_entries, read_worked
from reversis.views.deals import deal as pages
from reversis.words.deal_views import view_deal
from reversis.words.explanation import NONPAYMENT_PHRASES, build_explanation, select_lines
from reversis.words.ledgers import LedgerView
from reversis.words.spoken_answers import SpokenRules, speak_answer
from rulebook.model import Library
from rulebook.resolve import Choice, read_choice, resolve
from tests.support import commands
from tests.support.commands import cache
from tests.support.deals import lay_deal, mixed
from tests.support.settling import SIGLA

__all__ = ["cache"]  # the fixture, for these tests too
run, said = partial(commands.run, "explain"), partial(commands.said, "explain")


def told(library: Library, name: str, source: str, *wishes: str) -> LedgerView:
    deal = read_worked(library, name).deal
    assert deal is not None
    return build_explanation(library, reckon(deal, resolve(library, source, [read_choice(library, w) for w in wishes])))


# ---- as an expert tells it
#: What is tried, the words of the command, and what must be read on the screen.
SAID: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "pam_s0071_s0073_s0074_a_sum_comes_about_before_ones_eyes": (
        *("pam-quinola-forced-opposite-last -s PAM --trick 11", 0),
        (
            "Trick 11: east's quinola is forced by west.",
            "east to west: 10 × 2 (they sit opposite) × 2 (in the last trick) = 40",
            "Who is paid for forcing the quinola? Whoever led the heart.",
            "“deux jettons de celui qui tenoit le quinola” (PAM.s0071; PAM.c032)",
            "Read here as “any quinola played on a heart”, rather than",
        ),
    ),
    "emendations_are_marked": ("aca-reversis -s ACA", 0, ("The page is emended here: ACA.e03.",)),
    "aca_s0018_a_led_ace_gains_and_loses_nothing": (
        *("aca-reversis -s ACA", 0),
        (
            "nothing is owed for the ace of diamonds, led by north, because by these rules nothing is paid",
            "ne gagne ni ne perd rien, s'il joue un as” (ACA.s0018; ACA.c018, ruled out)",
        ),
    ),
    "a_question_that_a_source_does_not_have_is_named_with_the_reason": (
        *("aca-reversis -s ACA", 0),
        (
            "Whose quinola counts for the stake in a reversis? These rules have no such question.",
            "A reversis draws the pool without regard to the quinola, and is made by all the tricks (ACA.c037)",
        ),
    ),
    "aca_s0016_a_refused_deal_is_told_with_the_card_and_the_words_that_forbid_it": (
        *("king-of-hearts-laid-out -s ACA", 1),
        (
            "By this source the deal cannot be played so South may not discard KH, a heart.",
            "“personne n'en peut écarter” (ACA.s0016; ACA.c116)",
        ),
    ),
    "at_every_payment_a_borrowed_sum_is_called_so_with_the_counter_of_its_lender": (
        *("mey-quinola-placed -s MEY", 0),
        (
            "west to south: 5 with a sum supplied from PAM, which counts in fiche",
            "east to west: 1 × 2 (they sit opposite) = 2 with a sum supplied from PAM, which counts in fiche",
        ),
    ),
    "the_help_tells_the_exit_codes": (
        *("-h", 0),
        ("Explain every payment of a deal, and why others are not made.", "Exit code 1 if the record is faulty"),
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_what_is_said(name: str) -> None:
    command, code, wanted = SAID[name]
    words = said(*command.split(), code=code)
    assert [one for one in wanted if one not in words] == []


@pytest.mark.slow
def test_pam_s0068_the_favoured_ace_has_a_sum_of_its_own_and_par_n13_a_multiple(library: Library) -> None:
    pam = told(library, "pam-espagnolette-lost-last", "PAM").entries[0]
    assert (pam.card, pam.sums[0]) == ("AD", "2 × 2 (in the first trick) = 4")
    par = next(p for p in told(library, "par-espagnolette-breaks", "PAR").entries if p.card == "AD")
    assert par.sums[0] == "1 × 2 (it is the ace of diamonds) × 2 (they sit opposite) = 4"


def test_pam_s0093_what_the_lost_espagnolette_gives_back_twice(library: Library) -> None:
    back = [
        p for p in told(library, "pam-espagnolette-lost-last", "PAM").entries if p.entry.rule == "espagnolette-returns"
    ]
    assert back[0].sums[0] == "4 × 2 (given back twice) = 8"


def test_ger_s0039_the_half_is_named_with_the_whole(library: Library) -> None:
    shared = next(p for p in told(library, "ger-anspieler-half", "GER").entries if len(p.postings) == 2)
    assert [*shared.sums] == ["7, half of 13", "6, half of 13"]


def test_by_another_reading_of_what_we_supply_its_reason_is_told_and_no_silence() -> None:
    words = said("ger-equal-eyes", "-s", "GER", "--with", "GER.i29")
    reason = words[words.index("– Q216") : words.index("(GER.i29)")]
    assert "nothing in it puts one before the other" in reason and "silent" not in reason


@pytest.mark.parametrize(("wishes", "told"), [([], "silent; supplied from ACA"), (["GER.i29"], "All of them meet")])
def test_a_ledger_cites_what_we_supply_by_the_reading_that_is_played(
    library: Library, wishes: list[str], told: str
) -> None:
    rules = resolve(library, "GER", [Choice(wish, named=wish) for wish in wishes])
    deal = read_worked(library, "ger-equal-eyes").deal
    assert deal is not None
    (ledger,) = view_deal(library, deal, [rules]).ledgers
    assert ledger.clause("GER.c152").words.startswith(told)


@pytest.mark.release
@pytest.mark.parametrize("siglum", SIGLA)
def test_every_sum_that_is_reckoned_comes_out(library: Library, siglum: str) -> None:
    sums = 0
    for entry in list_deal_entries(library):
        for payment in told(library, entry.id, siglum).entries:
            assert payment.postings and payment.because
            for posting, told_sum in zip(payment.postings, payment.sums, strict=True):
                factors = [int(n) for n in re.findall(r"(?:^|× )(\d+)", told_sum.partition(" = ")[0])]
                if " = " in told_sum:
                    assert prod(factors) == posting.amount, told_sum
                    sums += 1
    assert sums or siglum == "GER"


def test_par_is_told_in_our_words_only(library: Library) -> None:
    words = said("par-quinola-led", "-s", "PAR")
    assert "in our words: " in words and "(PAR.n" in words
    grounds = [g for p in told(library, "par-quinola-led", "PAR").entries for b in p.because for g in b.grounds]
    assert {g.kind for g in grounds} <= {"paraphrase", "supplied"}


def test_what_we_supply_is_marked_and_from_where() -> None:
    words = said("ger-quinola-placed", "-s", "GER")
    assert "GER says nothing here; we supply this from ACA." in words
    assert "because the source is silent, and by what the edition supplies nothing is paid" in said(
        "pam-quinola-placed", "-s", "PAM"
    )


@pytest.mark.release
def test_no_slug_and_no_code_is_left_in_what_is_told(library: Library) -> None:
    slugs = [slug for slug in library.questions if "." in slug]
    for name in ("pam-reversis-made-quinola-late", "aca-reversis", "ger-five-players", "par-espagnolette-lost"):
        for siglum in SIGLA:
            words = " ".join(run(name, "-s", siglum).output.split())
            assert not [slug for slug in slugs if re.search(rf"(?<![\w.]){re.escape(slug)}(?![\w.])", words)]
            assert not re.search(r"None\b\)|\{|\}|  |\.\.", words), words


# ---- why not


def test_what_comes_back_is_told_where_it_is_paid_and_summed_up_in_the_end() -> None:
    words = said("pam-reversis-made-quinola-late", "-s", "PAM")
    assert words.count("In the end all of this is given back, because of the reversis.") == 3
    assert "Of the payments above, 3 came to nothing, being given back because of the reversis." in words


def test_every_rule_has_words_for_what_is_not_paid() -> None:
    assert {*NONPAYMENT_PHRASES} >= {rule.name for rule in RULES}


def fragment() -> Deal:
    deal = lay_deal(tricks={2: "south:9S! east:AC"}, takers={2: "south"}, where=mixed)
    return replace(deal, tricks=deal.tricks[:2], fragment=True)


def test_what_a_fragment_leaves_open_is_told_so(library: Library) -> None:
    found = build_explanation(library, reckon(fragment(), resolve(library, "PAM")))
    assert "open" in {u.reason for u in found.unpaid}
    open_ = next(u for u in found.unpaid if u.reason == "open")
    assert "so far, because the tricks that are known do not decide it" in open_.sentence


def test_an_empty_pool_draws_nothing(library: Library) -> None:
    bare = {"pool": {"stake": 0, "waiting": []}}
    deal = lay_deal(tricks={5: "south:9S! east:JH"}, takers={5: "south"}, where=mixed, told=bare)
    found = build_explanation(library, settle(deal, resolve(library, "PAM")))
    drawn = next(u for u in found.unpaid if u.entry.rule == "draws-stake")
    assert drawn.reason == "empty-pool" and drawn.sentence.endswith("; but there was nothing in the pool")


# ---- wishes
def test_a_reading_an_option_and_a_wish_of_the_reader_are_named(library: Library) -> None:
    rival = told(library, "pam-quinola-gorged", "PAM", "PAM.i05")
    assert rival.ruleset == "PAM + PAM.i05"
    chosen = {b.chosen for p in rival.entries for b in p.because}
    assert "By the other reading: “the player alone pays” (PAM.i05)." in chosen
    option = next(
        a for c in library.sources["GER"].clauses for a in c.options if "quinola.thrown-off.amount" in a.answers
    )
    offered = {b.chosen for p in told(library, "ger-quinola-placed", "GER", option.id).entries for b in p.because}
    assert f"By the option that the source offers: “{option.label}” ({option.id})." in offered
    given = told(library, "pam-quinola-placed", "PAM", "ace.thrown-off.amount=7")
    assert "No source says so: it is the reader's wish." in {b.chosen for p in given.entries for b in p.because}
    assert "(not the rules of one source)" in said("pam-quinola-placed", "-s", "PAM", "--with", "Q020=7")


@pytest.mark.parametrize("siglum", SIGLA)
def test_every_answer_of_every_source_can_be_told(library: Library, siglum: str) -> None:
    words = SpokenRules(library, resolve(library, siglum))
    for slug, ruling in words.rules.rulings.items():
        found = speak_answer(words, words.question(slug), ruling.value)
        assert found[-1] in ".?!”" and "{" not in found and "None:" not in found, (slug, found)


# ---- only what is asked for
def test_only_a_trick_and_only_a_player(library: Library) -> None:
    whole = told(library, "pam-quinola-gorged", "PAM")
    eleventh = select_lines(whole, 11, "")
    assert {p.entry.fact.trick for p in eleventh.entries} == {11} and len(eleventh.entries) < len(whole.entries)
    west = select_lines(whole, None, "west")
    assert west.entries and all("west" in p.seats for p in (*west.entries, *west.unpaid))
    words = said("pam-quinola-gorged", "-s", "PAM", "--seat", "WEST")
    assert "west to north: 1 × 2 (in the first trick) = 2" in words
    assert "east's quinola is led" not in words


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("pam-quinola-gorged", "-s", "PAM", "--trick", "12"), "the deal has 11 tricks"),
        (("pam-quinola-gorged", "-s", "PAM", "--seat", "soth"), "There are: south, east, north, west."),
        (("pam-quinola-gorge", "-s", "PAM"), "Did you mean pam-quinola-gorged?"),
        (("pam-quinola-gorged", "-s", "PAN"), "There are: "),
        (("pam-quinola-gorged",), "Name a source:"),
        (("pam-quinola-gorged", "-s", "PAM", "--with", "Q999=1"), "no question"),
    ],
)
def test_who_mistypes_is_helped(words: tuple[str, ...], hint: str) -> None:
    assert hint in said(*words, code=2)


# ---- what cannot be settled


def test_a_refused_card_is_told_with_its_trick_and_what_was_lawful() -> None:
    words = said("espagnolette-renounces-again", "-s", "ACA", "--trick", "6", code=1)
    assert "Trick 6: south may not play AD; he may play JH." in words
    assert "Trick 1:" not in words
    found = json.loads(run("espagnolette-renounces-again", "-s", "ACA", "-f", "json").output)
    assert [(r["trick"], r["card"], r["legal"]) for r in found["refused"]] == [
        (1, "AS", ["AH", "JH"]),
        (6, "AD", ["JH"]),
    ]
    assert found["refused"][0]["because"][0]["clauses"][0]["words"][0]["locus"] == "ACA.s0005"


def test_par_a18_a_silence_is_told_with_its_reason() -> None:
    words = said("fine-before-a-reversis-at-four", "-s", "PAR", code=1)
    assert "These rules are silent on what the deal raises Q102 What does it cost to play out of turn?" in words
    assert "(PAR.c082)" in words
    found = json.loads(run("fine-before-a-reversis-at-four", "-s", "PAR", "-f", "json").output)
    assert found["state"] == "silent" and found["silent"][0]["question"] == "Q102"


# ---- data
def test_the_data_say_what_the_screen_says(library: Library) -> None:
    done = run("pam-reversis-made-quinola-late", "-s", "PAM", "-f", "json")
    found: dict[str, Any] = json.loads(done.output)
    assert done.exit_code == 0 and found["schema"] == 1 and found["state"] == "settled"
    deal = read_worked(library, "pam-reversis-made-quinola-late").deal
    assert deal is not None
    assert found == json.loads(json.dumps(serialize_explanation(deal, told(library, deal.id, "PAM"))))
    assert {u["reason"] for u in found["unpaid"]} <= set(NONPAYMENT_REASONS)
    assert [p["rule"] for p in found["paid"] if p["returned"]] == ["thrown-off", "thrown-off", "matches-stake"]
    assert sum(found["net"].values()) == 0


# ---- on the page
def test_the_page_of_a_deal_has_a_folded_list_of_what_is_not_paid(library: Library, corpus: Corpus) -> None:
    assert set(pages.find_unpaid(library, "aca-reversis")) == set(library.sources)
    (page,) = pages.render_deal_page(pages.deal_view(corpus, "aca-reversis"))
    (fold,) = (node for node in page.findall(nodes.container) if node["ids"] == ["ACA-why-not"])
    text = " ".join(fold.astext().split())
    assert text.startswith("What is not paid, and why")
    assert "led by North, because by these rules nothing is paid for it." in text
    assert "ne gagne ni ne perd rien" in text and "ACA.s0018" in text


def test_hoy_s0026_a_further_card_is_told_its_own_sums_where_it_follows_the_first_by_a_reference(
    library: Library,
) -> None:
    """Each other player owes three for the little quinola led, as if it were forced; six is for the great one."""
    paid = next(
        entry
        for entry in told(library, "aca-talon-blank", "HOY").entries
        if (entry.entry.rule, entry.card) == ("led", "QH")
    )
    assert [posting.amount for posting in paid.postings] == [3, 6, 3]
    answers = {one.question: one.answer for one in paid.because}
    assert all(answers[id].endswith("3 fish.") for id in ("Q042", "Q043")) and "6 fish" not in str(answers)
