"""The whole edition in every form, exported once for all tests that read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from edition.cli import export
from edition.corpus.corpus import Corpus
from edition.export.formats import list_export_formats
from edition.game import UnreadExtras
from reversis.game import GAME
from rulebook.model import Library
from tests.support.pages import build_corpus


@pytest.fixture(scope="session")
def real(library: Library) -> Corpus:
    return build_corpus(library, game=GAME, extras=UnreadExtras(GAME, library))


@pytest.fixture(scope="session")
def exported(real: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every format in its folder, as `reversis export all` leaves them."""
    folder = tmp_path_factory.mktemp("exported") / "out"
    export.place_export_files(folder, export.build_export_files(list_export_formats(GAME), real, "", apart=True))
    return folder
