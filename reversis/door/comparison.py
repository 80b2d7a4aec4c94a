"""Two rulesets compared: the questions that they answer differently."""

from __future__ import annotations

from dataclasses import dataclass, field

from edition.corpus.answer_comparison import AnswerDifference, RulesetAnswer, find_differences
from reversis.door.records import Records, RecordValue
from reversis.door.worked_deals import open_default_library
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import format_plain_answer
from rulebook.display import Tabular, format_repr
from rulebook.model import Library, Question, Ruleset
from rulebook.resolve import require_library, rules
from rulebook.suggestions import describe_type


@dataclass(frozen=True, slots=True)
class Comparison(Tabular[RecordValue]):
    """Two rulesets and the questions on which they differ."""

    library: Library = field(repr=False)
    pair: tuple[Ruleset, Ruleset]
    differences: tuple[AnswerDifference, ...]

    def __len__(self) -> int:
        return len(self.differences)

    def __repr__(self) -> str:
        names = " and ".join(ruleset.name for ruleset in self.pair)
        return format_repr(
            self, f"{names} differ on {len(self.differences)} of {len(self.library.questions)} questions"
        )

    def rows(self) -> list[dict[str, RecordValue]]:
        """Return a plain dict for each question on which they differ."""
        return self.records().rows()

    def records(self) -> Records:
        """Return the differences as a table."""
        columns = {"question": "id of the question", "slug": "its speaking name", "asks": "the question"}
        for side, ruleset in zip(("first", "second"), self.pair, strict=True):
            columns |= {
                side: f"the answer by {ruleset.name}, as data; empty where there is none",
                f"{side}_words": "the same in plain words",
                f"{side}_status": "how it is known",
                f"{side}_supplied": "whether the answer is ours, the source being silent",
                f"{side}_clauses": "clauses that speak to it",
            }
        return Records("comparison", columns, tuple(self._make_row(difference) for difference in self.differences))

    def _make_row(self, difference: AnswerDifference) -> tuple[RecordValue, ...]:
        sides = (
            self._list_side(difference.question, side, rules)
            for side, rules in zip(difference.sides, self.pair, strict=True)
        )
        return (
            difference.question.id,
            difference.question.slug,
            difference.question.asks,
            *(value for side in sides for value in side),
        )

    def _list_side(self, asked: Question, side: RulesetAnswer, ruleset: Ruleset) -> tuple[RecordValue, ...]:
        words = self.describe_answer(asked, side, ruleset)
        reading = "" if side.value is None else format_canonical(side.value)
        return reading, words, side.status, side.supplied, [*side.clauses]

    def describe_answer(self, asked: Question, side: RulesetAnswer, ruleset: Ruleset) -> str:
        """Describe one side's answer in plain words; empty where it has none."""
        if side.value is None:
            return ""
        return format_plain_answer(asked, side.value, self.library.sources[ruleset.source], self.library)


def compare(first: str | Ruleset, second: str | Ruleset, library: Library | None = None) -> Comparison:
    """Compare two rulesets: sources by their sigla, rules as they are printed ("PAM + Q017@ACA"), or rulesets.

    Raises UnknownName or BadChoice for names that are not there.
    """
    lib = library or open_default_library()
    require_library(lib, 'compare("PAM", "ACA", library)')
    base, other = (_bind_rules(lib, given) for given in (first, second))
    differences = find_differences(lib, (base, other), tuple(lib.questions.values()))
    return Comparison(lib, (base, other), tuple(differences))


def _bind_rules(library: Library, given: str | Ruleset) -> Ruleset:
    if isinstance(given, Ruleset):
        return given
    if not isinstance(given, str):
        raise TypeError(f'{describe_type(given)} is no ruleset: compare("PAM", "ACA"), or compare(one, other, library)')
    source, *wishes = (part.strip() for part in given.split("+"))
    return rules(library, source, *wishes)
