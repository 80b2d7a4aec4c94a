"""All kinds of page: the function that builds each view from the corpus, and the one that renders it as nodes.

Whatever is shown is a view first (`ALL_VIEWS`) and nodes afterwards (`ALL_RENDERERS`); the view's fingerprint is kept,
so that a page is made again when, and only when, what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.views.about import changes, downloads, home, people, receipts, search, validation
from edition.views.questions import (
    agreement,
    all_answers,
    alone,
    answer_table,
    coding_manual,
    interpretations,
    pairs,
    question,
    question_page,
    silences,
)
from edition.views.sources import (
    attestations,
    clauses,
    emendations,
    glossary,
    source,
    source_list,
    source_text,
    stemma,
    variants,
    word_index,
)
from edition.views.topics import render, topic
from reversis.views import api, indexes, unsupported
from reversis.views import library_checks as agenda
from reversis.views.deals import (
    attribution,
    deal,
    deal_editor,
    deal_list,
    printed_figures,
    separations,
    sessions,
)
from reversis.views.rules import rule_list, rules, two_minutes
from reversis.views.surveys import (
    costs,
    counsel,
    distances,
    play_effects,
    play_effects_page,
    play_money,
    reversis_rates,
    strength,
    survey_columns,
    surveys,
)

#: The kinds of things that have an address of their own.
ADDRESSED_KINDS = (
    *("source", "sentence", "question", "cell", "clause", "deal", "term", "emendation", "alternative", "note"),
    *(
        "pair",
        "clauses",
        "work",
        "parting",
        "cost",
        "costs",
        "effect",
        "effects",
        "group",
        "row",
        "words",
        "doubts",
        "variants",
        "counsel",
    ),
    *("howto", "howto-card", "howto-full"),
)

#: Kind of page -> the function that builds its view, and the one that renders it.
_PAGE_KINDS: Mapping[str, tuple[Callable[[Corpus, str], Any], Callable[[Any], list[nodes.Node]]]] = {
    "api": (api.api_view, api.render_api),
    "changes": (changes.changes_view, changes.render_changes),
    "downloads": (downloads.downloads_view, downloads.render_downloads),
    "downloads-counted": (downloads.counts_view, downloads.render_download_counts),
    "home-deal": (home.home_start_view, home.render_home_start),
    "home-books": (home.home_books_view, home.render_home_books),
    "home-findings": (home.home_findings_view, home.render_home_findings),
    "rights": (people.rights_view, partial(people.render_credits, caption="Rights in", head=("Layer", "Terms"))),
    "people": (people.people_view, partial(people.render_credits, caption="Hands in", head=("Who", "What they did"))),
    "passes": (people.passes_view, people.render_passes),
    "proofs": (receipts.proofs_view, receipts.render_proofs),
    "proof": (receipts.proof_view, receipts.render_proof),
    "find": (search.find_view, search.render_search),
    "validation": (validation.validation_view, validation.render_validation),
    "deal": (deal.deal_view, deal.render_deal_page),
    "own-deal": (deal_editor.view_deal_editor, deal_editor.render_deal_editor),
    "deals": (deal_list.deals_view, deal_list.render_deals),
    "causes-found": (deal_list.causes_found_view, attribution.render_attribution_status),
    "itself": (printed_figures.itself_view, printed_figures.render_printed_figures),
    "partings": (separations.partings_view, separations.render_separations),
    "sessions": (sessions.sessions_view, sessions.render_sessions),
    "agenda": (agenda.agenda_view, agenda.render_agenda),
    "answers": (all_answers.answers_view, answer_table.render_answers_page),
    "alone": (alone.alone_view, alone.render_alone),
    "agreement": (agreement.agreement_view, agreement.render_agreement),
    "effects": (agreement.effects_view, agreement.render_effects_summary),
    "topic": (topic.topic_view, render.render_topic),
    "topics": (topic.topics_view, render.render_topics),
    "tombstones": (agreement.tombstones_view, agreement.render_retired_ids),
    "manual": (coding_manual.manual_view, coding_manual.render_manual),
    "manual-list": (coding_manual.manual_list_view, coding_manual.render_manual_list),
    "interpretations": (interpretations.doubts_view, interpretations.render_doubts),
    "doubts": (interpretations.doubts_view, interpretations.render_doubt_overview),
    "pairs": (pairs.pairs_view, pairs.render_pairs),
    "question": (question.question_view, question_page.render_question),
    "silences": (silences.silent_points_view, silences.render_silences),
    "inapplicable": (silences.inapplicable_points_view, silences.render_inapplicable),
    "beyond": (unsupported.beyond_view, unsupported.render_closed_questions),
    "waiting": (unsupported.beyond_view, unsupported.render_waiting_readings),
    "howto": (rules.howto_view, rules.render_howto),
    "howto-card": (two_minutes.short_rules_view, two_minutes.render_card),
    "howtos": (rule_list.howtos_view, rule_list.render_howto_list),
    "clauses": (clauses.clauses_view, clauses.render_clauses),
    "emendations": (emendations.emendations_view, emendations.render_emendations),
    "variants": (variants.variants_view, variants.render_variants),
    "attestations": (attestations.attestations_view, attestations.render_attestations),
    "stemma": (stemma.stemma_view, stemma.render_stemma),
    "glossary": (glossary.glossary_view, glossary.render_glossary),
    "cards": (indexes.cards_view, indexes.render_card_index),
    "amounts": (indexes.amounts_view, indexes.amounts_tables),
    "names": (indexes.names_view, indexes.render_name_index),
    "sources": (source_list.sources_view, source_list.render_sources),
    "source": (source.source_view, source_text.render_source),
    "words": (word_index.words_view, word_index.render_word_index),
    "letter": (word_index.letter_view, word_index.render_letter_page),
    "wordlists": (word_index.list_view, word_index.render_word_index_list),
    "costs": (costs.costs_view, costs.render_costs),
    "cost-table": (costs.table_view, costs.render_cost_table),
    "distances": (distances.distances_view, distances.render_distances),
    "distance-table": (distances.distances_view, distances.render_distance_table),
    "counsel": (counsel.counsel_view, counsel.render_counsel),
    "play-effects": (play_effects.play_effects_view, play_effects_page.render_play_effects),
    "play-money": (play_money.compare_money, play_money.render_money_comparison),
    "effect-table": (play_effects.effect_table_view, play_effects_page.render_effect_table),
    "dictionary": (survey_columns.dictionary_view, survey_columns.render_dictionary),
    "surveys": (surveys.survey_views, surveys.render_surveys),
    "reversis-rates": (reversis_rates.reversis_rates_view, reversis_rates.render_reversis_rates),
    "strength": (strength.strength_view, strength.render_strength_note),
    "exact": (surveys.exact_view, surveys.render_exact),
    "unsurveyed": (surveys.unsurveyed_view, surveys.render_unsurveyed),
    "policies": (surveys.policies_view, surveys.render_policies),
}
ALL_VIEWS = {kind: build for kind, (build, _) in _PAGE_KINDS.items()}
ALL_RENDERERS = {kind: render for kind, (_, render) in _PAGE_KINDS.items()}
