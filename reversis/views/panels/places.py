"""Panels of this game, by their place on a page of the edition."""

from __future__ import annotations

from collections.abc import Mapping

from edition.game import Panel
from reversis.views.panels import alternative, findings, prices, question, receipt, source, topic, validation
from reversis.views.surveys.finding_ranges import finding_ranges_view, render_finding_ranges
from reversis.views.surveys.strength import render_miniature_summary, render_strength_summary

_CHOICE = "leaves players a choice. We list them all, and you can settle a deal by each"

PANELS: Mapping[str, Mapping[str, Panel]] = {
    "alternative": {
        "effect": Panel(alternative.view_effect, alternative.render_effect),
        "money": Panel(alternative.view_money, alternative.render_money),
    },
    "doubts": {"largest": Panel(alternative.view_largest, alternative.render_largest)},
    "home-book": {"rules": Panel(source.view_rules_link, source.render_rules_link)},
    "home-readings": {"choice": Panel(lambda corpus, _: _CHOICE)},
    "home-findings": {"costliest": Panel(findings.find_costliest_question, findings.render_costliest)},
    "answers": {"dearest": Panel(prices.view_dearest, prices.render_dearest)},
    "answer-measure": {"money": Panel(prices.view_money_effect)},
    "answer-prices": {"money": Panel(prices.view_prices)},
    "proof": {
        "findings": Panel(finding_ranges_view, render_finding_ranges),
        "strength": Panel(receipt.view_strength, render_strength_summary),
        "miniature": Panel(receipt.view_miniature, render_miniature_summary),
    },
    "proof-kind": {"play": Panel(receipt.view_proof_kind)},
    "validation": {"play": Panel(validation.view_play_checks)},
    "question": {"changes": Panel(question.view_answer_effects, question.render_answer_effects)},
    "sentence": {source.SENTENCE_DEALS: Panel(source.view_sentence_deals, source.render_sentence_deals)},
    "sentence-notes": {"counsel": Panel(source.view_tried_counsel, source.render_tried_counsel)},
    "source": {"plays": Panel(source.view_draft_play, source.render_draft_play)},
    "source-links": {"rules": Panel(source.view_rules_link, source.render_rules_link)},
    "source-further-links": {"costs": Panel(source.view_costs_link, source.render_costs_link)},
    "source-head": {"share": Panel(source.view_own_share, source.render_own_share)},
    "source-notes": {"sums": Panel(source.view_foreign_sums, source.render_foreign_sums)},
    "topic": {"": Panel(topic.view_payments, topic.render_payments)},  # the list of ways names its events
    "topic-end": {"Example deals": Panel(topic.view_deals, topic.render_topic_deals)},
}
