"""Checks of answers: to known questions, in the right form, complete, consistent, and sensible together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from rulebook.answers import conditions
from rulebook.answers.values import AnswerMap, UnreadQuestion, format_canonical
from rulebook.model import SPOKEN_STATUSES, UNANSWERED_STATUSES, Alternative, Clause, Like, Value
from rulebook.problems import Problem, Where
from rulebook.program_name import name_command
from rulebook.proposals import add_proposals
from rulebook.sources.assembled_library import AssembledLibrary, Given, iter_alternatives, iter_clauses


def every_answer_names_a_question(case: AssembledLibrary) -> Iterator[Problem]:
    """A clause answers questions that there are."""
    for given in case.givens:
        if not given.slug and given.wrong and not isinstance(given.wrong, UnreadQuestion):
            way_out = add_proposals(given.wrong.way_out, given.source)
            yield given.where.problem(f"{given.owner}: {given.wrong.what}", way_out)


def every_answer_is_a_reading(case: AssembledLibrary) -> Iterator[Problem]:
    """An answer is one of the readings, or a measure of the right kind."""
    for given in case.givens:
        if given.slug and given.wrong:
            what = f"{given.owner}: {case.named(given.slug)}: {given.wrong.what}"
            question = case.library.questions[given.slug]
            yield given.where.problem(what, add_proposals(given.wrong.way_out, given.source, question))


_ANSWER_OR_REASON = "answer it in a clause or a new sheet, or list it under `on:` where the reason stands"
_MOST_OPEN = 2  #: so many questions without an answer are told one by one


def every_question_is_answered_or_reasoned(case: AssembledLibrary) -> Iterator[Problem]:
    """An empty cell is an error: every source answers every question, or gives a reason."""
    for siglum, givens in case.by_source.items():
        if siglum in case.incomplete:
            continue
        spoken = {given.slug for given in givens}
        place = Where(f"{case.library.sources[siglum].where.file.rpartition('/')[0]}/clauses.yaml")
        open_ = [
            slug
            for slug, question in case.library.questions.items()
            if slug not in spoken and question.by in ("", siglum)  # nobody else need answer what is on trial
        ]
        if len(open_) > _MOST_OPEN:
            what = f"{siglum} has neither answer nor reason for {len(open_)} questions, from {case.named(open_[0])} on"
            sheet = f"`{name_command(f'sheet {siglum} --out answers.csv')}` has a row for each"
            yield replace(place.problem(what, sheet), waits=True)
            continue
        for slug in open_:
            what = f"{siglum} has neither answer nor reason for {case.named(slug)}"
            yield replace(place.problem(what, _ANSWER_OR_REASON), waits=True)


def answers_of_one_source_agree(case: AssembledLibrary) -> Iterator[Problem]:
    """A source answers a question once, or twice alike."""
    for siglum, givens in case.by_source.items():
        first: dict[str, Given] = {}
        for given in givens:
            before = first.setdefault(given.slug, given)
            if given is not before and given.slug and not (given.wrong or before.wrong):
                yield from check_agreement(case, siglum, before, given)


def check_agreement(case: AssembledLibrary, siglum: str, answer: Given, other: Given) -> Iterator[Problem]:
    """Yield the fault that two clauses cannot both stand."""
    claims = [f"{each.owner} ({describe_standing(case, each)}) {describe_answer(each)}" for each in (other, answer)]
    if answer.value != other.value:
        what = f"{siglum} contradicts itself on {case.named(other.slug)}: {', but '.join(claims)}"
        yield other.where.problem(what, "take one back, or make it a rival of the other")


def describe_answer(given: Given) -> str:
    """Say what a clause does with a question."""
    return "gives a reason only" if given.value is None else f"answers {format_canonical(given.value)}"


def describe_standing(case: AssembledLibrary, given: Given) -> str:
    """Say where the clause of an answer stands: its loci, or its status."""
    clause = case.library.clause(given.clause)
    return ", ".join(cite.locus for cite in clause.cites) or clause.status


def a_reason_is_given_once(case: AssembledLibrary) -> Iterator[Problem]:
    """A source is not silent on what it says."""
    for siglum, givens in case.by_source.items():
        status = {clause.id: clause.status for clause in case.library.sources[siglum].clauses}
        for slug, same in groupby(sorted(givens, key=lambda answer: answer.slug), key=lambda answer: answer.slug):
            spoken = {answer.clause: status[answer.clause] in UNANSWERED_STATUSES for answer in same if slug}
            for owner, reason in spoken.items():
                if reason and len(spoken) > 1:
                    others = ", ".join(sorted(set(spoken) - {owner}))
                    what = f"{owner} is {status[owner]} on {case.named(slug)}, to which {others} speaks too"
                    yield case.library.clause(owner).where.problem(what, "keep one of them")


def an_answer_makes_sense(case: AssembledLibrary) -> Iterator[Problem]:
    """A question whose condition fails is not answered."""
    for siglum, givens in case.by_source.items():
        for given in givens:
            if given.value is not None:
                yield from out_of_place(case, siglum, given, case.answers[siglum])


def out_of_place(case: AssembledLibrary, siglum: str, given: Given, answers: AnswerMap) -> Iterator[Problem]:
    """An answer to a question that makes no sense under the other answers."""
    for condition in conditions.parse_conditions(case.library.questions[given.slug].depends):
        values = [conditions.dereference_answer(answers.get(part.question), answers) for part in condition.each]
        reasons = [find_reason(case, siglum, part.question) for part in condition.each]
        value, reason = values[0], reasons[0]
        if not conditions.is_condition_met(condition, answers) and all(
            value is not None or reason for value, reason in zip(values, reasons, strict=True)
        ):
            supposed = conditions.describe_condition(condition, case.library.questions)
            finding = (
                f"the answer there is {format_canonical(value)}" if value is not None else _describe_reason(reason)
            )
            what = f"{given.owner}: {case.named(given.slug)} supposes {supposed}, and {finding}"
            yield given.where.problem(what, _hint_out_of_place(case, given, condition.question, value))


def _describe_reason(reason: Clause | None) -> str:
    """Say why a question has no answer, with what stands for it in a sheet."""
    if reason is None or reason.status == "silent":
        return f'{reason.id.partition(".")[0] if reason else "the source"} is silent there ("-")'
    return f"{reason.id} calls that {reason.status}{' (n/a)' if reason.status == 'inapplicable' else ''}"


def _hint_out_of_place(case: AssembledLibrary, given: Given, slug: str, value: Value | None) -> str:
    """Return the ways out of an answer that another one rules out; none of them asks for a false answer."""
    id, siglum = case.library.questions[slug].id, given.source
    reason = find_reason(case, siglum, slug)
    if value is None and reason and reason.status == "silent":
        supplying = f"supply it, marked as not {siglum}'s ({name_command(f'supply {siglum} --from S')})"
        return (
            f"answer {id} if the text tells it after all; if not, {supplying}; or write - here too, if it tells neither"
        )
    if value is None and reason:
        return f"look at {reason.id} again; if it is right, call this inapplicable too"
    proposing = f"a question of its own in {siglum}/proposed.yaml"
    here = (
        f"correct {id} if it is wrong; if {siglum} says both, the words want {proposing}; else call this inapplicable"
    )
    others = [
        alternative
        for source, _, alternative in iter_alternatives(case)
        if source.siglum == siglum and slug in alternative.answers
    ]
    if given.owner != given.clause or not others:
        return here
    return f"{here}; an answer that goes with the other reading of {id} is an other_answer, with {id} as other_with"


def find_reason(case: AssembledLibrary, siglum: str, slug: str) -> Clause | None:
    """Find the clause by which a source, though read for it, gives a question only a reason."""
    mine = case.library.sources[siglum].clauses
    return next((clause for clause in mine if clause.status != "not-collated" and slug in clause.about), None)


def an_inapplicable_question_makes_no_sense(case: AssembledLibrary) -> Iterator[Problem]:
    """A question called inapplicable does not apply."""
    for source, clause in iter_clauses(case, "inapplicable"):
        for at, slug in enumerate(clause.about):
            depends = case.library.questions[slug].depends
            conds = conditions.parse_conditions(depends)
            if conds and all(
                conditions.is_condition_met(condition, case.answers[source.siglum]) for condition in conds
            ):
                supposed = " and ".join(
                    conditions.describe_condition(condition, case.library.questions) for condition in conds
                )
                what = f"{clause.id}: {case.named(slug)} does apply: it supposes {supposed}, and has it"
                yield case.at(clause.where, "on", at).problem(what, "answer it, or call the source silent on it")


def only_an_own_answer_makes_inapplicable(case: AssembledLibrary) -> Iterator[Problem]:
    """A source's own answer makes a question inapplicable; what hangs on a silence is silent too."""
    for source, clause in iter_clauses(case, "inapplicable"):
        answers = case.answers[source.siglum]
        own = {
            slug for own_clause in source.clauses if own_clause.status in SPOKEN_STATUSES for slug in own_clause.answers
        }
        for at, slug in enumerate(clause.about):
            conds = conditions.parse_conditions(case.library.questions[slug].depends)
            applies = bool(conds) and all(
                conditions.is_condition_met(condition, answers) for condition in conds
            )  # which is told above
            if not applies and not conditions.ruled_out(slug, case.library.questions, answers, own):
                what = f"{clause.id}: no answer of {source.siglum} itself rules out {case.named(slug)}"
                yield case.at(clause.where, "on", at).problem(what, "call the source silent on it, with searched:")


def no_question_depends_on_itself(case: AssembledLibrary) -> Iterator[Problem]:
    """Conditions do not run in a circle."""
    questions = case.library.questions
    for slug, question in questions.items():
        for condition in conditions.parse_conditions(question.depends):
            if any(conditions.depends_on(each.question, slug, questions) for each in condition.each):
                what = f"{case.named(slug)} depends on itself, by way of {condition}"
                hint = "leave out one of the conditions that make the circle"
                yield case.at(question.where, "depends").problem(what, hint)


def a_bundle_holds_together(case: AssembledLibrary) -> Iterator[Problem]:
    """An alternative answers just the questions that make sense with it."""
    for source, clause, alternative in iter_alternatives(case):
        bundle = {**case.answers[source.siglum], **alternative.answers}
        for given in case.by_owner[alternative.id]:
            if given.value is not None:
                yield from out_of_place(case, source.siglum, given, bundle)
            elif given.kind == "reason" and given.slug:
                yield from _find_idle_silence(case, alternative, given, bundle)
        if source.siglum not in case.incomplete:
            yield from check_left_open(case, clause, alternative, bundle)


def check_left_open(
    case: AssembledLibrary, clause: Clause, alternative: Alternative, bundle: AnswerMap
) -> Iterator[Problem]:
    """Yield the questions of play that only an alternative makes applicable, and that it does not answer."""
    for slug, question in case.library.questions.items():
        conds = conditions.parse_conditions(question.depends)
        if (
            slug in bundle
            or slug in alternative.silent
            or not conds
            or alternative.answers.keys().isdisjoint(conditions.list_condition_questions(question.depends))
        ):
            continue
        asked_before = conditions.is_question_applicable(question.depends, case.answers[clause.source])
        if conditions.is_question_applicable(question.depends, bundle) and not (asked_before or question.not_played):
            what = f"{alternative.id}: with it {case.named(slug)} makes sense, and has no answer"
            adding = "add the answer that goes with it, or the silence of the source"
            way_out = f"{adding}{_locate_bundled(case, clause, question.id)}"
            yield case.at(alternative.where, "answers").problem(what, way_out)


def _find_idle_silence(
    case: AssembledLibrary, alternative: Alternative, given: Given, bundle: AnswerMap
) -> Iterator[Problem]:
    """Yield the fault that an alternative is silent on what is answered, or on what makes no sense with it."""
    named, hint = case.named(given.slug), f"take {given.key} out of its `silent`"
    if given.slug in bundle:
        owner = alternative.id if given.slug in alternative.answers else given.source
        what = f"{alternative.id} calls the source silent on {named}, which {owner} answers"
        yield given.where.problem(what, f"{hint}: a reading is silent only on what makes sense with it alone")
        return
    for condition in conditions.parse_conditions(case.library.questions[given.slug].depends):
        if not conditions.is_condition_met(condition, bundle):
            supposed = conditions.describe_condition(condition, case.library.questions)
            what = f"{alternative.id}: with it {named} makes no sense, which supposes {supposed}"
            yield given.where.problem(what, hint)


def _locate_bundled(case: AssembledLibrary, clause: Clause, id: str) -> str:
    """Say where in a sheet and the form the answer stands that goes with the only other reading of a clause."""
    if len(clause.alternatives) > 1 or len(clause.answers) != 1:
        return ", below it in clauses.yaml (`answers:`, or `silent:` with `searched:`)"
    host = case.library.questions[next(iter(clause.answers))].id
    return (
        f": in the row of {id} in the sheet, under other_answer (- for silence), with {host} under other_with; "
        f"in the form at {id}, below *The words can also be read in another way*"
    )


def a_reference_leads_to_a_number(case: AssembledLibrary) -> Iterator[Problem]:
    """ "As if forced" points to an answer, and not in a circle."""
    bundles = {alternative.id: alternative.answers for _, _, alternative in iter_alternatives(case)}
    for given in case.givens:
        answers = {**case.answers[given.source], **bundles.get(given.owner, {})}
        if isinstance(given.value, Like) and not isinstance(conditions.dereference_answer(given.value, answers), int):
            what = f"{given.owner}: {format_canonical(given.value)} leads to no number in {given.source}"
            yield given.where.problem(what, "answer the question it points to, or write the number")


def an_alternative_differs(case: AssembledLibrary) -> Iterator[Problem]:
    """A rival that answers like the clause itself is none."""
    for source, _, alternative in iter_alternatives(case):
        own = case.answers[source.siglum]
        mine = case.by_owner[alternative.id]
        if not (alternative.silent or any(answer.wrong for answer in mine)) and all(
            own.get(s) == v for s, v in alternative.answers.items()
        ):
            what = f"{alternative.id} answers nothing otherwise than {source.siglum} does"
            yield case.at(alternative.where, "answers").problem(what, "give the answers in which it differs")
