"""Labels of what is set beside a table's own rules: answers of other books, other readings, whole books."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, link, span
from edition.nodes.components import SourceMark, named_source
from edition.views.common import QuestionLink, question_link
from edition.views.layout import join_content
from edition.views.plain_answers import source_marks
from lab.survey.variants import VARIANT_INTERPRETATION, VARIANT_QUESTION, VARIANT_SOURCE, SurveyVariant


@dataclass(frozen=True, slots=True)
class StandView:
    """One thing for which a ruleset stands, with what can be linked to."""

    kind: str
    questions: tuple[QuestionLink, ...]
    source: str
    alternative: str
    label: str  #: of the alternative, in a few words
    assumed: bool = False  #: whether the source does not answer itself what is taken from it


def stand_view(corpus: Corpus, stand: SurveyVariant) -> StandView:
    """One thing for which a ruleset stands; of an earlier state of the sources only what is still there."""
    known = [corpus.library.questions[slug] for slug in stand.questions if slug in corpus.library.questions]
    alternative = stand.alternative if corpus.kinds.get(stand.alternative) == "alternative" else ""
    named = {
        reading.id: reading.label for slug in stand.questions for _, reading in corpus.alternatives_on.get(slug, ())
    }
    label = named.get(alternative, "")
    assumed = bool(stand.source and known) and not corpus.answers_itself(stand.source, known[0].slug)
    return StandView(stand.kind, tuple(map(question_link, known)), stand.source, alternative, label, assumed)


@dataclass(frozen=True, slots=True)
class VariantLabel:
    """All that a ruleset beside a table's own stands for."""

    stands: tuple[StandView, ...]
    givers: tuple[SourceMark, ...]
    brought: tuple[str, ...]  #: ids of questions whose answers had to come along


def variant_label(corpus: Corpus, variants: Sequence[SurveyVariant], ruleset: str) -> VariantLabel:
    """Label a ruleset, which is named as it is printed: PAM + Q031@ACA."""
    marks, stands = source_marks(corpus), tuple(stand_view(corpus, variant) for variant in variants)
    ids = {asked.id for stand in stands for asked in stand.questions}
    wished = (wish.partition("@")[0] for wish in ruleset.split(" + ")[1:] if "@" in wish)
    givers = dict.fromkeys(marks[variant.source] for variant in variants if variant.source in marks)
    return VariantLabel(stands, tuple(givers), tuple(dict.fromkeys(id for id in wished if id not in ids)))


def render_variant_label(label: VariantLabel) -> list[Content]:
    """Name of a row: the questions with the books whose answer is taken, or another reading."""
    stands, givers, brought = label.stands, label.givers, label.brought
    taken = [stand for stand in stands if stand.kind == VARIANT_QUESTION]
    parts = [_taken_words(taken, givers, questions) for questions in dict.fromkeys(stand.questions for stand in taken)]
    parts += [_stand_words(givers, stand) for stand in stands if stand not in taken]
    others = [f" (with its {', '.join(brought)})"] if brought else []
    return [*parts[:-1], span(*parts[-1:], *others, cls="rv-cost-line")]


def _taken_words(
    taken: Sequence[StandView], givers: Sequence[SourceMark], questions: Sequence[QuestionLink]
) -> nodes.inline:
    """Questions answered as by other books."""
    sigla = {stand.source: stand.assumed for stand in taken if stand.questions == questions}
    parts = (part for siglum, assumed in sigla.items() for part in (" ", _giver(givers, siglum, assumed)))
    return span(*_link_questions(questions), *parts, cls="rv-cost-line")


def _stand_words(givers: Sequence[SourceMark], stand: StandView) -> nodes.inline:
    if stand.kind == VARIANT_SOURCE:
        return span(_giver(givers, stand.source), cls="rv-cost-line")
    kind = "another reading" if stand.kind == VARIANT_INTERPRETATION else "an option of the book"
    name: Content = link("alternative", stand.alternative) if stand.alternative else "one that is gone"
    words = f" {kind}: {stand.label} (" if stand.label else f" {kind} ("
    return span(*_link_questions(stand.questions), span(words, name, ")", cls="rv-cost-notes"), cls="rv-cost-line")


def _link_questions(questions: Sequence[QuestionLink]) -> list[Content]:
    """Links to questions: several of them each on a line of its own."""
    cls = "rv-cost-asks" if len(questions) > 1 else ""
    return join_content((link("question", question.id, question.asks, cls=cls) for question in questions), " ")


def _giver(givers: Sequence[SourceMark], siglum: str, assumed: bool = False) -> Content:
    mark = next((giver for giver in givers if giver.siglum == siglum), None)
    return named_source(mark, assumed) if mark else siglum
