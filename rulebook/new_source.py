"""The beginnings of a new source: a folder that checks cleanly at once, and says itself what to do next."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from rulebook.answers.typed import describe_answer_form
from rulebook.answers.wording import describe_measure
from rulebook.io.files import RESERVED_FOLDERS, is_device
from rulebook.io.strict_yaml import quote_for_yaml
from rulebook.model import SHORT_DATE_LENGTH, SHORT_NAME_LENGTH, STANDINGS, Question
from rulebook.strings import LANGUAGE_TAG_PATTERN, find_unfit_letter, quote_value

_COMMENT_WIDTH = 118  #: letters in a line of comment


PUBLIC_DOMAIN, COPYRIGHT_HELD = "public domain", "in copyright"
_UNKNOWN_COUNTER = "counter"  #: no source's own word
_LEFT_OVER = re.compile("Not (?:stated|told|written) yet")  #: how words begin that are to be replaced


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts known of a source before it has been read."""

    siglum: str
    title: str
    short_title: str
    language: str
    date: str
    place: str = ""
    author: str = ""
    exemplar: str = ""
    unit: str = ""
    coder: str = "first coder"
    rights: str = ""  #: of the text; empty where nobody has said

    @property
    def in_copyright(self) -> bool:
        """A text that may not be reprinted: the source is given in statements."""
        return self.rights == COPYRIGHT_HELD


def explain_unfit_siglum(siglum: str, taken: Iterable[str], language: str = "fr") -> str:
    """Explain why a source cannot have this siglum or language; empty where it can."""
    if not LANGUAGE_TAG_PATTERN.fullmatch(language):
        return f"{quote_value(language)} is no language: write it in two letters, fr, de, en"
    if not re.fullmatch(r"[A-Z]{2,6}", siglum):
        return f"{quote_value(siglum)} is no siglum: take two to six capital letters, like ABC"
    if is_device(siglum):
        return f"{siglum} is no siglum: Windows keeps the name for a device; take another"
    if siglum.casefold() in RESERVED_FOLDERS:
        return f"{siglum} is no siglum: a library has another folder of that name; take another"
    return f"{siglum} is taken" if siglum in {*taken} else ""


def explain_unfit_facts(facts: Facts) -> str:
    """Explain which fact no file can hold; empty where all can be written down."""
    for name, value in asdict(facts).items():
        if unfit := find_unfit_letter(value):
            return f"{name.replace('_', '-')} {quote_value(value)} has {unfit.what}: {unfit.way_out}"
    return ""


def render_source_files(
    facts: Facts, questions: Iterable[Question], program: str, schemas: bool = False
) -> Mapping[str, str]:
    """Render all files of the new folder, which name the program that reads them: name -> content.

    Where the library has *schemas*, each file names its own, by which editors complete it.
    """
    words = {"statements.yaml": _STATEMENTS_TEMPLATE} if facts.in_copyright else {"text.txt": _TEXT_TEMPLATE}
    laid = {
        "source.yaml": source_yaml(facts),
        "clauses.yaml": clauses_yaml(facts.siglum, [*questions], program),
        "notes.yaml": f"{_wrap_comment(_NOTES_COMMENT)}[]\n",
        **words,
    }
    blanks = {"{siglum}": facts.siglum, "{program}": program}
    for blank, word in blanks.items():
        laid = {name: text.replace(blank, word) for name, text in laid.items()}
    return {name: _render_modeline(name) + text if schemas else text for name, text in laid.items()}


def _render_modeline(name: str) -> str:
    kind, _, ending = name.partition(".")
    return f"# yaml-language-server: $schema=../schema/{kind}.schema.json\n" if ending == "yaml" else ""


# ---- the record of the source
def source_yaml(facts: Facts) -> str:
    """The bibliographic record, with a comment on everything that is to be filled in."""
    given = {
        "siglum": facts.siglum,
        "title": quote_for_yaml(facts.title),
        "short_title": quote_for_yaml(facts.short_title),
        "short_name": quote_for_yaml(facts.short_title if len(facts.short_title) <= SHORT_NAME_LENGTH else ""),
        "short_date": quote_for_yaml(facts.date if len(facts.date) <= SHORT_DATE_LENGTH else ""),
        "author": quote_for_yaml(facts.author),
        "language": quote_for_yaml(facts.language),
        "date": quote_for_yaml(facts.date),
        "place": quote_for_yaml(facts.place) if facts.place else "null",
        "exemplar": quote_for_yaml(facts.exemplar or "Not stated yet: which copy was read, or which pictures of it?"),
        "text_rights": facts.rights or '"Not stated yet: public domain, or in copyright?"',
        "translation": "null" if facts.in_copyright else "CC BY 4.0",
        "unit": quote_for_yaml(facts.unit.strip() or _UNKNOWN_COUNTER),
        "coder": quote_for_yaml(facts.coder),
        "cap": _CAP_TEMPLATE if facts.in_copyright else "",
    }
    return _SOURCE_TEMPLATE.format(**given)


def list_left_over(record: Mapping[str, object], within: str = "") -> Iterator[str]:
    """List the entries of a record that still have the words with which it was begun."""
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from list_left_over(value, f"{within}{key}.")
        elif isinstance(value, str) and _LEFT_OVER.match(value):
            yield f"{within}{key}"


# ---- the questions
def clauses_yaml(siglum: str, questions: Sequence[Question], program: str) -> str:
    """Every question in the order of the contents, not collated yet, with what a coder has to look for."""
    closed = next((question for question in questions if question.readings), None)
    example = f"{{{closed.id}: {next(iter(closed.readings))}}}" if closed else "{Q001: the-answer}"
    standings = ", ".join(kind for kind in STANDINGS if kind != "encoded")
    rows = [_wrap_comment(_CLAUSES_COMMENT.replace("{example}", example).replace("{standings}", standings))]
    for group, some in groupby(
        (question for question in questions if not question.by), key=lambda question: question.group
    ):
        rows.append(f"\n# ==== {group}\n")
        rows += [_render_clause(siglum, question) for question in some]
    return "\n".join(rows).replace("{siglum}", siglum).replace("{program}", program)


def _render_clause(siglum: str, question: Question) -> str:
    advice = _wrap_comment("\n".join(_iter_coding_advice(question)))
    return advice + _UNREAD_TEMPLATE.format(siglum=siglum, number=question.id[1:], id=question.id)


def _iter_coding_advice(question: Question) -> Iterator[str]:
    yield f"{question.id} {question.slug}: {question.asks}"
    for name, gloss in question.readings.items():
        yield f"  {name}: {gloss}"
    if not question.readings:
        yield f"  answered by: {describe_measure(question)}; written: {describe_answer_form(question)}"
    if question.coding:
        yield f"  {question.coding}"
    if question.depends:
        yield f"  Asked only where: {question.depends}"


def _wrap_comment(words: str) -> str:
    """Wrap words as comments, none too wide."""
    lines = []
    for line in words.strip("\n").split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        lines += textwrap.wrap(line, _COMMENT_WIDTH - 2, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


# ---- what stands in the files
_SOURCE_TEMPLATE = """\
# The record of the source. Everything here is shown on its page; fill it in as you learn it.
siglum: {siglum}
title: {title}
short_title: {short_title}
short_name: {short_name}             # on its chip and over its column, at most 24 characters
short_date: {short_date}             # beside that name, at most 20 characters: "probably 1780s"
# colour: 5                # a slot of the palette, 1 to 8, for colour and shape; left out, the first that is free
author: {author}             # "" where it is not known
language: {language}             # fr, de, en, it, es, nl ...: the two letters of the language
# A translation is the file en.xml beside text.xml: a copy of it, in which corresp="text.xml#{siglum}.s0001" stands in
# place of xml:id="{siglum}.s0001", and so on. Until there is one (a text in English needs none) the source is a draft.
draft: true                # its ids may still change; take this line out when others may cite them
family:
  # Sources that share an ancestor: they count as one witness wherever books are counted. It is no genre. A source alone
  # has a family of its own; one that is "not placed yet" counts as none. Below it may stand `certainty:` and `note:`.
  name: "not placed yet"
date: {date}
date_certainty: "Not stated yet: how do you know?"
place: {place}
exemplar: {exemplar}
# address, accessed, digitised: where you read it on the web, on which day, and who put it there
rights:
  text: {text_rights}
  encoding: CC BY 4.0
  translation: {translation}
{cap}units:
  smallest: {unit}         # the counter in which every sum is given
  multiples: {{}}            # what the others are worth in it: {{fiche: 10}}
# numbers: {{undici: 11}}    # its own words for numbers, where `{{program}} check` does not know them
coders:
  - id: ed1
    role: {coder}
images_seen: false         # true once pictures of the pages were compared
image_link: null           # where they can be seen: "https://..."
# images:                  # page images on the web, of this or another copy, seen or not; never a guessed address
#   - {{address: "https://...", shows: "pp. 5 to 9", holder: "whose copy", found: "by search, on ..."}}
# iiif_manifest: "https://.../manifest.json"
# breaks_off: "In the middle of {siglum}.s0017; the rest, p. 88, was not consulted."    # if your copy stops
# begins_late: "Before {siglum}.s0001; the opening, p. 86, was not consulted."          # if it begins after the opening
introduction: >-
  Not written yet.
bibliography: []           # keys of bibliography.bib
"""

_CAP_TEMPLATE = """\
quotation_cap:             # how much of a text in copyright is quoted at most
  words_each: 25
  share_of_page: 0.1
  page_words: 3000
"""

_CLAUSES_COMMENT = """\
What {siglum} says, question by question. Below stands every question of the edition, marked as not collated.
To answer one, put the words of the source in the place of `on:`, `because:` and the status:

  - id: {siglum}.c002
    cites:
      - locus: {siglum}.s0003
        exact: "some words of that sentence, letter for letter"
    answers: {example}
    status: stated
    cert: high
    coder: ed1

In a spreadsheet: `{program} sheet {siglum} --out answers.csv`, and `--read answers.csv --write` brings it back.
`{program} cite {siglum} "some words"` finds the words and prints the lines under `cites:`.
`{program} check` reports what is wrong, and how to correct it.
Where the source says nothing: status silent, with `searched:`, the sentences read through for it, from the first to
the last: {siglum}.s0001-{siglum}.s0009. An answer that is needed all the same may be supplied, with
`taken_from:` and `because:`. What depends on a silence is silent too.
Where an answer of the source itself rules a question out: inapplicable, with `because:`.
Where the source itself offers a choice, its clause has the other way as well (the sheet has no cells for it):
    options:
      - {id: {siglum}.o01, label: a few words, answers: {example}, exact: "the words that offer it"}
Where no reading, or no question, fits what the source says: propose one in `proposed.yaml`.
What becomes of every sentence stands in `coverage.yaml`, which you begin when the answers are in: `{program} check
--coverage {siglum}` lists what no answer quotes. {siglum}.s0002, a sentence from which no answer follows, has there
`kind:` ({standings}) and `because:`; words that no quotation covers have `residue:` and `because:`.
"""

_UNREAD_TEMPLATE = """\
- id: {siglum}.c{number}
  on: [{id}]
  because: Not read for this question yet.
  status: not-collated
  cert: low
  coder: ed1
"""

_NOTES_COMMENT = """\
Remarks on sentences, one item each:

  - id: {siglum}.note01
    on: {siglum}.s0001
    kind: commentary
    by: ed1
    text: What a reader should know here.

When you write the first, take out the [] below.
"""

_TEXT_TEMPLATE = """\
% Paste the transcription below, and delete these lines or leave them: a line that begins with % is no part of the text.
%   [p. 5]       page 5 begins here, in a line of its own or within one; [p. [5]] where the page bears no number;
%                [p. New York 1830, 124] where what follows is from another printing
%   # A heading  a chapter begins; an empty line ends a paragraph
%   a line- end  a hyphen at the end of a line joins the word again
%   Art.~3       ~ is a space behind a stop that ends no sentence;  ||  parts two sentences that nobody would part
%   [... torn]   something is missing here, and why; also before a page mark, where pages are left out
%   [teh > the]  a misprint: as it is printed, and what is meant; its reason goes into notes.yaml
% Then: {program} import-text {siglum}
"""

_STATEMENTS_TEMPLATE = """\
# What {siglum} says, in your own words, one point of rule each: the text is in copyright and is not reprinted.
- id: {siglum}.n01
  section: "Not stated yet"
  text: >-
    Nothing has been taken from this source yet.
"""
