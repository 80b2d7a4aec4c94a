"""The editorial policy as checks of the whole library: every fault with its place and the way out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulebook.checks.answers import (
    a_bundle_holds_together,
    a_reason_is_given_once,
    a_reference_leads_to_a_number,
    an_alternative_differs,
    an_answer_makes_sense,
    an_inapplicable_question_makes_no_sense,
    answers_of_one_source_agree,
    every_answer_is_a_reading,
    every_answer_names_a_question,
    every_question_is_answered_or_reasoned,
    no_question_depends_on_itself,
    only_an_own_answer_makes_inapplicable,
)
from rulebook.checks.ids import (
    a_tombstone_tells_what_became_of_it,
    every_id_is_registered,
    ids_are_given_once,
    ids_are_well_formed,
    no_id_vanishes_without_a_tombstone,
    what_prose_names_is_there,
)
from rulebook.checks.numbers import every_number_answered_stands_in_the_quotation, every_printed_number_is_there
from rulebook.checks.quotations import (
    every_citation_quotes,
    every_locus_is_known,
    every_offer_is_quoted,
    every_quotation_stands_at_its_locus,
    every_range_runs_forward,
    every_sentence_is_as_it_was_when_coded,
)
from rulebook.checks.rights import every_quotation_bears_its_hash, quotations_stay_under_the_cap
from rulebook.checks.source_records import (
    a_colour_is_a_slot_of_its_own,
    a_language_is_named_as_the_web_names_it,
    an_end_that_was_not_consulted_names_its_sentence,
    coders_are_known,
    every_emendation_has_a_note,
    every_note_is_on_something,
    short_names_and_dates_fit,
    words_for_numbers_are_words,
)
from rulebook.checks.statuses import (
    a_reason_is_told,
    a_supplied_reading_says_whence,
    agreed_words_are_used,
    ambiguity_is_data,
    an_answer_cannot_be_surer_than_the_emendation_it_rests_on,
    silence_tells_what_was_searched,
    what_is_said_is_cited,
)
from rulebook.problems import Problem
from rulebook.sources.assembled_library import AssembledLibrary

LibraryCheck = Callable[[AssembledLibrary], Iterator[Problem]]


LIBRARY_CHECKS: tuple[LibraryCheck, ...] = (
    every_answer_names_a_question,
    every_answer_is_a_reading,
    every_question_is_answered_or_reasoned,
    answers_of_one_source_agree,
    a_reason_is_given_once,
    what_prose_names_is_there,
    an_answer_makes_sense,
    an_inapplicable_question_makes_no_sense,
    only_an_own_answer_makes_inapplicable,
    no_question_depends_on_itself,
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
    short_names_and_dates_fit,
    a_colour_is_a_slot_of_its_own,
    ids_are_given_once,
    words_for_numbers_are_words,
    an_end_that_was_not_consulted_names_its_sentence,
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


def problems_of(case: AssembledLibrary) -> list[Problem]:
    """Everything that the policy finds wrong, by file and line."""
    return sorted({problem for check in LIBRARY_CHECKS for problem in check(case)})
