"""Collation of a witness with our text: aligned sentence by sentence, every difference a variant with its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from rulebook.spelling import Spelling
from rulebook.tei.views import mended_words, printed_words
from rulebook.text import Sentence, Text, TextPart
from rulebook.witnesses.align import Pair, align_words
from rulebook.witnesses.alike import find_rule, list_foldings
from rulebook.witnesses.model import (
    WITNESS_VARIANT_KINDS,
    Collation,
    Judgement,
    Witness,
    WitnessSentence,
    WitnessVariant,
)
from rulebook.witnesses.words import (
    WitnessWord,
    WordSequence,
    join_transcribed,
    join_words,
    split_ours,
    split_theirs,
)

BORNE_OUT, REFUTED = "borne out", "refuted"
_SAME, _UNSEEN, _OPEN = "same", "unseen", "open"
_MENDED = "a misprint of our copy, which we correct as the witness has it"
_ALIKE, _SIMILAR, _UNLIKE = 1, 4, 9  #: cost of a pair of words that are not the same letter by letter


@dataclass(frozen=True, slots=True)
class WordPair:
    """A word of ours beside one of the witness; one of them may be missing."""

    ours: WitnessWord | None
    theirs: WitnessWord | None
    place: int  #: of our word, or of the next, from 1
    state: str  #: same, ocr, orthography, unseen or open
    rule: str = ""

    @property
    def emendation(self) -> str:
        """The emendation of ours in which it stands."""
        return self.ours.emendation if self.ours else ""


def collate(witness: Witness, text: Text, spelling: Spelling) -> Collation:
    """Collate a witness with our text as our copy prints it."""
    ours = {
        sentence.id: text.sentences.get(sentence.id) if sentence.matched else None for sentence in witness.sentences
    }
    verdicts = dict(
        chain.from_iterable(_judge_emendations(sentence, ours[sentence.id], spelling) for sentence in witness.sentences)
    )
    paired = [
        (sentence, [*_pair_sentence(sentence, ours[sentence.id], spelling, printed_words)])
        for sentence in witness.sentences
    ]
    every = [pair for _, pairs in paired for pair in pairs]
    return Collation(
        witness,
        sum(pair.theirs is not None for pair in every),
        sum(pair.state == _SAME for pair in every),
        sum(bool(pair.theirs and pair.theirs.transcribed) for pair in every),
        _count_unseen_ends(every),
        tuple(
            variant for line, pairs in paired for variant in _list_variants(line, pairs, verdicts, witness.judgements)
        ),
        verdicts,
    )


def _count_unseen_ends(every: Sequence[WordPair]) -> tuple[int, int]:
    """Count the words of ours that were not consulted before the first word of the witness, and after its last."""
    there = [at for at, pair in enumerate(every) if pair.theirs is not None]
    unseen = [at for at, pair in enumerate(every) if pair.state == _UNSEEN]
    return sum(at < there[0] for at in unseen), sum(at > there[-1] for at in unseen)


# ---- pairs
def _pair_sentence(
    line: WitnessSentence, sentence: Sentence | None, spelling: Spelling, view: Callable[[TextPart], str]
) -> Iterator[WordPair]:
    ours = split_ours(sentence, spelling, view) if sentence else WordSequence(())
    yield from pair_words(ours, split_theirs(line.parts, spelling), sentence.lang if sentence else "", spelling)


def pair_words(ours: WordSequence, theirs: WordSequence, lang: str, spelling: Spelling) -> Iterator[WordPair]:
    """Pair the words of a sentence with those of a witness, and say of each pair how alike they are."""
    here = [list_foldings(word.text, lang, spelling) for word in ours.words]
    there = [list_foldings(word.text, lang, spelling) for word in theirs.words]

    def rule_of(i: int, j: int) -> str | None:
        if theirs.words[j].cut:
            size = len(theirs.words[j].text)
            return find_rule(tuple(folding[:size] for folding in here[i]), there[j])
        return find_rule(here[i], there[j])

    def cost(i: int, j: int) -> int:
        rule = rule_of(i, j)
        return (_ALIKE if rule else 0) if rule is not None else _compare_letters(here[i][-1], there[j][-1])

    pairs = align_words(len(here), len(there), cost, theirs.opens_lost, theirs.ends_lost)
    unseen = {*_find_unseen(pairs, theirs)}
    place = 1
    for at, (i, j) in enumerate(pairs):
        word, other = ours.words[i] if i is not None else None, theirs.words[j] if j is not None else None
        if i is not None and j is not None:
            yield WordPair(word, other, place, *_name_state(rule_of(i, j), theirs.words[j]))
        else:
            yield WordPair(word, other, place, _UNSEEN if at in unseen else _OPEN)
        place += word is not None


def _find_unseen(pairs: Sequence[Pair], theirs: WordSequence) -> Iterator[int]:
    """Find the words of ours that stand before or after all that was consulted of the sentence."""
    there = [at for at, (_, j) in enumerate(pairs) if j is not None]
    first, last = (there[0], there[-1]) if there else (len(pairs), -1)
    yield from range(first) if theirs.opens_lost else ()
    yield from range(last + 1, len(pairs)) if theirs.ends_lost else ()


def _name_state(rule: str | None, theirs: WitnessWord) -> tuple[str, str]:
    if rule is None:
        return _OPEN, ""
    if rule:
        return "orthography", rule
    if not theirs.transcribed:
        return _SAME, ""
    return "ocr", "the same, as far as the word was consulted" if theirs.cut else "the same, as we read it"


def _compare_letters(word: str, other: str) -> int:
    """Return the cost of a pair of different words: less where they have half of their letters in common."""
    ours, theirs = set(word), set(other)
    return _SIMILAR if 2 * len(ours & theirs) >= len(ours | theirs) else _UNLIKE


# ---- emendations
def _judge_emendations(
    line: WitnessSentence, sentence: Sentence | None, spelling: Spelling
) -> Iterator[tuple[str, str]]:
    """Say which emendations of a sentence the witness bears out, and which it refutes; nothing of the others."""
    for id in sentence.emendations if sentence else ():
        printed, mended = (
            [pair for pair in _pair_sentence(line, sentence, spelling, view) if pair.emendation == id]
            for view in (printed_words, mended_words)
        )
        if [pair.ours.text for pair in printed if pair.ours] == [pair.ours.text for pair in mended if pair.ours]:
            continue  # it mends a mark, and marks are no words
        if mended and all(pair.state not in (_OPEN, _UNSEEN) for pair in mended):
            yield id, BORNE_OUT
        elif printed and all(pair.state not in (_OPEN, _UNSEEN) for pair in printed):
            yield id, REFUTED


# ---- variants
def _list_variants(
    line: WitnessSentence, pairs: Sequence[WordPair], verdicts: Mapping[str, str], given: Iterable[Judgement]
) -> Iterator[WitnessVariant]:
    judged = {(judgement.ours, judgement.theirs): judgement for judgement in given if judgement.sentence == line.id}
    for (state, emendation, _), group in groupby(pairs, key=_find_stretch):
        stretch = [*group]
        if state == _OPEN:
            yield _judge_stretch(line, stretch, emendation if verdicts.get(emendation) == BORNE_OUT else "", judged)
        elif state in WITNESS_VARIANT_KINDS:
            yield _make_variant(line, stretch, state, stretch[0].rule)
        yield from (_compare_marks(line, pair) for pair in stretch if _differs(pair))


def _find_stretch(pair: WordPair) -> tuple[str, str, int]:
    """Return what the words of one variant have in common; a word that is spelt otherwise stands alone."""
    single = {"orthography": pair.place, "ocr": pair.theirs.correction if pair.theirs else 0}
    return pair.state, pair.emendation, single.get(pair.state, 0)


def _differs(pair: WordPair) -> bool:
    """Return whether other marks follow a word that is the same."""
    if pair.state == _OPEN or not pair.ours or not pair.theirs or pair.theirs.marks is None:
        return False
    return pair.ours.marks != pair.theirs.marks


def _judge_stretch(
    line: WitnessSentence,
    stretch: Sequence[WordPair],
    emendation: str,
    judged: Mapping[tuple[str, str], Judgement],
) -> WitnessVariant:
    """Return the variant of words that no rule makes the same, with the judgement on it if there is one."""
    variant = _make_variant(line, stretch, "", "")
    if judgement := judged.get((variant.ours, variant.theirs)):
        variant = replace(
            variant,
            kind=judgement.kind,
            why=judgement.reason,
            by=judgement.by,
            moves=judgement.moves,
            weighed=judgement.weighed,
        )
    elif emendation:
        variant = replace(variant, kind="misprint", why=_MENDED, emendation=emendation)
    return variant


def _make_variant(line: WitnessSentence, stretch: Sequence[WordPair], kind: str, why: str) -> WitnessVariant:
    ours = [pair.ours for pair in stretch if pair.ours]
    theirs = [pair.theirs for pair in stretch if pair.theirs]
    words, sizes = (join_words(ours), join_words(theirs)), (len(ours), len(theirs))
    variant = WitnessVariant(line.id, stretch[0].place, kind, *words, sizes, why, line=line.line)
    return replace(variant, transcribed=join_transcribed(theirs))


def _compare_marks(line: WitnessSentence, pair: WordPair) -> WitnessVariant:
    assert pair.ours and pair.theirs
    words = (f"{pair.ours.text}{pair.ours.marks}", f"{pair.theirs.text}{pair.theirs.marks}")
    return WitnessVariant(line.id, pair.place, "punctuation", *words, (0, 0), "another mark follows", line=line.line)
