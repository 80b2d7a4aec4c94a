"""The edition with its game: all kinds of its pages, and a corpus that knows the game."""

from __future__ import annotations

from functools import partial

from edition.corpus import corpus
from edition.views.page_kinds import get_page_kinds
from reversis.game import GAME

ALL_VIEWS = {kind: page.view for kind, page in get_page_kinds(GAME).items()}
ALL_RENDERERS = {kind: page.render for kind, page in get_page_kinds(GAME).items()}
build_corpus = partial(corpus.build_corpus, game=GAME)
