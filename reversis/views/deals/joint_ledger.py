"""Joint ledger of a deal on its page: one table whose columns are the books."""

from __future__ import annotations

from collections.abc import Mapping

from edition.nodes.components import SourceMark
from edition.views.layout import Nodes
from edition.views.play.joint_table import render_joint_table
from reversis.words.deal_views import DealView
from reversis.words.joint_ledger import build_joint_ledger


def render_joint_ledger(view: DealView, marks: Mapping[str, SourceMark]) -> Nodes:
    """Render the joint ledger of a deal."""
    columns = [marks[ledger.source] for ledger in view.ledgers]
    return render_joint_table(view, build_joint_ledger(view), columns, f"reversis run {view.id}")
