"""A pasted transcription becomes sentences, the TEI of others too; what is changed on the way is told."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from rulebook.spelling import NO_TABLE
from rulebook.tei.document import parse_xml
from rulebook.tei.import_plain import Paste, Pasted, as_tei, find_ocr_slips, find_unsure_stops
from rulebook.tei.import_tei import Taken, is_xml
from rulebook.tei.reader import read_text
from rulebook.text import Text
from tests.support.in_one_test import in_one_test


def apart(letters: str) -> Pasted:
    return Paste("text.txt").apart(letters)


def told(letters: str) -> list[str]:
    return [words for block in apart(letters).blocks for words in block.sentences]


def read(letters: str, tmp_path: Path, language: str = "fr") -> Text:
    path = tmp_path / "text.xml"
    path.write_text(as_tei(apart(letters), "NEW", language, 'A <book> & "more"', {"ed1": "all & sundry"}), "utf-8")
    text, problems = read_text(path, NO_TABLE)
    assert text is not None and not problems, problems
    assert text.header.responsible == {"ed1": "ed1"}
    return text


def test_sentences_end_at_stops_but_not_after_short_forms_letters_and_numbers() -> None:
    assert told("On joue à quatre. Voyez l'Art. 3 ci-dessous. M. de la Tour paye! Qui? Lui.") == [
        "On joue à quatre.",
        "Voyez l'Art. 3 ci-dessous.",
        "M. de la Tour paye!",
        "Qui?",
        "Lui.",
    ]
    assert told("1. On joue. 2. On paye.") == ["1. On joue.", "2. On paye."]
    laws = ["i. A law of the player.", "ii. The first move.", "iii. No more.", "XIV. Paid by Louis XIV.", "He plays."]
    assert told(" ".join(laws)) == laws
    assert told("Er sagt: «Ja.» Dann spielt er.") == ["Er sagt: «Ja.»", "Dann spielt er."]
    assert told("il paye. ensuite il joue.") == ["il paye. ensuite il joue."]  # a small letter begins no sentence


def test_the_typist_has_the_last_word_on_where_a_sentence_ends() -> None:
    assert told("Le roi || la dame.") == ["Le roi", "la dame."]
    assert told("Voyez le tabl.~Il est grand.") == ["Voyez le tabl. Il est grand."]


def test_letters_that_are_not_latin_are_split_at_their_stops_and_not_called_vowelless() -> None:
    assert told("Играют четверо. Каждый платит. затем нет.") == ["Играют четверо.", "Каждый платит. затем нет."]
    assert told("遊ぶ。払う！終わる。") == ["遊ぶ。", "払う！", "終わる。"]
    assert told("יש ארבעה. כל אחד משלם.") == ["יש ארבעה.", "כל אחד משלם."]
    assert told("Œuvres. Œil.") == ["Œuvres.", "Œil."]
    assert [*find_ocr_slips("t", "Каждый שחקנים παῖκτεσ 遊戯規則集 игрок")] == []


def test_headings_and_paragraphs_stand_apart(tmp_path: Path) -> None:
    pasted = apart("# Du jeu\nUn. Deux.\n\nTrois.\n# De la fin\n\nQuatre.")
    assert [(block.kind, len(block.sentences)) for block in pasted.blocks] == [
        ("head", 1),
        ("p", 2),
        ("p", 1),
        ("head", 1),
        ("p", 1),
    ]
    text = read("# Du jeu\nUn. Deux.\n\nTrois.\n# De la fin\n\nQuatre.", tmp_path)
    assert [sentence.kind for sentence in text.sentences.values()] == [
        "heading",
        "text",
        "text",
        "text",
        "heading",
        "text",
    ]
    assert list(text.sentences) == [f"NEW.s000{n}" for n in range(1, 7)]


def test_a_page_begins_between_paragraphs_within_a_sentence_or_within_a_word(tmp_path: Path) -> None:
    letters = "[p. 5]\nUn jeu de [S. 6] cartes.\nOn les met au pa-\n[p. [7]]\nnier tout de suite."
    text = read(letters, tmp_path)
    first, second = text.sentences.values()
    assert (first.page, first.pages, first.diplomatic) == ("5", ("5", "6"), "Un jeu de cartes.")
    assert (second.page, second.pages) == ("6", ("6", "[7]"))
    assert second.diplomatic == "On les met au panier tout de suite."
    assert apart(letters).joined == ("panier",) and apart(letters).pages == ("5", "6", "[7]")


def test_gaps_and_misprints_are_marked_and_pages_may_be_left_out(tmp_path: Path) -> None:
    letters = (
        "[p. 310]\nOne pays. [Tha > The] player [... a word] takes. [… illegible] Then so.\n\n[... pages left out]\n\n"
        "[p. 322]\nThe end."
    )
    text = read(letters, tmp_path)
    assert [(one.pages, one.diplomatic, one.emended) for one in text.sentences.values()] == [
        (("310",), "One pays.", "One pays."),
        (("310",), "Tha player […] takes.", "The player […] takes."),
        (("310",), "[…] Then so. […]", "[…] Then so. […]"),
        (("322",), "The end.", "The end."),
    ]
    assert [(one.id, one.sic, one.corr) for one in text.emendations.values()] == [("NEW.e01", "Tha", "The")]
    parts = [part for one in text.sentences.values() for part in one.parts]
    assert [part.reason for part in parts if part.kind == "gap"] == ["a word", "illegible", "pages left out"]
    assert apart(letters).doubts == ()


def test_a_gap_before_the_first_words_stands_in_the_first_sentence(tmp_path: Path) -> None:
    text = read("[p. 5]\n[...]\n\nOne. Two.", tmp_path)
    assert [(one.page, one.diplomatic) for one in text.sentences.values()] == [("5", "[…] One."), ("5", "Two.")]


def test_a_page_that_does_not_follow_is_told_with_the_way_to_leave_pages_out(tmp_path: Path) -> None:
    path = tmp_path / "text.xml"
    path.write_text(as_tei(apart("[p. 310] One. [p. 322] Two."), "NEW", "en", "A", {"ed1": "all"}), "utf-8")
    (problem,) = read_text(path, NO_TABLE)[1]
    assert problem.what == "page 322 follows page 310" and "[... pages left out] in text.txt" in problem.way_out


def test_a_divided_word_is_whole_again_and_a_hyphen_before_a_capital_stays() -> None:
    assert told("qua-\ntre") == ["quatre"]
    assert told("Saint-\nPierre") == ["Saint- Pierre"]
    assert apart("qua-\ntre, pa-\nnier").joined == ("quatre", "panier")


def test_one_form_for_what_a_keyboard_writes_in_several_and_all_of_it_is_told() -> None:
    pasted = apart("\ufeffL’as\r\ne\u0301carte la ﬁche\u00a0!")
    assert [block.sentences for block in pasted.blocks] == [("L'as écarte la fiche !",)]
    assert sorted(pasted.changed.values()) == [1, 1, 1, 1, 1]
    assert any("two pieces" in what for what in pasted.changed)
    assert apart("Rien à changer.").changed == {}


def test_remarks_of_the_typist_are_no_part_of_the_text_and_keep_the_lines_counted() -> None:
    pasted = apart("% a remark.\nUn jett0n.")
    assert told("% a remark.\nUn jett0n.") == ["Un jett0n."]
    assert [(doubt.line, doubt.column) for doubt in pasted.doubts] == [(2, 4)]


@pytest.mark.parametrize(
    ("line", "column", "what"),
    [
        ("le jett0n", 4, "a number within a word: 'jett0n'"),
        ("le p|us fort", 5, "the sign '|'"),
        ("un j\u0435ton", 4, "letters of two alphabets: 'j\u0435ton'"),
        ("un zrtpl", 4, "a word without a vowel: 'zrtpl'"),
        ("un\u200b jeu", 3, "an invisible letter, U+200B"),
        ("un \ufffd jeu", 4, "the sign '\ufffd'"),
    ],
)
def test_letters_that_hardly_stood_on_the_page_are_told_with_their_place(line: str, column: int, what: str) -> None:
    (one,) = find_ocr_slips("text.txt", f"Rien.\n{line}")
    assert (one.line, one.column, one.what) == (2, column, what) and one.way_out


def test_letters_of_markup_stay_letters(tmp_path: Path) -> None:
    text = read("Le Roi &amp; la Dame & <Quinola>.", tmp_path)
    (one,) = text.sentences.values()
    assert one.diplomatic == "Le Roi &amp; la Dame & <Quinola>."


def test_nothing_is_lost_on_the_way(tmp_path: Path) -> None:
    letters = "# Un\n[p. 1]\nMot à mot. Et: plus!\n\n1. Puis [p. 2] deux.\n# Trois\n[p. 3]\nQua-\ntre."
    words = letters.replace("#", "").replace("[p. 1]", "").replace("[p. 2]", "").replace("[p. 3]", "")
    text = read(letters, tmp_path)
    assert (
        " ".join(sentence.diplomatic for sentence in text.sentences.values()).split()
        == words.replace("-\n", "").split()
    )


def test_a_page_without_words_at_the_end_is_told() -> None:
    assert apart("Un. \n\n[p. 9]").changed == {"a page without words at the end, left out": 1}


# ---- the TEI of others
OTHERS = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><p>ours</p></teiHeader><text><body>
<pb n="3"/><div><head>Du jeu<note>a note</note></head><p>Un <choice><sic>jetton</sic><corr>jeton</corr></choice>,
deux<lb/>trois qua<lb break="no"/>tre.<pb n="4"/> Cinq.</p><fw>running</fw>
<list><item>Six.</item><item>Sept <hi rend="italic">huit</hi>.</item></list><pb n="xii"/></div></body></text></TEI>"""


def test_the_words_of_the_page_are_taken_from_the_tei_of_others_and_what_is_left_out_is_counted() -> None:
    root, problems = parse_xml(OTHERS, "x.xml")
    assert root is not None and not problems
    taken = Taken()
    assert taken.notation(root).split("\n\n") == [
        "[p. 3]",
        "# Du jeu",
        "Un jetton, deux trois quatre.[p. 4] Cinq.",
        "Six.",
        "Sept huit.\n",
    ]
    assert taken.left_out == {
        "teiHeader": ["ours"],
        "note": ["a note"],
        "other reading": ["jeton"],
        "fw": ["running"],
        "page whose number is no number": ["xii"],
    }


HE_PAYS = "<p>He pays: <list><item>One fish.</item></list> But nobody <hi>pays</hi> twice.</p>"


@pytest.mark.parametrize(
    ("body", "sentences"),
    [
        (HE_PAYS, ["He pays:", "One fish.", "But nobody pays twice."]),
        ("<p>A <quote>b <p>Cd.</p> e</quote> f.</p>", ["A b", "Cd.", "e f."]),
        ("Loose <hi>words</hi>.<div>More.</div>", ["Loose", "words", ".", "More."]),
        ("<p>One <app><lem>two</lem><rdg>ten</rdg></app> three.</p>", ["One two three."]),
        (
            "<p>A <foo>strange</foo><bar> word</bar>.</p><strange>And <hi>more</hi>.</strange>",
            ["A strange word.", "And more."],
        ),
        ("<lg><l>First line,</l><l>second.</l></lg><trailer>FINIS.</trailer>", ["First line,", "second.", "FINIS."]),
        (
            "<p>% of it. 5 || 6, Art.~3. [p. 5] Seven.</p><p># 3</p>",
            ["% of it.", "5 || 6, Art.~3. [p. 5] Seven.", "# 3"],
        ),
        ("<head>#1</head><p>Hi<!-- quiet -->gh.</p>", ["#1", "High."]),
    ],
)
def test_words_before_behind_and_within_any_element_are_kept(body: str, sentences: list[str]) -> None:
    root, _ = parse_xml(f'<text xmlns="http://www.tei-c.org/ns/1.0"><body>{body}</body></text>', "x.xml")
    assert root is not None
    assert told(Taken().notation(root)) == sentences


ELEMENTS = ("p", "head", "list", "item", "label", "div", "quote", "row", "cell", "l", "foo", "hi", "g", "lb", "pb",
    "fw", "note", "gap", "choice", "sic", "corr", "app", "lem", "rdg", "stage")  # fmt: skip


@in_one_test("seed", range(50))
def test_every_letter_of_the_tei_of_others_is_kept_or_shown(seed: int) -> None:
    lot = Random(seed)
    count = itertools.count()

    def grow(depth: int) -> str:
        parts = [f" w{next(count)}{lot.choice('.,~%#|[ ')} "]
        for _ in range(lot.randrange(4) if depth else 0):
            name = lot.choice(ELEMENTS)
            parts.append(f"<{name}>{grow(depth - 1)}</{name}> w{next(count)} ")
        return "".join(parts)

    root, _ = parse_xml(
        f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>w{next(count)}</teiHeader><text>{grow(5)}</text>'
        f"<text>{grow(5)}</text></TEI>",
        "x.xml",
    )
    assert root is not None
    taken = Taken()
    kept = [word for words in told(taken.notation(root)) for word in words.split()]
    shown = [word for pieces in taken.left_out.values() for words in pieces for word in words.split()]
    assert Counter(kept + shown) == Counter("".join(map(str, root.itertext())).split())


def test_the_tei_of_others_becomes_ours(tmp_path: Path) -> None:
    root, _ = parse_xml(OTHERS, "x.xml")
    assert root is not None
    text = read(Taken().notation(root), tmp_path)
    told = [(sentence.kind, sentence.page, sentence.diplomatic) for sentence in text.sentences.values()]
    assert told == [
        ("heading", "3", "Du jeu"),
        ("text", "3", "Un jetton, deux trois quatre."),
        ("text", "4", "Cinq."),
        ("text", "4", "Six."),
        ("text", "4", "Sept huit."),
    ]


def test_markup_is_told_from_plain_text() -> None:
    assert is_xml("\ufeff\n <TEI/>") and not is_xml("Un < deux") and not is_xml("")


def test_a_page_of_another_printing_is_named_with_its_printing() -> None:
    words = "[p. 288]\nOne law.\n[p. New York 1830, 124]\nAnother law.\n[p. New York 1830, 125]\nA third."
    pasted = apart(words)
    assert pasted.pages == ("288", "New York 1830, 124", "New York 1830, 125")
    assert not pasted.doubts


@pytest.mark.parametrize(
    ("letters", "asked"),
    [
        ("# Laws:\n1. The person who misdeals. 2. If any player. 3. The eldest.", []),
        ("Laws: 1. The person who misdeals. 2. If any player. 3. The eldest.", []),
        ("# Laws\n\n1. The person who misdeals.\n2. If any player.", []),
        ("The former reckons 5, and the latter 4. The player wins.", ["4."]),
        ("# Points\nThe former reckons 5, and the latter 4. The player wins.", ["4."]),
        ("He pays in all: 40. Then he deals.", ["40."]),
    ],
)
def test_the_numbers_of_a_list_are_all_taken_for_such_and_only_another_number_is_asked_about(
    letters: str, asked: list[str]
) -> None:
    assert [one.what.split("'")[1] for one in find_unsure_stops("text.txt", letters)] == asked


# ---- sentences without a stop
def unended(letters: str, broken: bool = False) -> list[tuple[int, str, str]]:
    found = Paste("text.txt", broken).apart(letters).doubts
    return [(one.line, one.what, one.way_out) for one in found if "has no stop" in one.what]


def test_an_empty_line_within_a_sentence_and_a_cut_end_are_told_with_sentence_and_line() -> None:
    letters = "[p. 1]\n# Of the Table\nFour play. The parties exchange one with each\n\nother. He deals.\n\nHe who has"
    (line, what, way_out), (last, cut, rest) = unended(letters)
    assert (line, what) == (3, "sentence 3 has no stop") and told(letters)[2].endswith("one with each")
    assert "if it goes on in sentence 4, take out the empty line and import again" in way_out
    assert (last, cut) == (7, "sentence 6 has no stop") and rest.startswith("if the text breaks off here, say so in")
    assert [one[0] for one in unended(letters, broken=True)] == [3], "its record says it already"
    assert unended('Four play.\n\nHe said: "Pay."\n\nIn order:\n\nHeads || and tails.') == []


def test_headings_typed_without_their_sign_do_not_hide_a_sentence_that_was_parted() -> None:
    letters = "".join(f"Head {n}\n\nHe deals.\n\n" for n in "ABCDE") + "He pays\n\nthe pool.\n\nHe who"
    found = unended(letters)
    assert [one[0] for one in found] == [1, 21, 25] and "; nor have 3, 5, 7, 9" in found[0][1]
    assert "if it is a heading, put # before it" in found[0][2]
