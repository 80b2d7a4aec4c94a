"""The questions in the book: what is asked, what each source answers, with the words on which that rests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from docutils import nodes

from edition.book.nodes import BOOK_TURNED_CLASS, build_book_chapter, build_book_footnote, set_in_small_type
from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, add_anchor, card_sign, link, para, section, span, strong, suit_sign, table
from edition.nodes.components import render_answer_value, render_prose, render_translation
from edition.text.answers import CITE_ROLE_NOTES, SUMMARY, TEXT_VIEWS, describe_silence
from edition.views import common as views
from edition.views.common import AGREEMENT, classify_agreement, describe_search, find_testimony, group_questions
from edition.views.layout import join_content, render_matrix_mark
from edition.views.questions.question import (
    CellView,
    ConditionWord,
    QuestionView,
    ReadingRow,
    question_view,
)
from edition.views.sources.names_index import list_indexed_texts
from rulebook.answers.wording import format_answer, format_plain_answer, format_reference
from rulebook.grouping import group_pairs
from rulebook.model import Question
from rulebook.phrases import AnswerText, format_times, lower_first
from rulebook.strings import slugify_text

_Nodes = list[nodes.Node]
_STOPS = (".", "?", "!")  #: after which no full stop is set


def group_chapter(corpus: Corpus, group: str, names: Iterable[str], seen: set[str]) -> nodes.section:
    """The questions of one group; `seen` are the clauses that stood in the book before."""
    every = [_build_question_section(question_view(corpus, name), seen) for name in names]
    return build_book_chapter(f"group-{slugify_text(group)}", group, *every)


def _build_question_section(view: QuestionView, seen: set[str], printed: Collection[str] = ()) -> nodes.section:
    """A question; `printed` are the sentences whose translation need not be repeated."""
    title = [span(view.link.id, cls="rv-siglum"), " ", view.link.asks]
    translated = set(printed)
    cells = [para(*_format_cell(cell, seen, translated), cls="bk-entry") for cell in view.cells if cell.answer]
    unsaid = [_format_cell(cell, seen, translated) for cell in view.cells if not cell.answer]
    cells += [para(*(piece for cell in unsaid for piece in (*cell, " ")), cls="bk-entry")] if unsaid else []
    node = section(
        view.link.id,
        title,
        set_in_small_type(_build_question_head(view), *_build_readings(view), *cells),
        cls="bk-question",
    )
    add_anchor(node, "question", view.link.id)
    return add_anchor(node, "question", view.link.slug)


def _build_question_head(view: QuestionView) -> nodes.paragraph:
    pieces: list[Content] = [strong(view.agreement), f". Affects {view.affects}"]
    pieces += [f"; answered by {view.measure}"] if view.measure else []
    pieces += ["; asked only if ", *join_content(map(_format_condition, view.condition), " ")] if view.condition else []
    related = join_content((link("question", question.id, question.id) for question in view.related), ", ")
    pieces += [". See also ", *related] if view.related else []
    unplayed = [f" Not simulated in our deals: {lower_first(view.not_played)}"] if view.not_played else []
    return para(*pieces, ".", *unplayed, cls="bk-head")


def _format_condition(word: ConditionWord) -> Content:
    named = word.question
    if named:
        return span("the answer to ", link("question", named.id, named.id), f" “{named.asks}”")
    return word.words if word.words in _CONDITION_WORDS else f"“{word.words.replace('-', ' ')}”"


_CONDITION_WORDS = ("is", "is not", "and", "or")  #: what stands between questions and answers


def _build_readings(view: QuestionView) -> _Nodes:
    held = sorted((reading for reading in view.readings if reading.letter or reading.rivals), key=_order_by_letter)
    rest = [span(*_name_reading(reading.answer)) for reading in view.readings if not (reading.letter or reading.rivals)]
    shown = [_format_reading(row) for row in held]
    more: list[Content] = ["No book answers: ", *join_content(rest, "; "), "."] if rest else []
    if len(shown) > 1 and sum(len(node.astext()) for node in shown) > _MAX_RUNNING:
        lines = [para(node, ".", cls="bk-hang") for node in shown]
        return [*lines, *([para(*more, cls="bk-hang")] if more else [])]
    return [para(*join_content(shown, "; "), ". ", *more, cls="bk-hang")] if shown else []


_MAX_RUNNING = 320  #: letters; longer readings stand below each other


def _order_by_letter(row: ReadingRow) -> tuple[bool, int, str]:
    """Order of a reading: by its letter, of which the later ones have two; those without one come last."""
    return not row.letter, len(row.letter), row.letter


def _name_reading(answer: AnswerText) -> list[Content]:
    """A reading in the midst of a sentence, in words."""
    if answer.cards:
        return list(join_content(map(_format_card_worth, answer.cards), ", "))
    return [lower_first(_refer_to_answer(answer.full or answer.short).rstrip("."))]


def _format_reading(row: ReadingRow) -> nodes.inline:
    holders = [", ".join(row.holders), f"({', '.join(row.supplied_for)})" if row.supplied_for else ""]
    names = " ".join(holder for holder in holders if holder)
    rivals = join_content((link("alternative", name) for _, name in row.rivals), ", ")
    considered: list[Content] = [", considered in " if names else ": considered in ", *rivals] if row.rivals else []
    letter: list[Content] = [span(row.letter, cls=f"rv-mark rv-mark-{row.letter}"), " "] if row.letter else []
    who: list[Content] = [": ", span(names, cls="rv-siglum")] if names else []
    return span(*letter, *_format_answer(row.answer, stop=False), *who, *considered)


def _format_answer(answer: AnswerText, unit: str = "", stop: bool = True) -> list[Content]:
    """An answer in words where it has any, without the name under which a machine knows it."""
    if not answer.full:
        return render_answer_value(answer, unit)
    words = _refer_to_answer(answer.full)
    return [words if stop else words.rstrip(".")]


def _refer_to_answer(words: str) -> str:
    """A reference to the answer to another question, in words; other answers as they are."""
    asked = _REFERENCE.fullmatch(words)
    if not asked:
        return words
    times = f"{format_times(int(asked[2]))} " if asked[2] else ""
    much = "as much " if asked[1].startswith("How much") else ""
    return f"{times}{much}{format_reference(asked[1], 1)}"


_REFERENCE = re.compile(r"as ([A-Z][^?]*\?)(?: \((\d+) times\))?")


def _format_cell(cell: CellView, seen: set[str], translated: set[str]) -> list[Content]:
    """One source: what it answers, how sure we are, and its words; `translated` are the sentences translated above."""
    how = "supplied by us" if cell.supplied else cell.status
    sure = f", certainty {cell.cert}" if cell.cert else ""
    answer: list[Content] = _format_answer(cell.answer, cell.unit) if cell.answer else []
    return [
        add_anchor(span(cell.source.siglum, cls="rv-siglum"), "cell", cell.target),
        *([" ", render_matrix_mark(cell.mark), " "] if cell.answer else [" "]),
        *answer,
        *([" " if _refer_to_answer(cell.answer.full).endswith(_STOPS) else ". "] if cell.answer else []),
        span(f"[{how}{sure}]", cls="rv-small"),
        *(piece for each in cell.clauses for piece in (" ", *_format_clause(each, seen, translated))),
    ]


def _format_clause(clause: views.ClauseView, seen: set[str], translated: set[str]) -> list[Content]:
    """A clause: its words with the translation; the reasons, and at the foot the doubts, where it stands first."""
    first = clause.id not in seen
    number = span(clause.id if first else link("clause", clause.id, clause.id), cls="rv-id")
    places = [piece for each in clause.quotations for piece in (" ", *_format_quotation(each, translated))]
    seen.add(clause.id)
    because = _format_reasons(clause) if first else []
    return [
        add_anchor(number, "clause", clause.id),
        *places,
        *(["."] if places else []),
        *because,
        *(build_book_footnote(*_format_alternative(each)) for each in clause.others if first),
    ]


def _format_quotation(quote: views.QuotationView, translated: set[str]) -> list[Content]:
    """Quoted words, the sentence in English unless it stands just above, and the place."""
    place = span(
        "(", link("sentence", quote.locus, quote.locus.partition(".")[2]), *_format_passage_end(quote), ")", cls="rv-id"
    )
    words: list[Content] = ["“", span(quote.exact, lang=quote.lang, cls="rv-exact"), "” "] if quote.exact else []
    english = [*render_translation(quote.translation)] or (
        [f"{SUMMARY}: {quote.paraphrase} "] if quote.paraphrase else []
    )
    english = [] if quote.locus in translated else english
    translated.add(quote.locus)
    asides = [aside for aside in (CITE_ROLE_NOTES[quote.role], TEXT_VIEWS[quote.view]) if aside]
    return [
        *words,
        *([span(*english, cls="rv-small")] if english else []),
        place,
        *([f" ({'; '.join(asides)})"] if asides else []),
    ]


def _format_passage_end(quote: views.QuotationView) -> list[Content]:
    end: list[Content] = [f"–{quote.to.partition('.')[2]}"] if quote.to else []
    return [*end, f", p. {quote.page}"] if quote.page else end


def _format_reasons(clause: views.ClauseView) -> list[Content]:
    pieces: list[Content] = []
    sums = drop_plain_numbers(clause.computation.rstrip("."))
    pieces += [" Reckoned: ", *_link_sentences(sums, clause.source.siglum), "."] if sums else []
    pieces += (
        [f" Supplied from {clause.taken_from}."] if clause.taken_from and not _names_another_source(clause) else []
    )
    if clause.searched and not clause.throughout:
        pieces += [" Searched: ", *render_prose(describe_search(clause.searched, clause.partial)), "."]
    pieces += [" ", *render_prose(clause.because)] if clause.because else []
    note = render_prose(clause.note)
    return (
        [*pieces, build_book_footnote(*note)]
        if len("".join(piece if isinstance(piece, str) else piece.astext() for piece in note).split()) > 1
        else pieces
    )


def _names_another_source(clause: views.ClauseView) -> bool:
    """Check whether the reason of a clause names one of another source, from which its answer is taken."""
    return any(run.kind == "clause" and run.target.partition(".")[0] != clause.source.siglum for run in clause.because)


def drop_plain_numbers(computation: str) -> str:
    """A computation without the parts that only take a number from the words: 5 more = 5."""
    return "; ".join(part for part in computation.split("; ") if not _PLAIN_NUMBER.fullmatch(part))


_PLAIN_NUMBER = re.compile(r"[^\d=]*(\d+)[^\d=]* = \1")


def _link_sentences(words: str, siglum: str) -> Iterator[Content]:
    """Words in which the numbers of sentences lead to them."""
    for piece in _SENTENCE.split(words):
        whole = piece if "." in piece else f"{siglum}.{piece}"
        yield link("sentence", whole, piece) if _SENTENCE.fullmatch(piece) else piece


_SENTENCE = re.compile(r"(\b(?:[A-Z]+\.)?(?:s\d{4}|n\d{2})\b)")


def _format_alternative(alternative: views.AlternativeView) -> list[Content]:
    kind = {"interpretation": "or read", "option": "an option of the source"}[alternative.kind]
    name = add_anchor(strong(alternative.id), "alternative", alternative.id)
    words: list[Content] = [" “", span(alternative.exact, lang=alternative.lang), "”"] if alternative.exact else []
    answers = join_content(
        (span(link("question", each.question.id), " ", *_name_reading(each.answer)) for each in alternative.answers),
        "; ",
    )
    because: list[Content] = [" ", *render_prose(alternative.because)] if alternative.because else []
    return [
        name,
        f", {kind}: {alternative.label}",
        *words,
        " (",
        *answers,
        f"; certainty {alternative.cert}).",
        *because,
    ]


# --- the matrix -------------------------------------------------------------------------------------


def build_matrix_chapter(corpus: Corpus) -> nodes.section:
    """All questions, and what every source answers, on pages that one turns."""
    kinds = Counter(classify_agreement(corpus, question) for question in corpus.library.questions.values())
    counts = "; ".join(f"{name.lower()} on {kinds[kind]}" for kind, name in AGREEMENT.items())
    tables = [_build_matrix_table(corpus, *group) for group in group_questions(corpus).items()]
    intro = para(f"The same letter in a row is the same answer. Counted over all questions: {counts}.")
    return build_book_chapter(
        "matrix", "All questions, all sources", intro, *tables, cls=BOOK_TURNED_CLASS, short="The matrix"
    )


def _build_matrix_table(corpus: Corpus, title: str, questions: Iterable[Question]) -> nodes.table:
    rows = [
        (
            [link("question", question.id, question.id), " ", views.question_link(question).asks],
            *(_format_matrix_cell(corpus, question, mark) for mark in views.build_answer_marks(corpus, question)),
            AGREEMENT[classify_agreement(corpus, question)],
        )
        for question in questions
    ]
    return table(title, ("Question", *corpus.library.sources, "Agreement"), rows, cls="bk-matrix")


def _format_matrix_cell(corpus: Corpus, question: Question, mark: views.AnswerMark) -> list[Content]:
    cell, source = corpus.cell(mark.siglum, question.slug), corpus.library.sources[mark.siglum]
    if cell is None or cell.value is None:
        status = cell.status if cell else "not-collated"
        shown: list[Content] = [describe_silence(status, source.partial)]
    elif cards := format_answer(question, cell.value, corpus.library).cards:
        shown = join_content(map(_format_card_worth, cards), ", ")
    else:
        shown = [format_plain_answer(question, cell.value, source, corpus.library)]
    return [span(render_matrix_mark(mark), " ", link("cell", f"{question.id}@{mark.siglum}", *shown))]


def _format_card_worth(named: tuple[str, str]) -> nodes.inline:
    name, worth = named
    return span(card_sign(name) if len(name) > 1 else suit_sign(name), f" {worth}" if worth else "")


# --- the book that one prints -----------------------------------------------------------------------


def build_differing_chapter(corpus: Corpus) -> Iterator[nodes.section]:
    """The questions on which the sources differ, group by group; their words are translated where they stand."""
    seen: set[str] = set()
    printed = frozenset(locus for locus, _, _ in list_indexed_texts(corpus))
    groups = [
        section(
            f"group-{slugify_text(group)}",
            group,
            *(_build_question_section(question_view(corpus, question.id), seen, printed) for question in differing),
        )
        for group, questions in group_questions(corpus).items()
        if (differing := [question for question in questions if classify_agreement(corpus, question) == _DIFFERING])
    ]
    if groups:
        yield build_book_chapter("differing", "Where the books differ", *groups)


_DIFFERING = "differ"


def build_rest_chapter(corpus: Corpus) -> Iterator[nodes.section]:
    """A table of the questions on which the sources do not differ."""
    tables = [
        table(group, _REST_HEAD, [_build_rest_row(corpus, question) for question in rest], cls="bk-marked")
        for group, questions in group_questions(corpus).items()
        if (rest := [question for question in questions if classify_agreement(corpus, question) != _DIFFERING])
    ]
    if tables:
        yield build_book_chapter("rest", "The other questions", para(_REST_INTRODUCTION), *tables)


_REST_HEAD = ("Question", "Answer", "On the words")

_REST_INTRODUCTION = (
    "On these questions all books that speak agree, or one alone speaks, or none. Behind an answer stand those "
    "that give it; in brackets those for which we supply it."
)


def _build_rest_row(corpus: Corpus, question: Question) -> tuple[list[Content], ...]:
    title = add_anchor(span(question.id, cls="rv-siglum bk-landmark"), "question", question.id)
    add_anchor(title, "question", question.slug)
    answers: list[Content] = [para(*piece) for piece in _format_rest_answers(corpus, question)]
    asks = views.question_link(question).asks
    return [title, " ", asks], answers or ["–"], _format_rest_evidence(corpus, question)


def _format_rest_answers(corpus: Corpus, question: Question) -> Iterator[list[Content]]:
    """Each answer once, with those that give it."""
    groups = group_pairs(
        (mark.kind, (mark.siglum, cell.value))
        for mark in views.build_answer_marks(corpus, question)
        if (cell := corpus.cell(mark.siglum, question.slug)) and cell.value is not None
    )
    for given in groups.values():
        answer = format_answer(question, given[0][1], corpus.library)
        shown: list[Content] = (
            list(join_content(map(_format_card_worth, answer.cards), ", "))
            if answer.cards
            else [_name_tens(_refer_to_answer(answer.full or answer.short).rstrip("."))]
        )
        sigla = (s if find_testimony(corpus, s, question.slug) else f"({s})" for s, _ in given)
        yield [*shown, ": ", span(" ".join(sigla), cls="rv-siglum")]


def _name_tens(words: str) -> str:
    """The order of the ranks, in which a ten is no letter; other answers as they are."""
    return words.replace("T", "10") if _RANKS.fullmatch(words) else words


_RANKS = re.compile(r"[AKQJT2-9](?:\s[AKQJT2-9])+")


def _format_rest_evidence(corpus: Corpus, asked: Question) -> list[Content]:
    """The sentences on which the answer of each source rests."""
    lines: list[list[Content]] = []
    for siglum in corpus.library.sources:
        cell = corpus.cell(siglum, asked.slug)
        clauses = cell.clauses if cell else ()
        loci = dict.fromkeys(cite.locus for clause in clauses for cite in clause.cites)
        refs = join_content((link("sentence", locus, locus.partition(".")[2]) for locus in loci), " ")
        name = add_anchor(span(siglum, cls="rv-siglum"), "cell", f"{asked.id}@{siglum}")
        numbers = (add_anchor(span(clause.id.partition(".")[2]), "clause", clause.id) for clause in clauses)
        if clauses:
            lines.append([name, " ", *join_content(numbers, " "), *([": "] if refs else []), *refs])
    return [span(*join_content((span(*line) for line in lines), "; "), cls="rv-id")]
