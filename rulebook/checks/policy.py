"""The editorial policy, sentence by sentence: each check is named for what it holds up.

A check looks at the whole library and yields problems: where, what, and the way out.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from itertools import groupby

from rulebook.answers import Answers, Wrong, canonical, conditions, met, ruled_out, worth
from rulebook.checks.numerals import Hand, in_a_row, is_numeric, named, numbers, untraced
from rulebook.io.strict_yaml import Positions, Steps
from rulebook.model import (
    CERTAINTIES,
    ROLES,
    STATUSES,
    VIEWS,
    Alternative,
    Cite,
    Clause,
    Library,
    Like,
    Printed,
    Problem,
    Source,
    Value,
    Where,
)
from rulebook.suggestions import did_you_mean
from rulebook.text import LANGUAGE

REASONS = ("silent", "inapplicable", "not-collated")  # statuses that may stand without an answer
SPOKEN = ("stated", "implied", "denied", "ambiguous", "contradictory")  # statuses that rest on words
KINDS = ("emendation", "commentary", "transcription")
TOMBSTONES = "sources/tombstones.yaml"
ELSEWHERE = ("practice", "logic")  # where a supplied reading comes from, besides another source


# --- what a check may look at -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """One answer, or one reason for having none, as it was written down."""

    source: str
    clause: str
    owner: str  #: the clause itself, or one of its alternatives
    kind: str  #: answer | reason
    key: str  #: Q031 or a slug
    where: Where
    slug: str = ""  #: empty for a question that there is not
    value: Value | None = None
    wrong: Wrong | None = None

    @property
    def own(self) -> bool:
        """Whether it is the clause's own, not an alternative's."""
        return self.owner == self.clause


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What became of an id that was published and is gone."""

    id: str
    on: str  #: the day
    why: str
    see: tuple[str, ...]  #: what to read instead
    where: Where


@dataclass(frozen=True, slots=True)
class Registry:
    """The ids that were ever published, and those there are now that the library does not hold itself."""

    begun: bool = False  #: nothing is held to have been published before there is a registry
    ids: Mapping[str, Where] = field(default_factory=dict)
    tombstones: tuple[Tombstone, ...] = ()
    terms: tuple[tuple[str, Where], ...] = ()
    deals: tuple[tuple[str, Where], ...] = ()
    sessions: tuple[tuple[str, Where], ...] = ()


@dataclass(frozen=True)
class Case:
    """The library as it was read, with the place of everything in it."""

    library: Library
    givens: tuple[Given, ...] = ()
    places: Mapping[Where, tuple[Positions, Steps]] = field(default_factory=dict)
    incomplete: frozenset[str] = frozenset()  #: sources of whose clauses some could not be read at all
    lost: bool = False  #: whether anything else could not be read
    registry: Registry = field(default_factory=Registry)

    def at(self, record: Where, *steps: str | int) -> Where:
        """The place of an entry within a record."""
        if record not in self.places:
            return record
        positions, start = self.places[record]
        return positions.where((*start, *steps))

    @cached_property
    def by_source(self) -> Mapping[str, tuple[Given, ...]]:
        """What each source has answered and passed over, alternatives left out."""
        return {sig: tuple(g for g in self.givens if g.source == sig and g.own) for sig in self.library.sources}

    @cached_property
    def by_owner(self) -> Mapping[str, Sequence[Given]]:
        """What each clause, interpretation and option answers and passes over, by its id."""
        found = defaultdict[str, list[Given]](list)
        for one in self.givens:
            found[one.owner].append(one)
        return found

    @cached_property
    def answers(self) -> Mapping[str, Answers]:
        """Every source's own answers, supplied ones included."""
        return {
            sig: {g.slug: g.value for g in reversed(givens) if g.value is not None}
            for sig, givens in self.by_source.items()
        }

    def named(self, slug: str) -> str:
        """A question by both its names."""
        question = self.library.questions.get(slug)
        return f"{question.id} ({slug})" if question else slug


Check = Callable[[Case], Iterator[Problem]]


def cites(case: Case) -> Iterator[tuple[Source, Clause, Cite]]:
    """Every citation with its clause and source."""
    for source in case.library.sources.values():
        for clause in source.clauses:
            for cite in clause.cites:
                yield source, clause, cite


def clauses(case: Case, *statuses: str) -> Iterator[tuple[Source, Clause]]:
    """Every clause of these statuses, or of any."""
    for source in case.library.sources.values():
        for clause in source.clauses:
            if not statuses or clause.status in statuses:
                yield source, clause


def alternatives(case: Case) -> Iterator[tuple[Source, Clause, Alternative]]:
    """Every rival interpretation and every option."""
    for source, clause in clauses(case):
        for alternative in clause.alternatives:
            yield source, clause, alternative


# --- words and places -------------------------------------------------------------------------------


def collapsed(text: str) -> str:
    """A text with its white space single."""
    return " ".join(text.split())


def by_statements(source: Source) -> bool:
    """Whether a source is given in statements of ours, its text being in copyright."""
    return source.text is None and bool(source.statements)


def loci(source: Source) -> tuple[str, ...]:
    """Everything in a source that can be cited, in order."""
    return tuple(source.text.sentences) if source.text else tuple(one.id for one in source.statements)


def span(source: Source, first: str, last: str = "") -> tuple[str, ...]:
    """The loci from the first to the last; empty if one is unknown or they run backwards."""
    known = loci(source)
    if first not in known or (last or first) not in known:
        return ()
    return known[known.index(first) : known.index(last or first) + 1]


def words_at(source: Source, ids: Iterable[str], view: str) -> str:
    """What stands at these loci in one view: the words of the text, or what is quoted of a statement."""
    if source.text:
        return " ".join(str(getattr(source.text.sentences[id], view)) for id in ids)
    quotes = {one.id: one.quote for one in source.statements}
    return collapsed(" ".join(quotes[id] for id in ids))


def fingerprint(source: Source, cite: Cite) -> str:
    """The fingerprint of what is cited, as it stands now; empty if it does not stand."""
    ids = span(source, cite.locus, cite.to)
    if not ids:
        return ""
    if source.text:
        seen = words_at(source, ids, "diplomatic")
    else:
        seen = collapsed(" ".join(f"{one.text} {one.quote}" for one in source.statements if one.id in ids))
    return sealed(seen)


def sealed(text: str) -> str:
    """The SHA-256 of a text, in the form in which it is written down."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def found(exact: str, text: str) -> list[int]:
    """Where a quotation begins in a text; whole words only. (To compile a pattern for each takes longer.)"""
    places, at = list[int](), text.find(exact)
    while at >= 0 and exact:
        end = at + len(exact)
        whole = not torn(text[max(at - 1, 0) : at], exact[0]) and not torn(exact[-1], text[end : end + 1])
        if whole:
            places.append(at)
        at = text.find(exact, end if whole else at + 1)
    return places


def torn(before: str, after: str) -> bool:
    """Whether two letters side by side belong to one word."""
    return in_word(before) and in_word(after)


def in_word(letter: str) -> bool:
    """Whether a letter is part of a word; nothing is none."""
    return letter.isalnum() or letter == "_"


def framed(at: int, cite: Cite, exact: str, text: str) -> bool:
    """Whether a find has the prefix before it and the suffix behind it."""
    before, after = text[:at].rstrip(), text[at + len(exact) :].lstrip()
    return before.endswith(collapsed(cite.prefix)) and after.startswith(collapsed(cite.suffix))


def occurrences(source: Source, cite: Cite, view: str) -> int:
    """How often a quotation stands at its locus."""
    exact = collapsed(cite.exact)
    text = words_at(source, span(source, cite.locus, cite.to), view)
    return sum(framed(at, cite, exact, text) for at in found(exact, text))


# --- the nearest match ------------------------------------------------------------------------------


def nearest(source: Source, cite: Cite) -> str:
    """Where the quoted words stand, or what stands there that is most like them."""
    exact = collapsed(cite.exact)
    for view in VIEWS:
        if view != cite.view and occurrences(source, cite, view):
            return f"it stands there in the {view} view: quote the {cite.view} one, or say view: {view}"
    elsewhere = [id for id in loci(source) if found(exact, words_at(source, (id,), cite.view))]
    if elsewhere:
        return f"it stands in {', '.join(elsewhere[:3])}"
    likely = sorted(loci(source), key=lambda id: -shared(exact, words_at(source, (id,), cite.view)))[:5]
    best = max((window for id in likely for window in windows(source, cite, id)), default=(0.0, "", ""))
    if best[0] < 0.5:
        return "nothing like it stands in the source: quote again from the text"
    return f'the nearest is "{best[2]}" in {placed(source, best[1])}'


def placed(source: Source, id: str) -> str:
    """A locus with its line in the file, if it has one."""
    return f"{id} (text.xml, line {source.text.sentences[id].line})" if source.text else id


def triples(text: str) -> set[str]:
    """Every run of three letters."""
    return {text[at : at + 3].lower() for at in range(max(len(text) - 2, 1))}


def shared(exact: str, text: str) -> float:
    """How much of a quotation a text has, roughly."""
    wanted = triples(exact)
    return len(wanted & triples(text)) / len(wanted)


def windows(source: Source, cite: Cite, id: str) -> Iterator[tuple[float, str, str]]:
    """Runs of as many words as were quoted, each with its likeness."""
    exact = collapsed(cite.exact)
    words, size = words_at(source, (id,), cite.view).split(), len(exact.split())
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(exact)
    for at in range(max(len(words) - size, 0) + 1):
        window = " ".join(words[at : at + size])
        matcher.set_seq1(window)
        if matcher.quick_ratio() >= 0.5:
            yield matcher.ratio(), id, window


# --- questions and answers ----------------------------------------------------------------------------


def every_answer_names_a_question(case: Case) -> Iterator[Problem]:
    """A clause answers questions that there are."""
    for given in case.givens:
        if not given.slug and given.wrong:
            yield given.where.problem(f"{given.owner}: {given.wrong.what}", given.wrong.way_out)


def every_answer_is_a_reading(case: Case) -> Iterator[Problem]:
    """An answer is one of the readings, or a measure of the right kind."""
    for given in case.givens:
        if given.slug and given.wrong:
            what = f"{given.owner}: {case.named(given.slug)}: {given.wrong.what}"
            yield given.where.problem(what, given.wrong.way_out)


def every_question_is_answered_or_reasoned(case: Case) -> Iterator[Problem]:
    """An empty cell is an error: every source answers every question, or gives a reason."""
    for siglum, givens in case.by_source.items():
        if siglum in case.incomplete:
            continue
        spoken = {given.slug for given in givens}
        place = Where(f"{case.library.sources[siglum].where.file.rpartition('/')[0]}/clauses.yaml")
        for slug, question in case.library.questions.items():
            if slug not in spoken and question.by in ("", siglum):  # nobody else need answer what is on trial
                what = f"{siglum} has neither answer nor reason for {case.named(slug)}"
                yield place.problem(what, "answer it in a clause, or list it under `on:` where the reason stands")


def answers_of_one_source_agree(case: Case) -> Iterator[Problem]:
    """A source answers a question once, or twice alike."""
    for siglum, givens in case.by_source.items():
        first: dict[str, Given] = {}
        for given in givens:
            before = first.setdefault(given.slug, given)
            if given is not before and given.slug and not (given.wrong or before.wrong):
                yield from disagreement(case, siglum, before, given)


def disagreement(case: Case, siglum: str, one: Given, other: Given) -> Iterator[Problem]:
    """Two clauses that cannot both stand."""
    told = f"{other.owner} ({stand(case, other)}) {said(other)}, but {one.owner} ({stand(case, one)}) {said(one)}"
    if one.value != other.value:
        what = f"{siglum} contradicts itself on {case.named(other.slug)}: {told}"
        yield other.where.problem(what, "take one back, or make it a rival of the other")


def said(given: Given) -> str:
    """What a clause does with a question."""
    return "gives a reason only" if given.value is None else f"answers {canonical(given.value)}"


def stand(case: Case, given: Given) -> str:
    """Where the clause of an answer stands: its loci, or its status."""
    clause = case.library.clause(given.clause)
    return ", ".join(cite.locus for cite in clause.cites) or clause.status


def a_reason_is_given_once(case: Case) -> Iterator[Problem]:
    """A source is not silent on what it says."""
    for siglum, givens in case.by_source.items():
        status = {clause.id: clause.status for clause in case.library.sources[siglum].clauses}
        for slug, same in groupby(sorted(givens, key=lambda one: one.slug), key=lambda one: one.slug):
            spoken = {one.clause: status[one.clause] in REASONS for one in same if slug}
            for owner, reason in spoken.items():
                if reason and len(spoken) > 1:
                    others = ", ".join(sorted(set(spoken) - {owner}))
                    what = f"{owner} is {status[owner]} on {case.named(slug)}, to which {others} speaks too"
                    yield case.library.clause(owner).where.problem(what, "keep one of them")


def an_answer_makes_sense(case: Case) -> Iterator[Problem]:
    """A question whose condition fails is not answered."""
    for siglum, givens in case.by_source.items():
        for given in givens:
            if given.value is not None:
                yield from out_of_place(case, siglum, given, case.answers[siglum])


def out_of_place(case: Case, siglum: str, given: Given, answers: Answers) -> Iterator[Problem]:
    """An answer to a question that makes no sense under the other answers."""
    for condition in conditions(case.library.questions[given.slug].depends):
        value = worth(answers.get(condition.question), answers)
        if not met(condition, answers) and (value is not None or passed_over(case, siglum, condition.question)):
            other = "passed over" if value is None else canonical(value)
            what = f"{given.owner}: {case.named(given.slug)} makes sense only if {condition}; here that is {other}"
            yield given.where.problem(what, "put it under an inapplicable clause, or mend the other answer")


def passed_over(case: Case, siglum: str, slug: str) -> bool:
    """Whether a source gives only a reason for a question, having been read for it."""
    mine = case.library.sources[siglum].clauses
    return any(clause.status != "not-collated" and slug in clause.about for clause in mine)


def an_inapplicable_question_makes_no_sense(case: Case) -> Iterator[Problem]:
    """What is called inapplicable does not apply."""
    for source, clause in clauses(case, "inapplicable"):
        for at, slug in enumerate(clause.about):
            depends = case.library.questions[slug].depends
            conds = conditions(depends)
            if conds and all(met(one, case.answers[source.siglum]) for one in conds):
                what = f"{clause.id}: {case.named(slug)} does apply, for {' and '.join(map(str, conds))}"
                yield case.at(clause.where, "on", at).problem(what, "answer it, or call the source silent on it")


def only_an_own_answer_makes_inapplicable(case: Case) -> Iterator[Problem]:
    """A source's own answer makes a question inapplicable; what hangs on a silence is silent too."""
    for source, clause in clauses(case, "inapplicable"):
        answers, own = case.answers[source.siglum], spoken_for(source)
        for at, slug in enumerate(clause.about):
            conds = conditions(case.library.questions[slug].depends)
            applies = bool(conds) and all(met(one, answers) for one in conds)  # which is told above
            if not applies and not ruled_out(slug, case.library.questions, answers, own):
                what = f"{clause.id}: no answer of {source.siglum} itself rules out {case.named(slug)}"
                yield case.at(clause.where, "on", at).problem(what, "call the source silent on it, with searched:")


def spoken_for(source: Source) -> frozenset[str]:
    """The questions that a source itself answers, as slugs."""
    return frozenset(slug for clause in source.clauses if clause.status in SPOKEN for slug in clause.answers)


def a_bundle_holds_together(case: Case) -> Iterator[Problem]:
    """An alternative answers just the questions that make sense with it."""
    for source, _, alternative in alternatives(case):
        bundle = {**case.answers[source.siglum], **alternative.answers}
        mine = [one for one in case.by_owner[alternative.id] if one.value is not None]
        for given in mine:
            yield from out_of_place(case, source.siglum, given, bundle)
        if source.siglum not in case.incomplete:
            yield from left_open(case, source, alternative, bundle)


def left_open(case: Case, source: Source, alternative: Alternative, bundle: Answers) -> Iterator[Problem]:
    """Questions of play that an alternative makes applicable without answering them."""
    for slug, question in case.library.questions.items():
        conds = conditions(question.depends)
        if slug in bundle or not conds or not any(one.question in alternative.answers for one in conds):
            continue
        if all(met(one, bundle) for one in conds) and not question.not_played:
            what = f"{alternative.id}: with it {case.named(slug)} makes sense, and has no answer"
            yield case.at(alternative.where, "answers").problem(what, "add the answer that goes with it")


def a_reference_leads_to_a_number(case: Case) -> Iterator[Problem]:
    """ "As if forced" points to an answer, and not in a circle."""
    bundles = {one.id: one.answers for _, _, one in alternatives(case)}
    for given in case.givens:
        answers = {**case.answers[given.source], **bundles.get(given.owner, {})}
        if isinstance(given.value, Like) and not isinstance(worth(given.value, answers), int):
            what = f"{given.owner}: {canonical(given.value)} leads to no number in {given.source}"
            yield given.where.problem(what, "answer the question it points to, or write the number")


# --- loci and quotations ------------------------------------------------------------------------------


def every_locus_is_known(case: Case) -> Iterator[Problem]:
    """A citation names sentences, or statements, that there are."""
    for source, clause, cite in cites(case):
        known = loci(source)
        for key, locus in (("locus", cite.locus), ("to", cite.to)):
            if locus and known and locus not in known:
                what = f"{clause.id}: there is no {locus} in {source.siglum}"
                way_out = did_you_mean(locus, known, f"{source.siglum} has {known[0]} to {known[-1]}")
                yield case.at(cite.where, key).problem(what, way_out)


def every_range_runs_forward(case: Case) -> Iterator[Problem]:
    """A range ends after it has begun."""
    for source, clause, cite in cites(case):
        known = loci(source)
        if cite.to in known and cite.locus in known and known.index(cite.to) <= known.index(cite.locus):
            what = f"{clause.id}: the range ends with {cite.to}, which does not come after {cite.locus}"
            yield case.at(cite.where, "to").problem(what, "exchange the two, or leave `to` out")


def every_citation_quotes(case: Case) -> Iterator[Problem]:
    """What is taken from a text is quoted from it."""
    for source, clause, cite in cites(case):
        if source.text and not cite.exact.strip():
            what = f"{clause.id}: cites {cite.locus} and quotes nothing"
            yield cite.where.problem(what, "add exact: and the words that prove the answer")


def every_quotation_stands_at_its_locus(case: Case) -> Iterator[Problem]:
    """Every quotation is found again at its locus, in its view, exactly once."""
    for source, clause, cite in cites(case):
        if cite.exact.strip() and cite.view in VIEWS and span(source, cite.locus, cite.to):
            times = occurrences(source, cite, cite.view)
            if times != 1:
                yield case.at(cite.where, "exact").problem(*misquoted(source, clause, cite, times))


def misquoted(source: Source, clause: Clause, cite: Cite, times: int) -> tuple[str, str]:
    """What is wrong with a quotation, and the way out."""
    place = f"{cite.locus} to {cite.to}" if cite.to else cite.locus
    told = f'{clause.id}: "{collapsed(cite.exact)}"'
    if times:
        return (
            f"{told} stands {times} times in {place}",
            "tell which by prefix: or suffix:, the words beside it",
        )
    if (cite.prefix or cite.suffix) and occurrences(source, Cite(cite.locus, cite.to, cite.exact), cite.view):
        return f"{told} does not stand between its prefix and suffix in {place}", "mend prefix: and suffix:"
    if by_statements(source):
        return f"{told} is no part of what is quoted in {place}", nearest(source, cite)
    return f"{told} does not stand in {place} ({cite.view})", nearest(source, cite)


def every_offer_is_quoted(case: Case) -> Iterator[Problem]:
    """The words by which a source offers an option stand where its clause cites."""
    for source, clause, option in alternatives(case):
        if not option.exact or not loci(source):  # a text that could not be read is told by itself
            continue
        looks = [Cite(one.locus, one.to, option.exact, view=one.view) for one in clause.cites if one.view in VIEWS]
        if not any(occurrences(source, look, look.view) == 1 for look in looks):
            what = f'{option.id}: "{collapsed(option.exact)}" does not stand once where {clause.id} cites'
            way_out = nearest(source, looks[0]) if looks else f"let {clause.id} cite the sentence"
            yield case.at(option.where, "exact").problem(what, way_out)


def every_sentence_is_as_it_was_when_coded(case: Case) -> Iterator[Problem]:
    """A sentence that has changed since is reported as drift until the clause is confirmed."""
    for source, clause, cite in cites(case):
        now = fingerprint(source, cite)
        if not now or cite.seen == now:
            continue
        confirm = f"read it again; then `reversis check --confirm {clause.id}`"
        if not cite.seen:
            what = f"{clause.id}: {cite.locus} has no fingerprint (seen)"
            yield cite.where.problem(what, "`reversis check --confirm` writes it")
        else:
            what = f"{clause.id}: drift: {cite.locus} has changed since the clause was coded: confirm it"
            yield case.at(cite.where, "seen").problem(what, confirm)


def spoken_to(case: Case, clause: Clause) -> bool:
    """Whether a clause names a question at all, even one that could not be understood."""
    return any(one.owner == clause.id for one in case.by_source[clause.source])


def what_is_said_is_cited(case: Case) -> Iterator[Problem]:
    """A clause that is not silent rests on words of the source."""
    for _, clause in clauses(case, *SPOKEN):
        if not any(cite.role != "against" for cite in clause.cites):
            what = f"{clause.id} is {clause.status} and cites nothing that supports it"
            yield clause.where.problem(what, "add cites: with locus and exact")
        if not spoken_to(case, clause):
            yield clause.where.problem(f"{clause.id} answers nothing", "add answers:, or take the clause out")


# --- the value in the quotation ---------------------------------------------------------------------------


def every_number_answered_stands_in_the_quotation(case: Case) -> Iterator[Problem]:
    """A number answered is a number quoted, or comes out of a computation with numbers quoted."""
    for source, clause in clauses(case, *SPOKEN, "silent"):
        owners: tuple[Clause | Alternative, ...] = (clause, *clause.alternatives)
        for owner in owners:
            if clause.status in SPOKEN or owner.computation:
                yield from unproved(case, source, clause, owner)


def unproved(case: Case, source: Source, clause: Clause, owner: Clause | Alternative) -> Iterator[Problem]:
    """Numbers of a clause, or of an alternative, that do not follow from its words."""
    answers = {slug: value for slug, value in owner.answers.items() if is_numeric(value)}
    if not answers:
        return
    answered = tuple(number for value in answers.values() for number in numbers(value))
    proving = any(case.library.questions[slug].measure.get("type") == "shapes" for slug in answers)
    words, hand = grounds(source, clause, owner), at_hand(case, source, clause, owner)
    if why := untraced(answered, words, owner.computation, hand, proving):
        ids = ", ".join(case.named(slug) for slug in answers)
        what = f"{owner.id}: {ids} answered {in_a_row(answered)}, but {why}"
        way_out = 'quote the number, or add computation: with the numbers in order, such as "un jetton = 5; rien = 0"'
        yield case.at(owner.where, "answers").problem(what, way_out)


def grounds(source: Source, clause: Clause, owner: Clause | Alternative) -> str:
    """The words that must name the number: those that offer an option, else those on which the clause rests."""
    if isinstance(owner, Alternative) and owner.exact:
        return owner.exact
    bearing = [cite for cite in clause.cites if cite.role != "against"]
    first = [cite for cite in bearing if cite.role == "grounds"]
    return "; ".join(quotation(source, cite) for cite in first or bearing)


def quotation(source: Source, cite: Cite) -> str:
    """The words quoted, with those beside them that tell which are meant; of a source in copyright our statement."""
    if by_statements(source):
        return "; ".join(one.text for one in source.statements if one.id in span(source, cite.locus, cite.to))
    return " ".join((cite.prefix, cite.exact, cite.suffix))


def at_hand(case: Case, source: Source, clause: Clause, owner: Clause | Alternative) -> Hand:
    """What a computation of a clause may start from."""
    offered = [one.exact for one in clause.options]
    rival = isinstance(owner, Alternative)  # what speaks against the clause's own reading may speak for a rival
    quoted = [quotation(source, cite) for cite in clause.cites if rival or cite.role != "against"]
    units = source.record.get("units")
    multiples = units.get("multiples", {}) if isinstance(units, Mapping) else {}
    return Hand(
        quoted=frozenset(one.value for words in (*quoted, *offered) for one in named(words)),
        units={str(unit): int(worth) for unit, worth in multiples.items()},
        tricks=frozenset(hands(case, source)),
        look=lambda locus: words_of_locus(case, locus),
        ours=isinstance(owner, Alternative) or owner.supplied,
    )


def hands(case: Case, source: Source) -> Iterator[int]:
    """The cards in a hand, as the source deals them: that many tricks there are."""
    for slug, value in case.answers[source.siglum].items():
        if isinstance(value, tuple) and case.library.questions[slug].measure.get("type") == "shapes":
            yield from (one["hand"] for one in value if isinstance(one, Mapping) and isinstance(one["hand"], int))


def words_of_locus(case: Case, locus: str) -> str:
    """The words at a locus of any source; none where there is no such locus."""
    source = case.library.sources.get(locus.partition(".")[0])
    return quotation(source, Cite(locus, exact=words_at(source, span(source, locus), "emended"))) if source else ""


def an_answer_cannot_be_surer_than_the_emendation_it_rests_on(case: Case) -> Iterator[Problem]:
    """A clause that quotes mended words is no more certain than the mending."""
    for source, clause in clauses(case):
        known = source.text.emendations if source.text else {}
        for one in (known[id] for id in clause.emendations):
            if clause.cert in CERTAINTIES and CERTAINTIES.index(clause.cert) < CERTAINTIES.index(one.cert):
                what = f"{clause.id} is of {clause.cert} certainty, but rests on {one.id}, which is {one.cert}"
                yield case.at(clause.where, "cert").problem(what, f"write cert: {one.cert}, or quote less")


# --- the closed lists -----------------------------------------------------------------------------------


def listed(case: Case, owner: str, record: Where, key: str, word: str, known: tuple[str, ...]) -> Iterator[Problem]:
    """A word that must be one of a closed list."""
    if word not in known:
        way_out = did_you_mean(word, known, "use one of: " + ", ".join(known))
        yield case.at(record, key).problem(f"{owner}: {key} cannot be {word!r}", way_out)


def agreed_words_are_used(case: Case) -> Iterator[Problem]:
    """Status, certainty, role and view come from closed lists."""
    for _, clause in clauses(case):
        yield from listed(case, clause.id, clause.where, "status", clause.status, STATUSES)
        yield from listed(case, clause.id, clause.where, "cert", clause.cert, CERTAINTIES)
        for cite in clause.cites:
            yield from listed(case, clause.id, cite.where, "view", cite.view, VIEWS)
            yield from listed(case, clause.id, cite.where, "role", cite.role, ROLES)
        for alternative in clause.alternatives:
            yield from listed(case, alternative.id, alternative.where, "cert", alternative.cert, CERTAINTIES)
    for source in case.library.sources.values():
        for note in source.notes:
            yield from listed(case, note.id, note.where, "kind", note.kind, KINDS)


# --- silence, doubt, reasons --------------------------------------------------------------------------------


def needed(case: Case, clause: Clause, why: str, *keys: str) -> Iterator[Problem]:
    """Entries that a clause of this kind must have."""
    for key in keys:
        if not str(getattr(clause, key)).strip():
            yield case.at(clause.where).problem(f"{clause.id} {why} and has no `{key}`", f"add {key}:")


def silence_tells_what_was_searched(case: Case) -> Iterator[Problem]:
    """Silence is recorded with the range that was read through."""
    for source, clause in clauses(case, "silent"):
        yield from needed(case, clause, "is silent", "searched")
        known = loci(source)
        for part in re.split(r"[,\s]+", clause.searched.strip()) if known else ():
            first, _, last = part.partition("-")
            if part and not span(source, first, last):
                what = f"{clause.id}: searched {part!r} is no range of {source.siglum}"
                yield case.at(clause.where, "searched").problem(what, f"write it like {known[0]}-{known[-1]}")


def a_supplied_reading_says_whence(case: Case) -> Iterator[Problem]:
    """What the editor adds is cited as supplied: from where, and why."""
    whence = (*case.library.sources, *ELSEWHERE)
    for _, clause in clauses(case, "silent"):
        if clause.answers:
            yield from needed(case, clause, "supplies an answer", "taken_from", "because")
        elif not spoken_to(case, clause):
            yield clause.where.problem(f"{clause.id} is silent on nothing", "list questions under answers: or on:")
    for _, clause in clauses(case):
        if clause.taken_from and not case.lost:  # it may be the source that could not be read
            yield from listed(case, clause.id, clause.where, "taken_from", clause.taken_from, whence)


def a_reason_is_told(case: Case) -> Iterator[Problem]:
    """A question is not passed over without saying why."""
    for _, clause in clauses(case, "inapplicable", "not-collated"):
        yield from needed(case, clause, f"is {clause.status}", "because")
        if clause.answers:
            what = f"{clause.id} is {clause.status} and answers all the same"
            yield case.at(clause.where, "answers").problem(what, "list the questions under on: instead")
        elif not spoken_to(case, clause):
            yield clause.where.problem(f"{clause.id} is {clause.status} to nothing", "list questions under on:")
    for _, clause in clauses(case, *SPOKEN):
        if clause.about:
            what = f"{clause.id} is {clause.status} and passes questions over"
            yield case.at(clause.where, "on").problem(what, "answer them, or give them a clause of their own")


def ambiguity_is_data(case: Case) -> Iterator[Problem]:
    """An ambiguous passage has a name for its preferred reading, a reason, and a rival."""
    for _, clause in clauses(case, "ambiguous"):
        yield from needed(case, clause, "is ambiguous", "label", "because")
        if not clause.rivals:
            yield clause.where.problem(f"{clause.id} is ambiguous and has no rival", "add rivals:, or another status")
    for _, _, alternative in alternatives(case):
        if not alternative.label.strip():
            yield alternative.where.problem(f"{alternative.id} has no `label`", "add label:")
        if alternative.kind == "interpretation" and not alternative.because.strip():
            yield alternative.where.problem(f"{alternative.id} has no `because`", "add because:")


def an_alternative_differs(case: Case) -> Iterator[Problem]:
    """A rival that answers like the clause itself is none."""
    for source, _, alternative in alternatives(case):
        own = case.answers[source.siglum]
        mine = case.by_owner[alternative.id]
        if not any(one.wrong for one in mine) and all(own.get(s) == v for s, v in alternative.answers.items()):
            what = f"{alternative.id} answers nothing otherwise than {source.siglum} does"
            yield case.at(alternative.where, "answers").problem(what, "give the answers in which it differs")


# --- ids and people -----------------------------------------------------------------------------------------

SHAPES: Mapping[str, tuple[str, str]] = {  # kind -> pattern after the siglum, example
    "clause": (r"c\d{3}", "c031"),
    "interpretation": (r"i\d{2,3}", "i03"),
    "option": (r"o\d{2,3}", "o01"),
    "statement": (r"n\d{2,3}", "n15"),
    "note": (r"note\d{2,3}", "note07"),
    "printed": (r"p\d{2,3}", "p07"),
}


def ids_of(source: Source) -> Iterator[tuple[str, str, Where]]:
    """Everything in a source that bears an id of ours: kind, id, place."""
    for clause in source.clauses:
        yield "clause", clause.id, clause.where
        for alternative in clause.alternatives:
            yield alternative.kind, alternative.id, alternative.where
    for statement in source.statements:
        yield "statement", statement.id, statement.where
    for note in source.notes:
        yield "note", note.id, note.where
    for number in source.printed:
        yield "printed", number.id, number.where


def ids_are_well_formed(case: Case) -> Iterator[Problem]:
    """Ids are written like PAM.c031, PAM.i03, PAM.o01, each under its own source."""
    for source in case.library.sources.values():
        for kind, id, where in ids_of(source):
            shape, example = SHAPES[kind]
            if not re.fullmatch(rf"{re.escape(source.siglum)}\.{shape}", id):
                what = f"{kind} {id!r} has no well-formed id"
                yield case.at(where, "id").problem(what, f"write it like {source.siglum}.{example}")


def a_language_is_named_as_the_web_names_it(case: Case) -> Iterator[Problem]:
    """Files, headings and the voice that reads a page aloud go by the language of a source."""
    for source in case.library.sources.values():
        if not LANGUAGE.fullmatch(source.language):
            what = f"the language {source.language[:40]!r} is not well formed"
            yield case.at(source.where, "language").problem(what, "write it in two letters: fr, de, en")


def ids_are_given_once(case: Case) -> Iterator[Problem]:
    """An id names one thing."""
    every = [one for source in case.library.sources.values() for one in ids_of(source)]
    counted, told = Counter(id for _, id, _ in every), set[str]()
    for _, id, where in every:
        if counted[id] > 1 and id in told:
            yield case.at(where, "id").problem(f"the id {id} stands {counted[id]} times", "give it a new one")
        told.add(id)


def coders_are_known(case: Case) -> Iterator[Problem]:
    """Whoever coded, reviewed or noted something is named in source.yaml."""
    for source in case.library.sources.values():
        known = coders(source)
        people = [(c.id, c.where, key, getattr(c, key)) for c in source.clauses for key in ("coder", "reviewer")]
        people += [(note.id, note.where, "by", note.by) for note in source.notes]
        for owner, where, key, name in people:
            if name not in known and (name or key != "reviewer"):
                what = f"{owner}: {key} {name!r} is not among the coders of {source.siglum}"
                way_out = did_you_mean(name, known, f"name them in {source.where.file}")
                yield case.at(where, key).problem(what, way_out)


def coders(source: Source) -> tuple[str, ...]:
    """The editorial passes that a source names."""
    named = source.record.get("coders", ())
    items = named if isinstance(named, (list, tuple)) else ()
    return tuple(str(one.get("id", "")) for one in items if isinstance(one, Mapping))


# --- notes ----------------------------------------------------------------------------------------------------


def every_note_is_on_something(case: Case) -> Iterator[Problem]:
    """A note points to something that exists."""
    for source in case.library.sources.values():
        known = {*loci(source), *(id for kind, id, _ in ids_of(source) if kind != "note"), source.siglum}
        known |= set(source.text.emendations) if source.text else set()
        for note in source.notes:
            if note.on not in known and loci(source):
                what = f"{note.id} is on {note.on}, which there is not"
                way_out = did_you_mean(note.on, known, "give the id of a sentence, an emendation or a statement")
                yield case.at(note.where, "on").problem(what, way_out)


def every_printed_number_is_there(case: Case) -> Iterator[Problem]:
    """A number that a source is said to print stands in the words quoted, and there is one way to come to it."""
    for source in case.library.sources.values():
        for one in source.printed:
            for key, what, way_out in amiss(source, one):
                yield case.at(one.where, key).problem(f"{one.id}: {what}", way_out)


def amiss(source: Source, one: Printed) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a printed number: the key, what, and the way out."""
    statements = {statement.id: statement.text for statement in source.statements}
    if one.cite.locus not in loci(source):
        yield "locus", f"there is no {one.cite.locus}", did_you_mean(one.cite.locus, loci(source), "give a sentence")
    elif source.text and occurrences(source, one.cite, one.cite.view) != 1:
        yield "exact", f"the words do not stand once in {one.cite.locus}", nearest(source, one.cite)
    elif one.says not in [n.value for n in named(one.cite.exact or statements.get(one.cite.locus, ""))]:
        yield "says", f"the words do not name {one.says}", "quote the words that do"
    if bool(one.reckon) == bool(one.deal):
        yield "id", "it must have either reckon or deal", "give one of the two"
    if one.unit and one.unit not in source.counters:
        known = ", ".join(source.counters)
        yield "unit", f"{source.siglum} has no counter {one.unit}", did_you_mean(one.unit, source.counters, known)


def every_emendation_has_a_note(case: Case) -> Iterator[Problem]:
    """No emendation without its reason."""
    for source in case.library.sources.values():
        noted = {note.on for note in source.notes}
        folder = source.where.file.rpartition("/")[0]
        for emendation in source.text.emendations.values() if source.text else ():
            if emendation.id not in noted:
                what = f"{emendation.id} ({emendation.sic} > {emendation.corr}) has no note"
                place = Where(f"{folder}/text.xml", emendation.line)
                yield place.problem(what, f"give the reason in {folder}/notes.yaml, on: {emendation.id}")


# --- the registry of ids --------------------------------------------------------------------------------------

PUBLISHED = (
    "questions",
    "sentences",
    "statements",
    "clauses",
    "alternatives",
    "emendations",
    "notes",
    "printed numbers",
    "terms",
    "deals",
    "sessions",
)
PLURALS: Mapping[str, str] = {
    "clause": "clauses",
    "interpretation": "alternatives",
    "option": "alternatives",
    "statement": "statements",
    "note": "notes",
    "printed": "printed numbers",
}
REGISTER = "run python -m rulebook.registry"


def published(case: Case) -> Iterator[tuple[str, str, Where]]:
    """Everything that a reader may point to: kind, id, place. What is a draft may still change its ids."""
    for question in case.library.questions.values():
        proposer = case.library.sources.get(question.by)
        if not (proposer and proposer.draft):
            yield "questions", question.id, question.where
    for source in (one for one in case.library.sources.values() if not one.draft):
        page = Where(f"{source.where.file.rpartition('/')[0]}/text.xml")
        for sentence in source.text.sentences.values() if source.text else ():
            yield "sentences", sentence.id, Where(page.file, sentence.line)
        for emendation in source.text.emendations.values() if source.text else ():
            yield "emendations", emendation.id, Where(page.file, emendation.line)
        for kind, id, where in ids_of(source):
            yield PLURALS[kind], id, where
    yield from (("terms", id, where) for id, where in case.registry.terms)
    drafts = {source.where.file.rpartition("/")[0] for source in case.library.sources.values() if source.draft}
    lasting = (one for one in case.registry.deals if one[1].file.rpartition("/deals/")[0] not in drafts)
    yield from (("deals", id, where) for id, where in lasting)
    yield from (("sessions", id, where) for id, where in case.registry.sessions)


def every_id_is_registered(case: Case) -> Iterator[Problem]:
    """What a reader may point to is in the registry."""
    for _, id, where in published(case) if case.registry.begun else ():
        if id not in case.registry.ids:
            yield where.problem(f"{id} is not in the registry of ids", REGISTER)


def no_id_vanishes_without_a_tombstone(case: Case) -> Iterator[Problem]:
    """An id that was published is there for ever, or it is told what became of it."""
    known = {id for _, id, _ in published(case)} | {one.id for one in case.registry.tombstones}
    for id, where in case.registry.ids.items() if not case.lost else ():
        if id not in known:
            yield where.problem(f"{id} was published and is gone", f"bring it back, or add it to {TOMBSTONES}")


#: An id as our prose names it: PAM.s0042, PAM.c031, PAM.note07, Q031.
IN_PROSE = re.compile(r"\b(?:[A-Z]{2,6}\.(?:[sciopen]|note)\d{2,4}|Q\d{3})\b")


def prose_of(source: Source) -> Iterator[tuple[str, str, str, Where]]:
    """Everything that the editors say in words about a source: owner, key, words, place."""
    for note in source.notes:
        yield note.id, "text", note.text, note.where
    for clause in source.clauses:
        for key, words in (("because", clause.because), ("note", clause.note)):
            yield clause.id, key, words, clause.where
        for alternative in clause.alternatives:
            yield alternative.id, "because", alternative.because, alternative.where


def what_prose_names_is_there(case: Case) -> Iterator[Problem]:
    """A note or a reason names what there is, or was, and nothing else."""
    known = {id for _, id, _ in published(case)} | {one.id for one in case.registry.tombstones}
    whole = case.registry.begun and not case.lost  # without a registry nobody can tell what there was
    for source in case.library.sources.values() if whole else ():
        for owner, key, words, where in prose_of(source):
            for id in sorted({*IN_PROSE.findall(words)} - known):
                if id.partition(".")[0] in case.library.sources or "." not in id:
                    what = f"{owner} names {id}, which is not there"
                    yield case.at(where, key).problem(what, did_you_mean(id, known, "name what there is"))


def a_tombstone_tells_what_became_of_it(case: Case) -> Iterator[Problem]:
    """A tombstone stands for an id that is gone, with the day, the reason, and where to look instead."""
    there = {id for _, id, _ in published(case)}
    for one in case.registry.tombstones:
        if one.id in there:
            yield case.at(one.where, "id").problem(f"{one.id} has a tombstone and is there", "take the tombstone out")
        elif one.id not in case.registry.ids:
            way_out = did_you_mean(one.id, case.registry.ids, "take it out")
            yield case.at(one.where, "id").problem(f"{one.id} was never published", way_out)
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", one.on):
            yield case.at(one.where, "on").problem(f"{one.id}: {one.on!r} is no day", "write it like 2025-01-31")
        if not one.why:
            yield case.at(one.where, "why").problem(f"{one.id}: no reason is told", "say why it is gone")
        for id in sorted({*one.see} - there):
            way_out = did_you_mean(id, there, "name what is there")
            yield case.at(one.where, "see").problem(f"{one.id}: see {id}, which there is not", way_out)


# --- a source in copyright ---------------------------------------------------------------------------------------

#: One that is not closed goes on to the end, and is none: otherwise it would be read anew from each mark in it.
IN_QUOTES = re.compile(r'"([^"]*)("?)|“([^”]*)(”?)')


def quotes(source: Source) -> Iterator[tuple[str, str, Where]]:
    """Every quotation printed of a source, on any surface: owner, words, place."""
    for statement in source.statements:
        yield statement.id, statement.quote, statement.where
        yield from quoted(statement.id, statement.where, statement.text)
    for clause in source.clauses:
        for cite in clause.cites:
            yield clause.id, cite.exact, cite.where
        yield from quoted(clause.id, clause.where, clause.because, clause.note, clause.computation, clause.label)
        for one in clause.alternatives:
            yield one.id, one.exact, one.where
            yield from quoted(one.id, one.where, one.because, one.label, one.computation)
    for note in source.notes:
        yield from quoted(note.id, note.where, note.text)


def quoted(owner: str, where: Where, *texts: str) -> Iterator[tuple[str, str, Where]]:
    """What stands between quotation marks in our own prose."""
    for text in texts:
        for match in IN_QUOTES.finditer(text):
            if match[2] or match[4]:
                yield owner, match[1] or match[3] or "", where


def printed_once(words: Iterable[str]) -> list[str]:
    """Quotations without those that are part of another."""
    kept: list[str] = []
    for one in sorted({collapsed(one) for one in words if one.strip()}, key=lambda one: (-len(one), one)):
        if not any(found(one, longer) for longer in kept):
            kept.append(one)
    return kept


def quotations_stay_under_the_cap(case: Case) -> Iterator[Problem]:
    """Of a source in copyright little is quoted: few words at a time, and few together."""
    for source in case.library.sources.values():
        if not by_statements(source):
            continue
        each, share, page = cap(source)
        if not page:
            what = f"{source.siglum} is given in statements and has no quotation_cap"
            yield source.where.problem(what, "add quotation_cap: with words_each, share_of_page and page_words")
            continue
        for owner, words, where in quotes(source):
            if len(words.split()) >= each:
                what = f"{owner} quotes {len(words.split())} words at once"
                yield where.problem(what, f"fewer than {each:.0f}: say it in our own words")
        yield from too_much_together(case, source, share * page)


def too_much_together(case: Case, source: Source, limit: float) -> Iterator[Problem]:
    """All quotations of a source, each counted once."""
    total = sum(len(one.split()) for one in printed_once(words for _, words, _ in quotes(source)))
    if total >= limit:
        what = f"{source.siglum} is quoted with {total} words in all"
        way_out = f"fewer than {limit:.0f}: leave out what the paraphrase says as well"
        yield case.at(source.where, "quotation_cap").problem(what, way_out)


def cap(source: Source) -> tuple[float, float, float]:
    """Words at a time, share of the page, words of the page; noughts if there is no cap."""
    given = source.record.get("quotation_cap")
    table = given if isinstance(given, Mapping) else {}
    each, share, page = (table.get(key, 0) for key in ("words_each", "share_of_page", "page_words"))
    return float(each), float(share), float(page)


def every_quotation_bears_its_hash(case: Case) -> Iterator[Problem]:
    """Whoever has the page can prove what is quoted from it."""
    for source in case.library.sources.values():
        for one in source.statements:
            now = sealed(collapsed(one.quote)) if one.quote else ""
            if one.quote_hash != now:
                what = f"{one.id}: quote_hash is not that of its quotation"
                way_out = f"write quote_hash: {now}" if now else "take quote_hash out"
                yield case.at(one.where, "quote_hash").problem(what, way_out)


CHECKS: tuple[Check, ...] = (
    every_answer_names_a_question,
    every_answer_is_a_reading,
    every_question_is_answered_or_reasoned,
    answers_of_one_source_agree,
    a_reason_is_given_once,
    what_prose_names_is_there,
    an_answer_makes_sense,
    an_inapplicable_question_makes_no_sense,
    only_an_own_answer_makes_inapplicable,
    a_bundle_holds_together,
    a_reference_leads_to_a_number,
    every_locus_is_known,
    every_range_runs_forward,
    every_citation_quotes,
    every_quotation_stands_at_its_locus,
    every_offer_is_quoted,
    every_sentence_is_as_it_was_when_coded,
    every_number_answered_stands_in_the_quotation,
    an_answer_cannot_be_surer_than_the_emendation_it_rests_on,
    what_is_said_is_cited,
    agreed_words_are_used,
    silence_tells_what_was_searched,
    a_supplied_reading_says_whence,
    a_reason_is_told,
    ambiguity_is_data,
    an_alternative_differs,
    ids_are_well_formed,
    a_language_is_named_as_the_web_names_it,
    ids_are_given_once,
    coders_are_known,
    every_note_is_on_something,
    every_emendation_has_a_note,
    every_printed_number_is_there,
    every_id_is_registered,
    no_id_vanishes_without_a_tombstone,
    a_tombstone_tells_what_became_of_it,
    quotations_stay_under_the_cap,
    every_quotation_bears_its_hash,
)


def problems_of(case: Case) -> list[Problem]:
    """Everything that the policy finds wrong, by file and line."""
    return sorted({problem for check in CHECKS for problem in check(case)})
