"""Pages of the edition with its game: the views and renderers of all their kinds."""

from __future__ import annotations

from edition.views.page_kinds import get_page_kinds
from reversis.game import GAME

ALL_VIEWS = {kind: page.view for kind, page in get_page_kinds(GAME).items()}
ALL_RENDERERS = {kind: page.render for kind, page in get_page_kinds(GAME).items()}
