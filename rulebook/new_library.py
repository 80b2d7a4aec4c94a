"""The beginnings of a library: its settings, one question with remarks, and an empty bibliography."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.installing import DISTRIBUTION
from rulebook.io.strict_yaml import quote_for_yaml
from rulebook.library_settings import CITATION_FILE, SETTINGS_FILE
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE
from rulebook.strings import LANGUAGE_TAG_PATTERN, find_unfit_letter, quote_value

_WORKFLOW_FILE = ".github/workflows/pages.yml"
GITIGNORE_FILE = ".gitignore"
#: Licences that a library may be under without further thought, by their SPDX identifiers; the first is the default.
COMMON_LICENCES = ("CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0")


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """Facts known of a library before it has a source."""

    title: str
    languages: Sequence[str]  #: of its sources, in two letters each
    licence: str  #: of texts and data, by its SPDX identifier
    pages: bool = False  #: whether a workflow is to publish its pages


def explain_unfit_library(facts: LibraryFacts) -> str:
    """Explain which fact no library can have; empty where all will do."""
    if not facts.title.strip():
        return "a library needs a title"
    if not facts.languages:
        return "name the language of the sources: fr, de, en"
    for language in facts.languages:
        if not LANGUAGE_TAG_PATTERN.fullmatch(language):
            return f"{quote_value(language)} is no language: write each in two letters, with commas: fr, de, en"
    for what, value in (("title", facts.title), ("licence", facts.licence)):
        if unfit := find_unfit_letter(value):
            return f"the {what} {quote_value(value)} has {unfit.what}: {unfit.way_out}"
    return ""


def render_library_files(facts: LibraryFacts) -> Mapping[str, str]:
    """Render all files of the new library: path below its folder -> content."""
    given = {
        "title": quote_for_yaml(" ".join(facts.title.split())),
        "licence": quote_for_yaml(facts.licence.strip() or COMMON_LICENCES[0]),
        "languages": quote_for_yaml(", ".join(facts.languages)),
    }
    return {
        SETTINGS_FILE: _SETTINGS_TEMPLATE.format(**given),
        "questions/10-first.yaml": _QUESTIONS_TEMPLATE + "".join(_iter_kind_comments()),
        BIBLIOGRAPHY_FILE: _BIBLIOGRAPHY_TEMPLATE,
        CITATION_FILE: _CITATION_TEMPLATE.format(**given),
        GITIGNORE_FILE: _GITIGNORE,
        **({_WORKFLOW_FILE: _WORKFLOW_TEMPLATE.replace("{distribution}", DISTRIBUTION)} if facts.pages else {}),
    }


_SETTINGS_TEMPLATE = """\
# The library: its name, and the words that its pages need. All but the title may be left out.
title: {title}
licence: {licence}         # of texts and data; each source has rights of its own
languages: {languages}     # of the sources; the first is offered for a new one
order: date                # of the sources: date, or siglum
citation: CITATION.cff     # how the edition is cited, in a file beside this one
# tagline: "{{sources}} books, one game"      # the library in a few words; {{sources}} is their number
# subtitle: "{{sources}} books, edited"       # the same on the cover of the book
# example: dice              # a word for which readers search, named in the field for it
# about: What is compared here, in a paragraph for catalogues.
# publisher: the edition of ...
# groups:                            # groups of questions: the word of `group` -> its title; in this order
#   aim: The aim of the game
# affects:                           # what an answer may change: the word of `affects` -> the same in words
#   play: what one may do
# Pages of your own are Markdown: pages/NAME.md. They stand in the navigation, unless they begin with a head that has
# `orphan: true`; index.md, and any other page of the edition, may be replaced by one of that name.
"""

#: What no repository keeps: pages that can be built again, and texts that gave way to others.
_GITIGNORE = """/build/
/.venv/
*/backups/
"""

_QUESTIONS_TEMPLATE = """\
# The questions on which sources are compared: id -> question. A first one to write over, with all that most need.
# Ids stay for ever once others may cite them (Q001, Q002 ...); order and wording may change.
Q001:
  slug: players.number               # a short name for tables and addresses: small letters, digits, dots, hyphens
  asks: How many take part?          # one thing only, and answered by some source
  group: First questions             # questions of a group stand together
  affects: play                      # what the answer changes; `affects` in library.yaml may have words for it
  readings:                          # the answers that there are: word -> what it means
    two: Two take part.
    any-number: Any number may take part.
  short:                             # the same in a table, in at most a few letters
    two: two
    any-number: any
  coding: >-
    What a coder has to look for, in words of no source: count who acts, not who watches.
# depends: "Q002 == two"             # asked only where another answer allows it: ==, != or, of a list, "Q003 has word";
#                                    # several are joined by " and ", or by " or ". Where it does not hold: n/a.
# A question that is not answered by one of a few readings has a measure in place of `readings` and `short`:
#   measure:
#     type: integer
#     min: 1                           # and max, the most
#     unit: minutes                    # what is counted; `smallest`: the smallest counter of each source
# The types that there are; of those with a + the words stand under `of`, each with its meaning, and under `short`:
"""


def _iter_kind_comments() -> Iterator[str]:
    """Yield a line of comment for every kind of answer."""
    for name, kind in LIBRARY_KINDS.items():
        yield f"# {'+' if kind.listed else ' '} {name + ':':<14} {kind.describes}\n"


_CITATION_TEMPLATE = """\
# How the edition is cited. `rulebook release` sets the version and its day; until then it is "not yet released".
cff-version: 1.2.0
message: "Please cite it with its version, and a clause or a question by its id."
title: {title}
type: dataset
version: 0.1.0
authors:                   # people have family-names and given-names, a group has a name
  - name: "The contributors"
license: {licence}
"""

_BIBLIOGRAPHY_TEMPLATE = """\
% Works that sources and pages cite, in BibTeX. A source names its keys under `bibliography:`.
"""

_WORKFLOW_TEMPLATE = """\
# The edition on the net: checked and built anew from every commit to main, by GitHub Pages. Switch them on once, under
# Settings, Pages, "GitHub Actions". Any other host takes what `rulebook build --base-url ADDRESS` leaves in build/html.
name: Pages
on:
  push:
    branches: [main]
  workflow_dispatch:
permissions: {}
concurrency:
  group: pages
jobs:
  build:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pages: read
    steps:
      - id: pages
        uses: actions/configure-pages@983d7736d9b0ae728b81ab479565c72886d7745b  # v5.0.0
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683  # v4.2.2
      - uses: actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065  # v5.6.0
        with:
          python-version: "3.11"
      - run: python -m pip install -q {distribution}
      - run: rulebook check
      - run: rulebook build --base-url "${{ steps.pages.outputs.base_url }}"
      - uses: actions/upload-pages-artifact@56afc609e74202658d3ffba0e8f6dda462b719fa  # v3.0.1
        with:
          path: build/html
  publish:
    needs: build
    runs-on: ubuntu-latest
    permissions:
      pages: write
      id-token: write
    environment:
      name: github-pages
    steps:
      - uses: actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e  # v4.0.5
"""
