"""Every sentence of the editorial policy is held up: what breaks it is told, with place and way out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.answers.conditions import ruled_out
from rulebook.checks import LIBRARY_CHECKS, problems_of, rights
from rulebook.load import load_library
from rulebook.model import Question
from rulebook.problems import Problem, Where
from rulebook.quotations import find_quotation
from rulebook.sources.assemble import assemble_library
from rulebook.sources.published_ids import hint_renaming
from tests.support.library import ASKED_OF_BOTH, N1, assembled, changed, place, sealed, write_library

A, B = "AAA/clauses.yaml", "BBB/clauses.yaml"
STATEMENTS, RECORD = "BBB/statements.yaml", "BBB/source.yaml"
IMAGES = "{address: https://example.org/1, shows: p. 1, found: by search}"
QUOTE = '"Celui qui mene reçoit deux jetons"'
BUNDLE = "  coder: ed1\n  rivals: [{id: BBB.i01, label: him, because: So., answers: {Q001: leader}}]\n- id: BBB.c002"


def silent_bundle(questions: str, searched: str = ", searched: BBB.n01-BBB.n02") -> str:
    """The other reading of `BUNDLE`, in which the source says nothing on some questions."""
    return BUNDLE.replace("leader}}", f"leader}}, silent: [{questions}]{searched}}}")


SUPPLIED = "status: silent\n  searched: BBB.n01-BBB.n02\n  taken_from: logic\n  because: So."
UNSAID = "call the source silent on it, with searched:"

#: check, file, old words, new words, and then: where it is told, what, way out
CASES: tuple[tuple[str, str, str, str, str, str, str], ...] = (
    ("every_answer_names_a_question", A, "Q002: 2 ", "Q009: 2 ",
     "2             # toll.amount", "AAA.c001: there is no question Q009", "did you mean Q001 or Q002 or Q003?"),
    ("every_answer_names_a_question", A, "toll.tricks: [1, -1]", "tol.tricks: [1, -1]",
     "[1, -1]", "AAA.c002: there is no question tol.tricks", "did you mean toll.tricks?"),
    ("every_answer_names_a_question", B, "on: [Q002]", "on: [Q0002]",
     "Q0002", "BBB.c003: there is no question Q0002", "did you mean Q002?"),
    ("every_answer_is_a_reading", A, "{Q003: [1]}", "{Q003: [0]}",
     "[0]", "AAA.i01: Q003 (toll.tricks): there is no trick 0", "the first is 1, the last is -1"),
    ("every_question_is_answered_or_reasoned", B, "on: [Q002]", "on: []",
     "- id: BBB.c001", "BBB has neither answer nor reason for Q002 (toll.amount)",
     "answer it in a clause or a new sheet, or list it under `on:` where the reason stands"),
    ("answers_of_one_source_agree", A, "toll.tricks: [1, -1]", "toll.tricks: [1, -1]\n    Q001: taker",
     "taker",
     "AAA contradicts itself on Q001 (toll.payee): AAA.c002 (AAA.s0003) answers taker, "
     "but AAA.c001 (AAA.s0002) answers leader",
     "take one back, or make it a rival of the other"),
    ("a_reason_is_given_once", B, "answers: {Q003: []}", "answers: {Q003: [], Q001: nobody}",
     "id: BBB.c002", "BBB.c002 is silent on Q001 (toll.payee), to which BBB.c001 speaks too", "keep one of them"),
    ("an_answer_makes_sense", B, "{Q001: nobody}", "{Q001: nobody, toll.amount: 3}",
     "3}", "BBB.c001: Q002 (toll.amount) supposes an answer other than nobody to Q001, “Who is paid the toll?”, "
     "and the answer there is nobody",
     "correct Q001 if it is wrong; if BBB says both, the words want a question of its own in BBB/proposed.yaml"
     "; else call this inapplicable"),
    ("an_inapplicable_question_makes_no_sense", B, "{Q001: nobody}", "{Q001: taker}",
     "Q002", "BBB.c003: Q002 (toll.amount) does apply: it supposes an answer other than nobody to Q001, "
     "“Who is paid the toll?”, and has it",
     "answer it, or call the source silent on it"),
    ("only_an_own_answer_makes_inapplicable", B, "status: implied", SUPPLIED,
     "Q002", "BBB.c003: no answer of BBB itself rules out Q002 (toll.amount)", UNSAID),
    ("only_an_own_answer_makes_inapplicable", B, "on: [Q002]", "on: [Q003]",
     "Q003]", "BBB.c003: no answer of BBB itself rules out Q003 (toll.tricks)", UNSAID),
    ("a_bundle_holds_together", A, "{Q001: nobody}", "{Q001: nobody, Q002: 3}",
     "3}", "AAA.o01: Q002 (toll.amount) supposes an answer other than nobody to Q001, “Who is paid the toll?”, and the "
     "answer there is nobody",
     "correct Q001 if it is wrong; if AAA says both, the words want a question of its own in AAA/proposed.yaml"
     "; else call this inapplicable"),
    ("a_bundle_holds_together", B, "  coder: ed1\n- id: BBB.c002", BUNDLE,
     "{Q001: leader}", "BBB.i01: with it Q002 (toll.amount) makes sense, and has no answer",
     "add the answer that goes with it, or the silence of the source: in the row of Q002 in the sheet, under "
     "other_answer (- for silence), with Q001 under other_with; in the form at Q002, below *The words can also be read "
     "in another way*"),
    ("a_bundle_holds_together", B, "  coder: ed1\n- id: BBB.c002", silent_bundle("Q002, Q003"),
     "Q003]", "BBB.i01 calls the source silent on Q003 (toll.tricks), which BBB answers",
     "take Q003 out of its `silent`: a reading is silent only on what makes sense with it alone"),
    ("a_bundle_holds_together", A, "Q001: nobody}", "Q001: nobody}\n      silent: [Q002]",
     "Q002]", "AAA.o01 calls the source silent on Q002 (toll.amount), which AAA answers",
     "take Q002 out of its `silent`: a reading is silent only on what makes sense with it alone"),
    ("every_answer_names_a_question", B, "  coder: ed1\n- id: BBB.c002", silent_bundle("Q0022"),
     "Q0022", "BBB.i01: there is no question Q0022", "did you mean Q002?"),
    ("silence_tells_what_was_searched", B, "  coder: ed1\n- id: BBB.c002", silent_bundle("Q002", ""),
     "{id: BBB.i01", "BBB.i01 is silent and has no `searched`",
     "add searched: with the sentences that you have read through for it; for the whole text, BBB.n01-BBB.n02"),
    ("a_reference_leads_to_a_number", A, "Q002: 2 ", "Q002: {as: toll.amount} ",
     "{as", "AAA.c001: as toll.amount leads to no number in AAA",
     "answer the question it points to, or write the number"),
    ("every_locus_is_known", A, "- locus: AAA.s0002", "- locus: AAA.s0002\n      to: BBB.n01",
     "BBB.n01", "AAA.c001: there is no BBB.n01 in AAA", "AAA has AAA.s0001 to AAA.s0003"),
    ("every_range_runs_forward", A, "- locus: AAA.s0002", "- locus: AAA.s0002\n      to: AAA.s0001",
     "AAA.s0001", "AAA.c001: the range ends with AAA.s0001, which does not come after AAA.s0002",
     "exchange the two, or leave `to` out"),
    ("every_citation_quotes", A, f"exact: {QUOTE}", 'exact: ""',
     "locus: AAA.s0002", "AAA.c001: cites AAA.s0002 and quotes nothing",
     "add exact: and the words that prove the answer"),
    ("every_quotation_stands_at_its_locus", A, 'deux jetons"', 'deus jetons"',
     '"Celui', 'AAA.c001: "Celui qui mene reçoit deus jetons" does not stand in AAA.s0002 (diplomatic)',
     'the nearest is "Celui qui mene reçoit deux jetons" in AAA.s0002 (text.xml, line 13)'),
    ("every_quotation_stands_at_its_locus", A, QUOTE, '"dans la  derniere levée"',
     '"dans', 'AAA.c001: "dans la derniere levée" does not stand in AAA.s0002 (diplomatic)',
     "it stands in AAA.s0003"),
    ("every_quotation_stands_at_its_locus", A, QUOTE, '"Celui qui men"',
     '"Celui', 'AAA.c001: "Celui qui men" does not stand in AAA.s0002 (diplomatic)',
     'the nearest is "Celui qui mene" in AAA.s0002 (text.xml, line 13)'),
    ("every_quotation_stands_at_its_locus", A, ", prefix: premiere", "",
     '"levée"', 'AAA.c002: "levée" stands 2 times in AAA.s0003',
     "tell which by prefix: or suffix:, the words beside it"),
    ("every_quotation_stands_at_its_locus", A, "prefix: premiere", "prefix: seconde",
     '"levée"', 'AAA.c002: "levée" does not stand between its prefix and suffix in AAA.s0003',
     "correct prefix: and suffix:"),
    ("every_quotation_stands_at_its_locus", A, '"levée", prefix: premiere', '"paye double"',
     '"paye double"', 'AAA.c002: "paye double" does not stand in AAA.s0003 (diplomatic)',
     "it stands there in the emended view: quote the diplomatic one, or say view: emended"),
    ("every_quotation_stands_at_its_locus", A, QUOTE, '"a penalty of five counters"',
     '"a penalty', 'AAA.c001: "a penalty of five counters" does not stand in AAA.s0002 (diplomatic)',
     "nothing like it stands in the source: quote again from the text"),
    ("every_quotation_stands_at_its_locus", B, 'exact: "the leader"', 'exact: "a leader"',
     '"a leader"', 'BBB.c001: "a leader" is no part of what is quoted in BBB.n01',
     'the nearest is "the leader" in BBB.n01'),
    ("every_offer_is_quoted", A, '"dans la derniere"', '"dans la dernière"',
     '"dans la dernière"', 'AAA.o01: "dans la dernière" does not stand once where AAA.c002 cites',
     'the nearest is "dans la derniere" in AAA.s0003 (text.xml, line 14)'),
    ("every_sentence_is_as_it_was_when_coded", "AAA/text.xml", "de chacun", "de tous",
     "sha256", "AAA.c001: drift: AAA.s0002 has changed since the clause was coded: confirm it",
     "read it again; then `reversis check --confirm AAA.c001`"),
    ("every_sentence_is_as_it_was_when_coded", STATEMENTS, "Whoever leads", "Who leads",
     '"sha256', "BBB.c001: drift: BBB.n01 has changed since the clause was coded: confirm it",
     "read it again; then `reversis check --confirm BBB.c001`"),
    ("every_sentence_is_as_it_was_when_coded", B, f', seen: "{N1}"', "",
     "{locus", "BBB.c001: BBB.n01 has no fingerprint (seen)", "`reversis check --confirm` writes it"),
    ("what_is_said_is_cited", B, "{locus: BBB.n01,", "{role: against, locus: BBB.n01,",
     "id: BBB.c001", "BBB.c001 is implied and cites nothing that supports it", "add cites: with locus and exact"),
    ("what_is_said_is_cited", B, "answers: {Q001: nobody}", "answers: {}",
     "id: BBB.c001", "BBB.c001 answers nothing", "add answers:, or take the clause out"),
    ("agreed_words_are_used", A, "status: stated", "status: statd",
     "statd", "AAA.c001: status cannot be 'statd'", "did you mean stated?"),
    ("agreed_words_are_used", A, "cert: medium", "cert: sure",
     "sure", "AAA.c002: cert cannot be 'sure'", "use one of: high, medium, low"),
    ("agreed_words_are_used", B, "{locus: BBB.n01,", "{role: ground, locus: BBB.n01,",
     "ground,", "BBB.c001: role cannot be 'ground'", "did you mean grounds?"),
    ("agreed_words_are_used", B, "{locus: BBB.n01,", "{view: read, locus: BBB.n01,",
     "read,", "BBB.c001: view cannot be 'read'", "did you mean reading?"),
    ("agreed_words_are_used", "AAA/notes.yaml", "kind: emendation", "kind: emandation",
     "emandation", "AAA.note01: kind cannot be 'emandation'", "did you mean emendation?"),
    ("silence_tells_what_was_searched", B, "  searched: BBB.n01-BBB.n02\n", "",
     "id: BBB.c002", "BBB.c002 is silent and has no `searched`",
     "add searched: with the sentences that you have read through for it; for the whole text, BBB.n01-BBB.n02"),
    ("silence_tells_what_was_searched", B, "BBB.n01-BBB.n02", "BBB.n02-BBB.n01",
     "BBB.n02-", "BBB.c002: searched 'BBB.n02-BBB.n01' is no range of BBB",
     "name the sentences that were read through, like BBB.n01-BBB.n02"),
    ("a_supplied_reading_says_whence", B, "  taken_from: AAA\n", "",
     "id: BBB.c002", "BBB.c002 supplies an answer and has no `taken_from`",
     "add taken_from: practice, logic, or the siglum of the source that says so"),
    ("a_supplied_reading_says_whence", B, "  because: It must be something.\n", "",
     "id: BBB.c002", "BBB.c002 supplies an answer and has no `because`",
     "add because: with the reason, in a sentence"),
    ("a_supplied_reading_says_whence", B, "taken_from: AAA", "taken_from: AAB",
     "AAB", "BBB.c002: taken_from cannot be 'AAB'", "did you mean AAA?"),
    ("a_supplied_reading_says_whence", B, "  answers: {Q003: []}\n", "",
     "id: BBB.c002", "BBB.c002 is silent on nothing", "list questions under answers: or on:"),
    ("a_reason_is_told", B, "  because: Nobody is paid.\n", "",
     "id: BBB.c003", "BBB.c003 is inapplicable and has no `because`",
     "add because: with the reason, in a sentence"),
    ("a_reason_is_told", B, "on: [Q002]", "on: [Q002]\n  answers: {Q002: 3}",
     "{Q002: 3}", "BBB.c003 is inapplicable and answers all the same", "list the questions under on: instead"),
    ("a_reason_is_told", B, "  on: [Q002]\n", "",
     "id: BBB.c003", "BBB.c003 is inapplicable to nothing", "list questions under on:"),
    ("a_reason_is_told", A, "status: stated", "status: stated\n  on: [Q003]",
     "[Q003]", "AAA.c001 is stated and passes questions over",
     "answer them, or give them a clause of their own"),
    ("ambiguity_is_data", A, "  label: first and last\n", "",
     "id: AAA.c002", "AAA.c002 is ambiguous and has no `label`",
     "add label: what the preferred reading is called, in a few words"),
    ("ambiguity_is_data", A, "  because: Both are named.\n", "",
     "id: AAA.c002", "AAA.c002 is ambiguous and has no `because`",
     "add because: with the reason, in a sentence"),
    ("ambiguity_is_data", A, "status: stated", "status: ambiguous\n  label: one\n  because: two",
     "id: AAA.c001", "AAA.c001 is ambiguous and has no rival",
     "add rivals: with the other reading, its answers and its reason; or, if there is none, another status"),
    ("ambiguity_is_data", A, "status: stated", "status: contradictory\n  label: one\n  because: two",
     "id: AAA.c001", "AAA.c001 is contradictory and has no rival",
     "add rivals: with the other reading, its answers and its reason; or, if there is none, another status"),
    ("ambiguity_is_data", B, "  taken_from: AAA\n",
     f'  taken_from: AAA\n  label: ours\n  cites: [{{role: against, locus: BBB.n01, seen: "{N1}"}}]\n',
     "id: BBB.c002", "BBB.c002 is supplied against the words of BBB.n01 and has no rival",
     "add rivals: with the answer that leaves those words as they stand"),
    ("ambiguity_is_data", A, "      because: The last may be advice.\n", "",
     "id: AAA.i01", "AAA.i01 has no `because`", "add because:"),
    ("ambiguity_is_data", A, "label: nobody at all", 'label: ""',
     "id: AAA.o01", "AAA.o01 has no `label`", "add label:"),
    ("an_alternative_differs", A, "{Q003: [1]}", "{Q003: [-1, 1]}",
     "{Q003", "AAA.i01 answers nothing otherwise than AAA does", "give the answers in which it differs"),
    ("ids_are_well_formed", A, "id: AAA.c001", "id: AAA.c1",
     "AAA.c1", "clause 'AAA.c1' has no well-formed id", "write it like AAA.c031"),
    ("ids_are_well_formed", A, "id: AAA.i01", "id: BBB.i01",
     "BBB.i01", "interpretation 'BBB.i01' has no well-formed id", "write it like AAA.i03"),
    ("ids_are_well_formed", A, "id: AAA.o01", "id: AAA.i02",
     "AAA.i02", "option 'AAA.i02' has no well-formed id", "write it like AAA.o01"),
    ("ids_are_given_once", "AAA/notes.yaml", "text: A",
     "text: Yes.}\n- {id: AAA.note01, on: AAA, kind: x, by: y, text: A",
     "AAA.note01, on: AAA,", "the id AAA.note01 stands 2 times", "give it a new one"),
    ("a_language_is_named_as_the_web_names_it", "AAA/source.yaml", "language: fr", "language: ../fr",
     "../fr", "the language '../fr' is not well formed", "write it in two letters: fr, de, en"),
    ("short_names_and_dates_fit", "AAA/source.yaml", "short_name: Tolls AAA", f"short_name: {'n' * 25}",
     "nnn", "the short_name of AAA has 25 characters, and there is room for 24",
     "shorten it; the full form has its own entry"),
    ("short_names_and_dates_fit", RECORD, "short_date: in 1700", f"short_date: {'d' * 21}",
     "ddd", "the short_date of BBB has 21 characters, and there is room for 20",
     "shorten it; the full form has its own entry"),
    ("a_colour_is_a_slot_of_its_own", RECORD, "family: tolls", "colour: 9\nfamily: tolls",
     "9\nfamily", "the palette has no colour 9", "take one of 1 to 8, or leave it out for the first that is free"),
    ("a_colour_is_a_slot_of_its_own", RECORD, "family: tolls", "colour: 0\nfamily: tolls",
     "0\nfamily", "the palette has no colour 0", "take one of 1 to 8, or leave it out for the first that is free"),
    ("an_end_that_was_not_consulted_names_its_sentence", "AAA/source.yaml", "family: tolls",
     "breaks_off: In the middle of AAA.s0099.\nfamily: tolls",
     "In the", "breaks_off names AAA.s0099, which AAA does not have", "it has AAA.s0001 to AAA.s0003"),
    ("an_end_that_was_not_consulted_names_its_sentence", "AAA/source.yaml", "family: tolls",
     "breaks_off: Somewhere after AAA.s0001.\nfamily: tolls",
     "Somewhere", "breaks_off does not name AAA.s0003, the last sentence that we have",
     "name it, and say what is known of where the rest stands"),
    ("an_end_that_was_not_consulted_names_its_sentence", "AAA/source.yaml", "family: tolls",
     "begins_late: The opening is lost.\nfamily: tolls",
     "The opening", "begins_late does not name AAA.s0001, the first sentence that we have",
     "name it, and say what is known of where the rest stands"),
    ("page_images_are_on_the_web", "AAA/source.yaml", "image_link: null", "image_link: gallica",
     "gallica", "image_link: 'gallica' is no address of the web", "write it whole: https://..."),
    ("page_images_are_on_the_web", "AAA/source.yaml", "family: tolls",
     "iiif_manifest: javascript:alert(1)\nfamily: tolls",
     "javascript", "iiif_manifest: 'javascript:alert(1)' is no address of the web", "write it whole: https://..."),
    ("page_images_are_on_the_web", "AAA/source.yaml", "family: tolls",
     "images:\n- {address: at the library, shows: p. 1, found: by search}\nfamily: tolls",
     "at the", "images: 'at the library' is no address of the web", "write it whole: https://..."),
    ("page_images_are_on_the_web", "AAA/source.yaml", "family: tolls",
     f"images:\n- {IMAGES}\n- {IMAGES.replace('p. 1', 'p. 2')}\nfamily: tolls",
     "https://example.org/1, shows: p. 2", "images: https://example.org/1 stands twice",
     "say in one entry all that it shows"),
    ("page_images_are_on_the_web", "AAA/source.yaml", "family: tolls",
     f"images:\n- {IMAGES.replace('}', ', seen: true}')}\nfamily: tolls",
     "true}", "images: these were seen, and images_seen says that none were",
     "write images_seen: true, or seen: false"),
    ("coders_are_known", "AAA/notes.yaml", "by: ed1", "by: me",
     "me,", "AAA.note01: by 'me' is not among the coders of AAA", "name them in sources/AAA/source.yaml"),
    ("coders_are_known", A, "  label: first", "  reviewer: ed2\n  label: first",
     "ed2", "AAA.c002: reviewer 'ed2' is not among the coders of AAA", "did you mean ed1?"),
    ("no_question_depends_on_itself", "questions/10.yaml", '"Q001 != nobody"', '"Q002 != 0"',
     '"Q002 != 0"', "Q002 (toll.amount) depends on itself, by way of toll.amount != 0",
     "leave out one of the conditions that make the circle"),
    ("every_note_is_on_something", "AAA/notes.yaml", "on: AAA.e01", "on: AAA.e02",
     "AAA.e02", "AAA.note01 is on AAA.e02, which there is not", "did you mean AAA.e01?"),
    ("quotations_stay_under_the_cap", RECORD,
     "quotation_cap: {words_each: 5, share_of_page: 0.10, page_words: 80}\n", "",
     "siglum", "BBB is given in statements and has no quotation_cap",
     "add quotation_cap: with words_each, share_of_page and page_words"),
    ("quotations_stay_under_the_cap", STATEMENTS, '"pays the leader"', '"pays the leader of it"',
     "id: BBB.n01", "BBB.n01 quotes 5 words at once", "fewer than 5: say it in our own words"),
    ("every_quotation_bears_its_hash", STATEMENTS, '"pays the leader"', '"pays a leader"',
     "sha256", "BBB.n01: quote_hash is not that of its quotation",
     f"write quote_hash: {sealed('pays a leader')}"),
)  # fmt: skip


def told(root: Path, check: str) -> list[Problem]:
    return list(next(one for one in LIBRARY_CHECKS if one.__name__ == check)(assembled(root)))


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[3][:30].strip()}")
def test_what_breaks_the_policy_is_told(root: Path, case: tuple[str, str, str, str, str, str, str]) -> None:
    check, name, old, new, needle, what, way_out = case
    changed(root, name, old, new)
    told_in = {"AAA/text.xml": A, STATEMENTS: B}.get(name, name) if "was_when_coded" in check else name
    found = [replace(one, way_out=PROPOSING.split(one.way_out)[0]) for one in told(root, check)]
    assert found == [Problem(*place(root, told_in, needle), what, way_out)]


PROPOSING = re.compile(r"(?:; if|(?<=\?) If) none fits, (?:add one to Q\d+, or )?propose one in ")


@pytest.mark.parametrize(
    ("old", "new"), [("Q001: leader ", "Q001: leder "), ("Q002: 2 ", "Q002: half "), ("Q001: leader ", "Q901: leader ")]
)
def test_where_a_reading_is_missing_the_file_for_proposals_is_named(root: Path, old: str, new: str) -> None:
    changed(root, A, old, new)
    every = [*told(root, "every_answer_is_a_reading"), *told(root, "every_answer_names_a_question")]
    assert [re.search(PROPOSING.pattern + "AAA/proposed.yaml", one.way_out) is not None for one in every] == [True]
    assert not any("?;" in one.way_out for one in every)


def test_many_citations_without_a_fingerprint_are_one_message(root: Path) -> None:
    text = (root / A).read_text("utf-8")
    cites = "".join(
        f"    - {{locus: AAA.s000{n}, exact: {word}}}\n" for n, word in ((1, "Du"), (2, "qui"), (3, "paye"))
    )
    (root / A).write_text(text.replace("  cites:\n", "  cites:\n" + cites, 1), "utf-8")
    (problem,) = told(root, "every_sentence_is_as_it_was_when_coded")
    assert problem.what == "3 citations of AAA have no fingerprint (seen), the first in AAA.c001"


def test_a_source_and_its_text_bear_the_name_of_their_folder(root: Path) -> None:
    changed(root, RECORD, "siglum: BBB", "siglum: BBC")
    text = root / "AAA" / "text.xml"
    text.write_text(text.read_text("utf-8").replace("AAA", "ABC"), "utf-8")
    told = [(one.file, one.what, one.way_out) for one in assemble_library(root)[1]]
    renaming = f"give both one name: {hint_renaming('BBC', 'BBB')}"
    assert ("sources/BBB/source.yaml", "the folder BBB holds the source BBC", renaming) in told
    way_out = 'write xml:id="AAA", and so in every id'
    assert ("sources/AAA/text.xml", "the folder AAA holds the text ABC", way_out) in told


def test_a_library_in_order_has_no_problems(root: Path) -> None:
    assert problems_of(assembled(root)) == []


def test_a_colour_is_given_to_one_source_while_another_is_free(root: Path) -> None:
    for name in ("AAA/source.yaml", RECORD):
        changed(root, name, "family: tolls", "colour: 1\nfamily: tolls")
    (problem,) = told(root, "a_colour_is_a_slot_of_its_own")
    what = "BBB has colour 1, which is that of AAA"
    assert problem == Problem(*place(root, RECORD, "1\nfamily"), what, "take 2, which is free, or leave it out")


def test_every_emendation_has_a_note(root: Path) -> None:
    changed(root, "AAA/notes.yaml", "on: AAA.e01", "on: AAA.s0001")
    (problem,) = told(root, "every_emendation_has_a_note")
    assert problem == Problem(
        "sources/AAA/text.xml", 14, 1, "AAA.e01 (doble > double) has no note",
        "give the reason in sources/AAA/notes.yaml, on: AAA.e01",
    )  # fmt: skip


def test_a_statement_may_be_cited_without_quoting(root: Path) -> None:
    changed(root, B, 'exact: "the leader", ', "")
    assert told(root, "every_citation_quotes") == []
    assert told(root, "every_quotation_stands_at_its_locus") == []


def test_a_quotation_may_run_over_a_range(root: Path) -> None:
    changed(root, A, "- locus: AAA.s0002", "- locus: AAA.s0001\n      to: AAA.s0002")
    changed(root, A, QUOTE, '"Du péage. Celui qui mene"')
    assert told(root, "every_quotation_stands_at_its_locus") == []


def test_all_quotations_together_stay_under_the_cap(root: Path) -> None:
    changed(root, "BBB/notes.yaml", "text: Odd.", 'text: \'Odd: "a b", "c d", "the leader" and "e"\'')
    (problem,) = told(root, "quotations_stay_under_the_cap")
    assert problem.what == "BBB is quoted with 8 words in all"  # "the leader" is part of a quotation counted already
    assert problem.way_out == "fewer than 8: leave out what the paraphrase says as well"
    assert (problem.file, problem.line, problem.column) == place(root, RECORD, "{words_each")


@pytest.mark.parametrize(
    ("text", "quotations"),
    [
        ('an open “mark. "word word word" end', ["word word word"]),
        ('5" wide: “word word word” end', ["word word word"]),
        ('5" wide: "word word word" end', [" wide: ", "word word word"]),
        ('""abc" d"', ["abc", " d"]),
        ('"" "word word word"', [" ", "word word word"]),
        ("“word “word” word” end", ["word “word” word"]),
        ('"one" and “two” and "three"', ["one", "three", "two"]),
        ("“one” and “two”, not three” and “four", ["one", "two”, not three"]),
        ("closed” and “open", []),
        ('a mark " alone', []),
    ],
)
def test_a_mark_that_stands_alone_hides_no_quotation(text: str, quotations: list[str]) -> None:
    assert [words for _, words, _ in rights.iter_quoted_prose("BBB.n01", Where("x"), text)] == quotations


@pytest.mark.parametrize("before", ["", "An open “mark. ", '5" wide. '])
@pytest.mark.parametrize("marks", ['""', "“”"])
def test_the_cap_cannot_be_evaded_by_a_mark_in_front(root: Path, before: str, marks: str) -> None:
    note = f"{before}{marks[0]}{'word ' * 40}{marks[1]}"
    changed(root, "BBB/notes.yaml", "text: Odd.", f"text: '{note}'")
    assert [one.way_out for one in told(root, "quotations_stay_under_the_cap") if "at once" in one.what]


def test_an_answer_on_an_open_question_is_told_once(root: Path) -> None:
    """Where the condition has no answer yet, the missing answer is the only complaint."""
    changed(root, A, "    Q001: leader        # toll.payee\n", "")
    assert told(root, "an_answer_makes_sense") == []
    assert [one.what for one in told(root, "every_question_is_answered_or_reasoned")] == [
        "AAA has neither answer nor reason for Q001 (toll.payee)"
    ]


HANGING = """\
Q004:
  slug: toll.coin
  asks: In which coin is it paid?
  group: The toll
  affects: payment
  measure: {type: integer, min: 0}
  coding: Code the coin.
  depends: "Q002 != 0"
"""


def hanging(root: Path, clause: str) -> None:
    """Ask a question that hangs on Q002, which hangs on Q001; add a clause on it."""
    (root / "questions/20.yaml").write_text(HANGING, encoding="utf-8")
    with (root / B).open("a", encoding="utf-8") as file:
        file.write(f"- {{id: BBB.c004, {clause}, cert: high, coder: ed1}}\n")


def test_what_hangs_on_an_inapplicable_question_is_inapplicable(root: Path) -> None:
    hanging(root, "status: inapplicable, on: [Q004], because: Nobody is paid.")
    assert told(root, "only_an_own_answer_makes_inapplicable") == []


def test_what_hangs_on_a_silence_is_silent_at_every_remove(root: Path) -> None:
    hanging(root, "status: inapplicable, on: [Q004], because: Nobody is paid.")
    changed(root, B, "status: implied", SUPPLIED)
    assert [one.what for one in told(root, "only_an_own_answer_makes_inapplicable")] == [
        f"{id}: no answer of BBB itself rules out {name}"
        for id, name in (("BBB.c003", "Q002 (toll.amount)"), ("BBB.c004", "Q004 (toll.coin)"))
    ]


@pytest.mark.parametrize(
    ("added", "circle"),
    [
        ({"toll.amount": "Q002 != 0"}, ["Q002 (toll.amount) depends on itself, by way of toll.amount != 0"]),
        (
            {"toll.payee": "Q002 != 0"},
            [
                "Q001 (toll.payee) depends on itself, by way of toll.amount != 0",
                "Q002 (toll.amount) depends on itself, by way of toll.payee != nobody",
            ],
        ),
        ({"toll.tricks": "Q002 != 0 and Q001 != nobody"}, []),
    ],
)
def test_no_question_depends_on_itself(root: Path, added: dict[str, str], circle: list[str]) -> None:
    path = root / "questions/10.yaml"
    letters = path.read_text(encoding="utf-8").replace('  depends: "Q001 != nobody"\n', "", "toll.amount" in added)
    for slug, depends in added.items():
        letters = letters.replace(f"slug: {slug}\n", f'slug: {slug}\n  depends: "{depends}"\n')
    path.write_text(letters, encoding="utf-8")
    found = [one for one in load_library(root)[1] if "depends on itself" in one.what]
    assert [one.what for one in found] == circle
    assert {one.way_out for one in found} <= {"leave out one of the conditions that make the circle"}


@pytest.mark.parametrize("circle", [{"a.b": "a.b == 1"}, {"a.b": "c.d == 1", "c.d": "a.b == 1"}])
def test_who_asks_whether_a_question_in_a_circle_is_ruled_out_gets_an_answer(circle: dict[str, str]) -> None:
    questions = {slug: Question("Q001", slug, "?", "", "", "", depends=circle.get(slug, "")) for slug in circle}
    assert not ruled_out("a.b", questions, {}, frozenset())
    assert ruled_out("a.b", questions, {}, frozenset({[*circle][-1]}))


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("inapplicable", "BBB.c003 calls that inapplicable (n/a)"),
        ("silent\n  searched: BBB.n01-BBB.n02", 'BBB is silent there ("-")'),
    ],
)
def test_what_hangs_on_a_question_without_an_answer_is_not_answered(root: Path, status: str, why: str) -> None:
    hanging(root, "status: silent, searched: BBB.n01, answers: {Q004: 1}, taken_from: logic, because: So.")
    changed(root, B, "status: inapplicable", f"status: {status}")
    (problem,) = told(root, "an_answer_makes_sense")
    supposed = "BBB.c004: Q004 (toll.coin) supposes an answer other than 0 to Q002, “How much is the toll?”"
    assert problem.what == f"{supposed}, and {why}"
    asked = "answer Q002 if the text tells it after all"
    assert problem.way_out.startswith(f"{asked}; " if "silent" in status else "look at BBB.c003 again")


@pytest.mark.parametrize(
    ("payee", "status", "refused"),
    [
        ("leader", "silent\n  searched: BBB.n01\n  taken_from: AAA", False),
        ("leader", "implied", False),
        ("taker", "silent\n  searched: BBB.n01\n  taken_from: AAA", True),
    ],
)
def test_an_answer_stands_where_one_of_several_conditions_holds(
    root: Path, payee: str, status: str, refused: bool
) -> None:
    (root / "questions/20.yaml").write_text(ASKED_OF_BOTH, encoding="utf-8")
    changed(root, B, "{Q001: nobody}", f"{{Q001: {payee}, Q004: nobody}}")
    with (root / B).open("a", encoding="utf-8") as file:
        file.write("- id: BBB.c005\n  answers: {Q005: claimed}\n  because: So.\n  cert: low\n  coder: ed1\n")
        file.write(f"  status: {status}\n")
    found = [one.what.partition(",")[0] for one in told(root, "an_answer_makes_sense")]
    assert found == ["BBB.c005: Q005 (fee.claimed) supposes the answer leader to Q001"] * refused


def test_a_reading_may_leave_the_source_silent_on_what_makes_sense_with_it_alone(root: Path) -> None:
    changed(root, B, "  coder: ed1\n- id: BBB.c002", silent_bundle("Q002"))
    assert told(root, "a_bundle_holds_together") == told(root, "silence_tells_what_was_searched") == []


def test_a_reading_need_not_answer_what_play_never_asks(root: Path) -> None:
    changed(root, B, "  coder: ed1\n- id: BBB.c002", BUNDLE)
    assert len(told(root, "a_bundle_holds_together")) == 1
    changed(root, "questions/10.yaml", "  related: [Q001]\n", "  related: [Q001]\n  not_played: A mere word.\n")
    assert told(root, "a_bundle_holds_together") == []


def test_every_check_has_a_test() -> None:
    tried = {case[0] for case in CASES} | {"every_emendation_has_a_note"}
    tried |= {"every_number_answered_stands_in_the_quotation"}  # test_numbers.py
    tried |= {"every_printed_number_is_there"}  # test_printed.py
    tried |= {"words_for_numbers_are_words"}  # test_number_words.py
    tried |= {"an_answer_cannot_be_surer_than_the_emendation_it_rests_on"}  # test_emended.py
    tried |= {  # test_registry.py
        "what_prose_names_is_there",
        "every_id_is_registered",
        "no_id_vanishes_without_a_tombstone",
        "a_tombstone_tells_what_became_of_it",
    }
    assert {check.__name__ for check in LIBRARY_CHECKS} == tried


@given(st.text("ab_é-. ", max_size=4).filter(str.strip), st.text("ab_é-. ", max_size=30))
def test_words_are_found_where_they_stand_alone(exact: str, text: str) -> None:
    left, right = (r"(?<!\w)" if in_word(exact[0]) else ""), (r"(?!\w)" if in_word(exact[-1]) else "")
    wanted = [one.start() for one in re.finditer(left + re.escape(exact) + right, text)]
    assert find_quotation(exact, text) == wanted


def in_word(letter: str) -> bool:
    return re.fullmatch(r"\w", letter) is not None


def test_many_ids_with_one_fault_are_told_in_one_message_with_a_count(tmp_path: Path) -> None:
    root = write_library(tmp_path)
    clauses = "".join(
        f"- id: aaa.c{n:03}\n  on: [Q001]\n  status: not-collated\n  cert: low\n  coder: ed1\n  because: No.\n"
        for n in range(100, 557)
    )
    path = root / "AAA" / "clauses.yaml"
    path.write_text(path.read_text("utf-8") + clauses, "utf-8", newline="\n")
    told = [one for one in load_library(root)[1] if "well-formed id" in one.what]
    assert len(told) == 6 and told[-1].what.startswith(
        "and 452 more of this kind have no well-formed id, from 'aaa.c105'"
    )
