"""Components that every template of the game may call: books, cards, counters and figures in words or as nodes.

A page adds its own components. What a template only words stays in the template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from edition.nodes.builders import card_signs
from edition.nodes.components import status_marks
from edition.nodes.templates import Renderer, template_renderer
from edition.text.typography import use_minus_signs
from edition.views.layout import render_extent
from reversis.findings.costs import POLICY_HEADINGS, format_cost_figure, format_cost_percent
from rulebook.phrases import format_counters, format_signed_sum, join_names, pluralize_counter


def format_number(number: int) -> str:
    """Whole number with a comma before every three digits."""
    return f"{number:,}"


def name_policy(policy: str) -> str:
    """Heading of a way of playing."""
    return POLICY_HEADINGS.get(policy, policy)


_COMPONENTS: Mapping[str, Callable[..., Any]] = {
    "card_signs": card_signs,
    "counters": format_counters,
    "extent": render_extent,
    "figure": format_cost_figure,
    "minus": use_minus_signs,
    "names": join_names,
    "number": format_number,
    "percent": format_cost_percent,
    "plural": pluralize_counter,
    "policy": name_policy,
    "signed_sum": lambda number: use_minus_signs(format_signed_sum(number)),
    "status_marks": status_marks,
}


def page_renderer(name: str, **names: Any) -> Renderer:
    """Return the function that renders a view by the template of a name."""
    return template_renderer("reversis", name, **_COMPONENTS, **names)
