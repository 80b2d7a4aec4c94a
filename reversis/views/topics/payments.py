"""Payment tables of a topic: for every event who pays whom, and how much in each book, as the engine settles it.

The situations of an event differ in seats, suits and tricks. One block of a table is one way in which it happens; the
tricks stand within the cells, and blocks in which every book pays the same are merged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.views import plain_answers
from engine.cards import card_words, parse_card_name
from engine.generation.wishes import CARD_SUBJECTS
from engine.settlement.nonpayment import NONPAYMENT_REASONS
from reversis.findings import situation_payments as payments
from reversis.findings import situations
from reversis.findings.shared_results import SituationRow
from rulebook import phrases
from rulebook.grouping import group_pairs
from rulebook.model import Library
from rulebook.strings import slugify_text

_BY_SEAT = "the player opposite", "the other neighbour", "each neighbour"  #: how a player without a role is named
_RETURN_RULE = "-returned"
ANY_PAYMENT = "Any payment"  #: a line of a block in which no book pays anything


# ---- records
@dataclass(frozen=True, slots=True)
class PaidAmount:
    """PaidAmount of a payment in some tricks; without a label in all others, or in all."""

    words: str
    tricks: str = ""
    note: str = ""  #: why it is nothing, where that depends on the deal; or when it is paid


@dataclass(frozen=True, slots=True)
class AmountCell:
    """Amounts of one payment in one book, with the question on which they rest; or why none is known."""

    source: str
    amounts: tuple[PaidAmount, ...] = ()
    unknown: str = ""
    question: str = ""
    status: str = ""  #: marks of the answer to that question
    other: str = ""  #: other readings of it, in a line
    partly_ours: bool = False  #: another answer that it rests on is our assumption
    clause: str = ""  #: where no question is known
    gap: str = ""  #: why nothing is known of some tricks

    @property
    def said(self) -> tuple[PaidAmount, ...] | str:
        """The cell as it is compared with others."""
        return self.amounts or self.unknown


@dataclass(frozen=True, slots=True)
class PaymentLine:
    """Payment between two players, or with the pool, in every book."""

    words: str
    cells: tuple[AmountCell, ...]
    card: str = ""  #: for which it is paid, where the event is not about one card


@dataclass(frozen=True, slots=True)
class PaymentBlock:
    """One way in which an event happens."""

    words: str
    lines: tuple[PaymentLine, ...]
    deals: tuple[str, ...]
    untold: str = ""  #: tricks of which no book's payments are known

    @property
    def differs(self) -> bool:
        """True if the books that are known do not pay the same."""
        return any(len({cell.amounts for cell in line.cells if cell.amounts}) > 1 for line in self.lines)

    @property
    def known(self) -> bool:
        """True if any book is known to pay, or not to."""
        return any(cell.amounts for line in self.lines for cell in line.cells)


@dataclass(frozen=True, slots=True)
class EventTable:
    """Table of an event: its blocks, those first in which the books differ."""

    anchor: str
    title: str
    meaning: str
    blocks: tuple[PaymentBlock, ...]
    special: bool  #: it needs something else to happen in the same deal
    tricks: bool  #: it tells tricks apart
    questions: tuple[str, ...]  #: ids of those on which its cells rest
    in_example: bool = False  #: its sums are those of an example deal


# ---- events
def list_event_tables(corpus: Corpus, rows: Iterable[SituationRow]) -> tuple[EventTable, ...]:
    """List the payment tables of a topic; special events last."""
    events = group_pairs((row.situation.event, row) for row in rows)
    tables = [_build_event_table(corpus, name, of) for name, of in events.items()]
    return tuple(sorted(tables, key=lambda table: (table.special, not any(block.differs for block in table.blocks))))


def _build_event_table(corpus: Corpus, name: str, rows: Sequence[SituationRow]) -> EventTable:
    roles = _name_leading_takers(rows)
    variants = group_pairs(((row.situation.variant, row.situation.seat, row.situation.suits), row) for row in rows)
    ways = [_Way(corpus, some, roles, (key[1],), key[2]) for key, some in variants.items()]
    ways = _spread_card_lines([replace(way, lines=way.build_lines()) for way in ways])
    merged = _merge_ways(_merge_ways(ways, lambda way: way.suits), lambda way: way.seats)
    blocks = [way.build_block() for way in merged]
    first = rows[0].situation
    cells = [cell for block in blocks for line in block.lines for cell in line.cells]
    return EventTable(
        slugify_text(name),
        name,
        first.meaning,
        tuple(sorted(blocks, key=lambda block: (not block.known, not block.differs))),
        _is_special(first),
        any(amount.tricks for cell in cells for amount in cell.amounts),
        tuple(dict.fromkeys(cell.question for cell in cells if cell.question)),
        _is_special(first) or any(source.worth is not None for row in rows for source in row.sources),
    )


def _is_special(situation: situations.PaymentSituation) -> bool:
    """Return whether something else must happen in the same deal."""
    return any(wish.subject != situation.kind and not wish.has("none") for wish in situation.wishes)


def _name_leading_takers(rows: Iterable[SituationRow]) -> Mapping[str, str]:
    """Return by source what it calls a leader who takes the trick: as it names the payer where they are two players."""
    named: dict[str, str] = {}
    for source in (source for row in rows for source in row.sources):
        roles = {role for payment in source.payments for role in (payment.payer, payment.payee)}
        for role in (payments.LEADER_ROLE, payments.TAKER_ROLE):
            if role in roles:
                named.setdefault(source.source, role)
    return named


# ---- one way in which it happens
_NOT_PLAYED_YET = "a draft that cannot be played yet"
#: Rule, payer and payee, as far as books share them; and the card, where the situation is not about one.
_LineKey: TypeAlias = tuple[str, str, str, str]
_Sorted: TypeAlias = dict[_LineKey, dict[int | None, payments.RolePayment]]  #: payments by line and trick


@dataclass(frozen=True, slots=True)
class _Way:
    """Situations that differ in their trick alone; merged with others, in their seats or suits as well."""

    corpus: Corpus
    rows: tuple[SituationRow, ...]
    roles: Mapping[str, str]  #: source -> what it calls the leader who takes the trick
    seats: tuple[str, ...]
    suits: tuple[str, ...]
    lines: tuple[PaymentLine, ...] = ()

    @property
    def first(self) -> situations.PaymentSituation:
        """The first of the situations, which has all that they share."""
        return self.rows[0].situation

    @property
    def said(self) -> object:
        """All that the block says, in whatever order, to compare it with others."""
        lines = sorted(self.lines, key=lambda line: line.words)
        return self.first.variant, [(line.words, [cell.said for cell in line.cells]) for line in lines]

    def in_source(self, siglum: str) -> list[tuple[situations.PaymentSituation, payments.SituationPayments]]:
        """Situations with what one source pays in each."""
        return [(row.situation, source) for row in self.rows for source in row.sources if source.source == siglum]

    def build_lines(self) -> tuple[PaymentLine, ...]:
        """Build a line for every payment that any source knows."""
        paid = {source.source: self._sort_payments(source.source) for source in self.rows[0].sources}
        keys = list(dict.fromkeys(key for by_key in paid.values() for key in by_key))
        _spread_to_all(paid, keys)
        kept = [key for key in keys if any(key in by_key for by_key in paid.values())] or [("", "", "", "")]
        kept.sort(key=lambda key: payments.POOL_ROLE in key)
        cells = ([self._build_cell(siglum, key, paid[siglum]) for siglum in paid] for key in kept)
        lines = zip(_format_lines(kept), cells, kept, strict=True)
        return tuple(PaymentLine(words, self._fill_columns(some), key[-1]) for words, some, key in lines)

    def _fill_columns(self, cells: Sequence[AmountCell]) -> tuple[AmountCell, ...]:
        """Return a cell for every book: a draft by which nobody can play yet has a column too.

        Cells that rest on no question of their own lead to that of the others, where their book answers it.
        """
        library, main = self.corpus.library, next((cell.question for cell in cells if cell.question), "")
        slug = library.question(main).slug if main else ""
        led = {cell.source for cell in cells if not cell.question and not cell.clause}
        known = {cell.source: cell for cell in cells}
        known |= {siglum: replace(known[siglum], question=main) for siglum in led if library.find_cell(siglum, slug)}
        return tuple(known.get(siglum) or AmountCell(siglum, unknown=_NOT_PLAYED_YET) for siglum in library.sources)

    def _sort_payments(self, siglum: str) -> _Sorted:
        """Sort the payments of a source by line and trick; what gives something back is told where it was paid."""
        lines: _Sorted = defaultdict(dict)
        for situation, source in self.in_source(siglum):
            returned = any(payment.returned for payment in source.payments)
            for payment in source.payments:
                if returned and payment.rule.endswith(_RETURN_RULE):
                    continue
                roles = (payment.payer, payment.payee)
                names = [self.roles.get(siglum, role) if role == payments.LEADING_TAKER else role for role in roles]
                by_trick = lines[payment.rule, names[0], names[1], payment.card]
                if (known := by_trick.get(situation.trick)) is not None:  # of several cards that are alike: in all
                    whole = known.amount * known.number + payment.amount * payment.number
                    payment = replace(known, number=1, amount=whole)
                by_trick[situation.trick] = payment
        return lines

    def _build_cell(self, siglum: str, key: _LineKey, paid: _Sorted) -> AmountCell:
        amounts: dict[int | None, str] = {}
        unknown = note = ""
        for situation, source in self.in_source(siglum):
            if situation.trick in self._list_untold():
                continue
            if source.state in _UNKNOWN_STATES:
                unknown = unknown or _UNKNOWN_WORDS.get(source.state) or _tell_of_book(source.reason)
                amounts[situation.trick] = _NOT_KNOWN
            else:
                payment = paid.get(key, {}).get(situation.trick)
                amounts[situation.trick] = _format_amount(payment, source) if payment else _NOTHING
                note = note or ("" if payment else _explain_nothing(situation, source, key[0]))
        if key[-1] and set(amounts.values()) - {_NOTHING, _NOT_KNOWN}:  # a card of the deal, whatever the trick
            amounts = {trick: amount for trick, amount in amounts.items() if amount not in (_NOTHING, _NOT_KNOWN)}
        if set(amounts.values()) == {_NOT_KNOWN}:
            clause = next((id for _, source in self.in_source(siglum) for id in source.clauses), "")
            return AmountCell(siglum, unknown=unknown, clause=clause)
        note = self._find_exception(siglum, key) or note if note else ""
        when = self._find_condition(siglum, _CONDITIONS.get(key[0], ""))
        merged = (replace(trick, note=note if trick.words == _NOTHING else when) for trick in _merge_tricks(amounts))
        cell = AmountCell(siglum, tuple(merged), gap=unknown)
        return self._find_grounds(cell, key, paid)

    def _find_exception(self, siglum: str, key: _LineKey) -> str:
        """Find when the pool pays all the same what it does not in the example deal."""
        condition = self._find_condition(siglum, _EXCEPTIONS.get(key[0], "")) if key[1] == payments.POOL_ROLE else ""
        return f"except {condition}" if condition else ""

    def _find_condition(self, siglum: str, slug: str) -> str:
        """Find the condition of a payment that no situation tells apart, in the words of the answer that gives it."""
        cell = self.corpus.library.find_cell(siglum, slug)
        if cell is None or cell.value is None:
            return ""
        answer = plain_answers.format_printed_answer(
            self.corpus.library.questions[slug], cell.value, self.corpus.library.sources[siglum], self.corpus.library
        )
        return answer.removeprefix("yes, ")

    def _find_grounds(self, cell: AmountCell, key: _LineKey, paid: _Sorted) -> AmountCell:
        """Add the question on which a cell rests, and its status."""
        corpus, own = self.corpus, list(paid.get(key, {}).values())
        same_rule = [payment for other, by_trick in paid.items() if other[0] == key[0] for payment in by_trick.values()]
        rulings = [ruling for payment in own or same_rule for ruling in payment.rulings]
        asked = [ruling.id for ruling in rulings]
        main = _choose_question(corpus.library, key, asked, bool(own)) or self._find_withheld(cell.source, key[0])
        if not main:
            return cell
        question = corpus.library.question(main)
        answered = corpus.cell(cell.source, question.slug)
        status = plain_answers.find_answer_marks(corpus, answered) if answered else ""
        other = plain_answers.describe_other_readings(corpus, question, cell.source)
        ours = bool(own) and status in ("", "agreed") and any(ruling.supplied for ruling in rulings)
        return replace(cell, question=main, status=status, other=other, partly_ours=ours)

    def _list_untold(self) -> list[int | None]:
        """List the tricks of which no source's payments are known, where those of others are."""
        none = [
            row.situation.trick for row in self.rows if all(source.state in _UNKNOWN_STATES for source in row.sources)
        ]
        return none if len(none) < len(self.rows) else []

    def _find_withheld(self, siglum: str, rule: str) -> str:
        """Find the question by which a source does not pay; if the rule is not known, the first that is."""
        held = (withheld for _, source in self.in_source(siglum) for withheld in source.withheld)
        return next((id for rule_held, _, id in held if id and (not rule_held or rule in ("", rule_held))), "")

    def build_block(self) -> PaymentBlock:
        """Build the block as it is shown: in which way the event happens, and what is paid."""
        own = (source for row in self.rows for source in row.sources if not source.generated)
        deals = dict.fromkeys(
            own_source.deal.id for own_source in own if own_source.deal and own_source.deal.provenance != "generated"
        )
        who = situations.join_alternatives([situations.RELATION_WORDS[seat] for seat in self.seats if seat])
        card = situations.format_aces(self.suits) if self.suits else ""
        words = phrases.capitalise("; ".join(filter(None, (card, self.first.variant.format(who=who)))))
        untold = self._list_untold()
        return PaymentBlock(words, self.lines, tuple(deals), _format_tricks(untold) if untold else "")


def _spread_card_lines(ways: list[_Way]) -> list[_Way]:
    """Add what is paid besides for a card to every way in which the event happens: it depends on that card alone."""
    if ways[0].first.kind in CARD_SUBJECTS:
        return ways
    of_card = {line.words: line for way in ways for line in way.lines if line.card}
    shown = ({line.words for line in way.lines} for way in ways)
    more = (tuple(line for words, line in of_card.items() if words not in known) for known in shown)
    return [replace(way, lines=(*way.lines, *lines)) for way, lines in zip(ways, more, strict=True)]


def _merge_ways(ways: Iterable[_Way], share: Callable[[_Way], tuple[str, ...]]) -> list[_Way]:
    """Merge ways that say the same and share their suits, or their seats."""
    alike = group_pairs((repr((share(way), way.said)), way) for way in ways)
    return [
        replace(
            some[0],
            rows=tuple(row for way in some for row in way.rows),
            seats=tuple(dict.fromkeys(seat for way in some for seat in way.seats)),
            suits=tuple(dict.fromkeys(suit for way in some for suit in way.suits)),
        )
        for some in alike.values()
    ]


def _spread_to_all(paid: Mapping[str, _Sorted], keys: Iterable[_LineKey]) -> None:
    """Write what each other player pays to the lines of single players, where other sources tell these apart."""
    for key in (key for key in keys if key[1] in payments.OTHER_PLAYERS):
        alike = (line for line in keys if (line[0], *line[2:]) == (key[0], *key[2:]))
        single = [line for line in alike if line[1].startswith(_BY_SEAT)]
        for by_key in (by_key for by_key in paid.values() if single and key in by_key):
            same = by_key.pop(key)
            by_key.update((line, same) for line in single if line not in by_key)


# ---- words
_TOLD_ELSEWHERE = "told-at-quinola"
_CONDITIONS: Mapping[str, str] = {"refreshed": "stake.refreshed.unless-won"}  #: rule -> question on when it holds
_EXCEPTIONS: Mapping[str, str] = {"reversis-stake": "reversis.stake"}  #: rule -> question on when there is another
#: Reasons for which nothing is paid in this deal, though it might be in another.
_REASONS_OF_DEAL = frozenset({"not-his", "too-late", "broken-before", "won-otherwise", "empty-pool"})
_NOTHING, _NOT_KNOWN = "nothing", "not known"
_UNKNOWN_STATES = frozenset({"refused", "silent", "open", "unshown"})
_UNKNOWN_WORDS: Mapping[str, str] = {
    "refused": "by this book’s rules the example deal cannot happen",
    "silent": "no answer in the book, as far as it was consulted",
    "open": "the tricks on record do not decide it",
}


def _explain_nothing(situation: situations.PaymentSituation, source: payments.SituationPayments, rule: str) -> str:
    """Explain why nothing is paid, where it is for what happens in the deal."""
    if situation.kind in CARD_SUBJECTS:
        return ""
    if not all(unpaid_rule for unpaid_rule, _, _ in source.withheld):
        return _tell_of_book(source.reason)
    reasons = [reason for unpaid_rule, reason, _ in source.withheld if unpaid_rule == rule]
    reasons += [reason for _, reason, _ in source.withheld] if _TOLD_ELSEWHERE in reasons else []
    return next((NONPAYMENT_REASONS[reason] for reason in reasons if reason in _REASONS_OF_DEAL), "")


def _tell_of_book(reason: str) -> str:
    return reason.replace("by these rules", "in this book").replace("these rules know", "this book knows")


def _format_amount(payment: payments.RolePayment, source: payments.SituationPayments) -> str:
    """Format an amount: a number of counters, a share of the pool, or so many times what the partie is worth."""
    back = ", given back" if payment.returned else ""
    if "pool" in payment.words:
        held = "it holds" if payments.POOL_ROLE in (payment.payee, payment.payer) else "the pool holds"
        times, _, _ = payment.words.partition(" times ")
        measure = (
            "as much as "
            if payment.payee == payments.POOL_ROLE
            else "all that "
            if payment.words.startswith("what")
            else ""
        )
        words = payment.words.replace("what the pool holds", held)
        factor = f"{phrases.format_times(int(times))} " if times.isdigit() else ""
        return f"{factor}{measure}{words.removeprefix(f'{times} times ')}{back}"
    if source.worth and payment.rule == "partie" and payment.amount % source.worth == 0:
        number = payment.amount // source.worth
        return f"{payment.amount}{'' if number == 1 else f' ({phrases.format_times(number)} {source.worth})'}"
    return f"{payment.amount}{back}"


def _merge_tricks(amounts: Mapping[int | None, str]) -> Iterator[PaidAmount]:
    """Merge tricks of the same amount; what holds in any other trick comes first and needs no label."""
    by_amount = group_pairs((amount, trick) for trick, amount in amounts.items())
    usual = amounts.get(None, _NOT_KNOWN)
    if usual == _NOT_KNOWN:
        usual = Counter(amount for amount in amounts.values() if amount != _NOT_KNOWN).most_common(1)[0][0]
    for amount in (usual, *(other for other in by_amount if other != usual)):
        plain = len(by_amount) == 1 or (None in by_amount[amount] and amount == usual)
        yield PaidAmount(amount, "" if plain else _format_tricks(by_amount[amount]))


def _format_tricks(tricks: Sequence[int | None]) -> str:
    """Format tricks: "first or last trick", "last two tricks", "any other trick"."""
    if set(tricks) == {-2, -1}:
        return "last two tricks"
    ordered = sorted(tricks, key=lambda trick: (trick is None, (trick or 0) < 0, trick or 0))
    names = [phrases.format_ordinal(n) if n is not None else "any other" for n in ordered]
    return f"{situations.join_alternatives(names)} trick"


def _format_lines(keys: Sequence[_LineKey]) -> list[str]:
    """Format who pays whom in every line; a second payment between the same two is told apart."""
    lines: list[str] = []
    for key in keys:
        words = _format_line(key)
        lines.append(f"{words} besides" if words in lines else words)
    return lines


def _format_line(key: _LineKey) -> str:
    """Format who pays whom in a player's words."""
    rule, payer, payee, card = key
    if not payer:
        return ANY_PAYMENT
    why = _CARD_REASONS.get(rule, "for the {card}")
    aside = f" ({why.format(card=card_words(parse_card_name(card)))})" if card else ""
    payer_name, payee_name = _name_player(payer), _name_player(payee)
    if payee == payments.POOL_ROLE:
        return f"{phrases.capitalise(payer_name)} puts into the pool{aside}"
    if payer == payments.POOL_ROLE:
        return f"{phrases.capitalise(payee_name)} takes from the pool{aside}"
    return f"{phrases.capitalise(payer_name)} pays {'them' if payee_name in payer_name else payee_name}{aside}"


#: Rule -> when something is paid besides for a card, where it is not for the card itself.
_CARD_REASONS: Mapping[str, str] = {"reversis-by-quinola": "if they had played the {card} before the last tricks"}


def _name_player(role: str) -> str:
    name = re.sub(r"\bwho (?=led|leads|takes|plays|breaks|wins|commits)", "whoever ", role)
    name = name.replace("led to it", "led").replace("opposite who", "opposite to who")
    return name.replace("er of the partie", "er").replace("commits the fault", "makes the mistake")


# ---- what it rests on
_OTHERS_SLUG = "others"  #: stands in the slugs of questions on what the other players pay


def _choose_question(library: Library, key: _LineKey, asked: Sequence[str], paid: bool) -> str:
    """Choose the question on which a payment rests: of those that ask for a sum the one on these players.

    Where nothing is paid it is the one that asks who pays, which comes first.
    """
    sums = [id for id in dict.fromkeys(asked) if library.question(id).measure.get("unit") == "smallest"]
    if payments.POOL_ROLE in key and not sums:
        sums = [id for id in asked if library.question(id).affects == "pool"]
    by_seat = key[1].startswith((*payments.OTHER_PLAYERS, *_BY_SEAT))
    of_others = [id for id in sums if _OTHERS_SLUG in library.question(id).slug]
    chosen = of_others if by_seat and of_others else [id for id in sums if id not in of_others] if paid else []
    return next(iter(chosen or (sums if paid else ()) or asked), "")
