"""Kinds of page that this game has beside those of every library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from edition.corpus.corpus import Corpus
from edition.game import PageKind
from reversis.files.extras import get_deals, get_surveys
from reversis.views import api, home, indexes, unsupported
from reversis.views import library_checks as agenda
from reversis.views.deals import (
    attribution,
    deal,
    deal_editor,
    deal_list,
    printed_figures,
    separations,
    sessions,
    table_page,
)
from reversis.views.panels import alternative
from reversis.views.rules import rule_list, rules, two_minutes
from reversis.views.surveys import (
    costs,
    counsel,
    distances,
    play_effects,
    play_effects_page,
    play_money,
    printed_trees,
    strength,
    survey_columns,
    surveys,
)


def _list_sigla(corpus: Corpus) -> Iterable[str]:
    return corpus.library.sources


def _list_deals(corpus: Corpus) -> Iterable[str]:
    return (deal.id for deal in get_deals(corpus))


def _list_cost_tables(corpus: Corpus) -> Iterable[str]:
    return costs.list_cost_tables(get_surveys(corpus), corpus.library.sources)


def _list_effect_tables(corpus: Corpus) -> Iterable[str]:
    return play_effects.list_effect_tables(corpus.receipts, corpus.library.sources)


GAME_PAGES: Mapping[str, PageKind] = {
    "api": PageKind(api.api_view, api.render_api),
    "home-deal": PageKind(home.home_start_view, home.render_home_start, assets=("home.css", "home.js")),
    "deal": PageKind(
        deal.deal_view,
        deal.render_deal_page,
        addresses=("deal",),
        path="deals/{}",
        arguments=_list_deals,
        assets=("steps.css", "pictured.js", "cards.js", "steps.js", "play-on.js"),
    ),
    "own-deal": PageKind(
        deal_editor.view_deal_editor,
        deal_editor.render_deal_editor,
        assets=(
            "settle.css",
            "cards.js",
            "settle-engine.js",
            "settle-records.js",
            "settle-result.js",
            "settle-yaml.js",
            "settle-form.js",
            "settle.js",
        ),
    ),
    "table": PageKind(
        table_page.view_table,
        table_page.render_table,
        assets=(
            "table.css",
            "cards.js",
            "settle-engine.js",
            "settle-records.js",
            "settle-yaml.js",
            "table-store.js",
            "table-cards.js",
            "table-slip.js",
            "table-chart.js",
            "table-pages.js",
            "table-state.js",
            "table-screen.js",
            "table-moves.js",
            "table-files.js",
            "table.js",
            "table-offline.js",
        ),
    ),
    "deals": PageKind(deal_list.deals_view, deal_list.render_deals, assets=("deals.css", "deals.js")),
    "causes-found": PageKind(deal_list.causes_found_view, attribution.render_attribution_status),
    "itself": PageKind(printed_figures.itself_view, printed_figures.render_printed_figures),
    "partings": PageKind(
        separations.partings_view, separations.render_separations, addresses=("parting",), assets=("bars.css",)
    ),
    "sessions": PageKind(sessions.sessions_view, sessions.render_sessions, assets=("deals.css",)),
    "effects": PageKind(alternative.effects_view, alternative.render_effects_summary),
    "agenda": PageKind(agenda.agenda_view, agenda.render_agenda),
    "beyond": PageKind(unsupported.beyond_view, unsupported.render_closed_questions),
    "waiting": PageKind(unsupported.beyond_view, unsupported.render_waiting_readings),
    "howto": PageKind(
        rules.howto_view,
        rules.render_howto,
        addresses=("howto", "howto-full"),
        path="howto/{}",
        arguments=_list_sigla,
        assets=("rules.css",),
    ),
    "howto-card": PageKind(
        two_minutes.short_rules_view,
        two_minutes.render_card,
        addresses=("howto-card",),
        path="howto/{}-card",
        arguments=_list_sigla,
        assets=("rules.css", "card.css", "card.js"),
    ),
    "howtos": PageKind(rule_list.howtos_view, rule_list.render_howto_list, assets=("rules.css",)),
    "cards": PageKind(indexes.cards_view, indexes.render_card_index, assets=("indices.css",)),
    "amounts": PageKind(indexes.amounts_view, indexes.render_amounts, assets=("indices.css",)),
    "costs": PageKind(costs.costs_view, costs.render_costs, addresses=("cost",), assets=("bars.css", "bars.js")),
    "cost-table": PageKind(
        costs.table_view,
        costs.render_cost_table,
        addresses=("costs",),
        path="costs/{}",
        arguments=_list_cost_tables,
        assets=("bars.css", "bars.js"),
    ),
    "distances": PageKind(
        distances.distances_view,
        distances.render_distances,
        render_print=printed_trees.render_printed_trees,
        assets=("bars.css",),
    ),
    "distance-table": PageKind(distances.distances_view, distances.render_distance_table, assets=("bars.css",)),
    "counsel": PageKind(
        counsel.counsel_view, counsel.render_counsel, addresses=("counsel",), assets=("play-effects.css",)
    ),
    "play-effects": PageKind(
        play_effects.play_effects_view,
        play_effects_page.render_play_effects,
        addresses=("effect",),
        assets=("bars.css", "play-effects.css"),
    ),
    "play-money": PageKind(play_money.compare_money, play_money.render_money_comparison),
    "effect-table": PageKind(
        play_effects.effect_table_view,
        play_effects_page.render_effect_table,
        addresses=("effects",),
        path="play-effects/{}",
        arguments=_list_effect_tables,
        assets=("bars.css", "play-effects.css"),
    ),
    "dictionary": PageKind(survey_columns.dictionary_view, survey_columns.render_dictionary),
    "surveys": PageKind(surveys.survey_views, surveys.render_surveys),
    "reversis-rates": PageKind(surveys.reversis_rates_view, surveys.render_reversis_rates),
    "strength": PageKind(strength.strength_view, strength.render_strength_note),
    "exact": PageKind(surveys.exact_view, surveys.render_exact),
    "unsurveyed": PageKind(surveys.unsurveyed_view, surveys.render_unsurveyed),
    "policies": PageKind(surveys.policies_view, surveys.render_policies),
}
