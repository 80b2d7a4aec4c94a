"""Rules that one book alone has: what only it says, and where it stands alone against the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import find_testimony
from edition.views.plain_answers import describe_answer_plainly, source_marks
from rulebook.model import Question

_LONGEST_QUOTATION = 80  #: letters
_FEWEST_OTHERS = 2  #: books that must agree with each other before one stands alone against them


@dataclass(frozen=True, slots=True)
class AloneRule:
    """A question and the answer of the book that has it alone."""

    question: str
    asks: str
    answer: str
    sentence: str = ""  #: on which the answer rests first
    quoted: str = ""  #: its words, where they may be printed
    lang: str = ""
    others: str = ""  #: what all the others answer that do
    supplied: str = ""  #: why its words are no words of our copy, such as that another printing has them


@dataclass(frozen=True, slots=True)
class AloneView:
    """A book with what it alone says, and where it differs from others that agree."""

    source: SourceMark
    says: tuple[AloneRule, ...]
    differs: tuple[AloneRule, ...]


def alone_view(corpus: Corpus, _: str = "") -> tuple[AloneView, ...]:
    """Every book with the rules that it has alone; what we assume for a book does not count."""
    testimony = {
        question.id: {siglum: find_testimony(corpus, siglum, slug) for siglum in corpus.library.sources}
        for slug, question in corpus.library.questions.items()
    }
    return tuple(_view_source(corpus, mark, testimony) for mark in source_marks(corpus).values())


def _view_source(corpus: Corpus, mark: SourceMark, testimony: Mapping[str, Mapping[str, str]]) -> AloneView:
    says, differs = list[AloneRule](), list[AloneRule]()
    for question in corpus.library.questions.values():
        answers = testimony[question.id]
        others = [answer for siglum, answer in answers.items() if answer and siglum != mark.siglum]
        if answers[mark.siglum] and not others:
            says.append(_quote_rule(corpus, mark, question, _view_rule(corpus, question, mark)))
        elif answers[mark.siglum] and _is_alone_against(answers[mark.siglum], others):
            other = next(siglum for siglum, answer in answers.items() if answer and siglum != mark.siglum)
            rule = replace(_view_rule(corpus, question, mark), others=describe_answer_plainly(corpus, question, other))
            if rule.others != rule.answer:  # a rule that refers to another's sum differs no more than that one does
                differs.append(rule)
    return AloneView(mark, tuple(says), tuple(differs))


def _is_alone_against(own: str, others: Sequence[str]) -> bool:
    return len(others) >= _FEWEST_OTHERS and len(set(others)) == 1 and own != others[0]


def _view_rule(corpus: Corpus, question: Question, mark: SourceMark) -> AloneRule:
    return AloneRule(question.id, question.asks, describe_answer_plainly(corpus, question, mark.siglum))


def _quote_rule(corpus: Corpus, mark: SourceMark, question: Question, rule: AloneRule) -> AloneRule:
    """Add the first words on which a rule rests, if the source may be printed; the page of its question has all."""
    cell, source = corpus.cell(mark.siglum, question.slug), corpus.library.sources[mark.siglum]
    cites = [cite for clause in cell.clauses for cite in clause.cites] if cell else []
    resting = next((cite for cite in cites if cite.role == "grounds"), next(iter(cites), None))
    if resting is None:
        return rule
    words = shorten(resting.exact, _LONGEST_QUOTATION, placeholder=" …") if source.text else ""
    supplied = _find_supply_reason(corpus, resting.locus)
    return replace(rule, sentence=resting.locus, quoted=words, lang=source.language, supplied=supplied)


def _find_supply_reason(corpus: Corpus, locus: str) -> str:
    """Return why a whole sentence is supplied; empty for one that stands in our copy."""
    sentence = corpus.sentence(locus)
    parts = [part for part in sentence.parts if part.text.strip()] if sentence else []
    return parts[0].reason if parts and all(part.kind == "supplied" for part in parts) else ""


render_alone = template_renderer("edition", "alone")
