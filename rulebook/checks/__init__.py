"""The editorial policy as checks of the whole library: every fault with its place and the way out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulebook.checks import answers, ids, numbers, quotations, rights, source_records, statuses
from rulebook.problems import Problem
from rulebook.sources.assembled_library import AssembledLibrary

LibraryCheck = Callable[[AssembledLibrary], Iterator[Problem]]


LIBRARY_CHECKS: tuple[LibraryCheck, ...] = (
    answers.every_answer_names_a_question,
    answers.every_answer_is_a_reading,
    answers.every_question_is_answered_or_reasoned,
    answers.answers_of_one_source_agree,
    answers.a_reason_is_given_once,
    ids.what_prose_names_is_there,
    answers.an_answer_makes_sense,
    answers.an_inapplicable_question_makes_no_sense,
    answers.only_an_own_answer_makes_inapplicable,
    answers.no_question_depends_on_itself,
    answers.a_bundle_holds_together,
    answers.a_reference_leads_to_a_number,
    quotations.every_locus_is_known,
    quotations.every_range_runs_forward,
    quotations.every_citation_quotes,
    quotations.every_quotation_stands_at_its_locus,
    quotations.every_offer_is_quoted,
    quotations.every_sentence_is_as_it_was_when_coded,
    numbers.every_number_answered_stands_in_the_quotation,
    statuses.an_answer_cannot_be_surer_than_the_emendation_it_rests_on,
    statuses.what_is_said_is_cited,
    statuses.agreed_words_are_used,
    statuses.silence_tells_what_was_searched,
    statuses.a_supplied_reading_says_whence,
    statuses.a_reason_is_told,
    statuses.ambiguity_is_data,
    answers.an_alternative_differs,
    ids.ids_are_well_formed,
    source_records.a_language_is_named_as_the_web_names_it,
    source_records.short_names_and_dates_fit,
    source_records.a_colour_is_a_slot_of_its_own,
    ids.ids_are_given_once,
    source_records.words_for_numbers_are_words,
    source_records.an_end_that_was_not_consulted_names_its_sentence,
    source_records.page_images_are_on_the_web,
    source_records.coders_are_known,
    source_records.every_note_is_on_something,
    source_records.every_emendation_has_a_note,
    numbers.every_printed_number_is_there,
    ids.every_id_is_registered,
    ids.no_id_vanishes_without_a_tombstone,
    ids.a_tombstone_tells_what_became_of_it,
    rights.quotations_stay_under_the_cap,
    rights.every_quotation_bears_its_hash,
)


def problems_of(case: AssembledLibrary) -> list[Problem]:
    """Everything that the policy finds wrong, by file and line."""
    return sorted({problem for check in LIBRARY_CHECKS for problem in check(case)})
