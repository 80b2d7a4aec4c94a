"""All problems of a library: what cannot be read, and what does not hold though it can."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from edition.corpus.corpus import Corpus, list_library_ids
from edition.corpus.load import find_stray_files, read_corpus_checked
from rulebook.agreement.report import check_codings
from rulebook.checks.sense import find_senseless_entries
from rulebook.io.digests import find_broken_digests
from rulebook.problems import Problem
from rulebook.receipts import RECEIPTS_FOLDER
from rulebook.sources.paths import find_sources


def find_all_problems(root: Path | None = None) -> tuple[Corpus | None, list[Problem]]:
    """Read a library; return it with everything that is wrong with it."""
    root = root or find_sources()
    corpus, problems = read_corpus_checked(root)
    further = find_problems_in_results(corpus) if corpus else find_stray_files(root)
    return corpus, sorted({*problems, *further})


def find_problems_in_results(corpus: Corpus) -> Iterator[Problem]:
    """Yield what is wrong though all can be read: strange files, figures that are old, results that nobody expects."""
    library, root = corpus.library, Path(corpus.library.root)
    yield from find_stray_files(root)
    yield from find_changed_results(root, f"{RECEIPTS_FOLDER}/*.json", "the command in it")
    yield from find_senseless_entries(library, dict(list_library_ids(library)))
    yield from check_codings(library)
    yield from corpus.game.check(corpus)


def find_changed_results(root: Path, pattern: str, program: str) -> Iterator[Problem]:
    """Check that files are as a program wrote them, by the digests in them."""
    yield from find_broken_digests(root.glob(pattern), root, f"take back the change, or write it again: {program}")
