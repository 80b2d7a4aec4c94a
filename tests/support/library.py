"""An invented library for tests: two sources, three questions, all in order."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from rulebook.agreement.statistics import recompute
from rulebook.checks.registry import register_new_ids
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.sources.assemble import assemble_library
from rulebook.sources.assembled_library import AssembledLibrary

QUESTIONS = """\
Q001:
  slug: toll.payee
  asks: Who is paid the toll?
  group: The toll
  affects: payment
  readings:
    leader: He who led.
    taker: He who takes the trick.
    nobody: Nobody.
  short:
    leader: whoever led
    taker: whoever takes the trick
    nobody: nobody
  coding: Code who is named.
Q002:
  slug: toll.amount
  asks: How much is the toll?
  group: The toll
  affects: payment
  measure: {type: integer, unit: smallest, min: 0}
  coding: In smallest units.
  depends: "Q001 != nobody"
  related: [Q001]
Q003:
  slug: toll.tricks
  asks: In which tricks is it paid?
  group: The toll
  affects: payment
  measure: {type: tricks}
  coding: From the first, or from the last.
"""

#: Q005 is asked of two things alike: its condition names the one, and the other is only related.
ASKED_OF_BOTH = """\
Q004:
  slug: fee.payee
  asks: Who is paid the fee?
  group: The fee
  affects: payment
  readings: {leader: He who led., nobody: Nobody.}
  short: {leader: whoever led, nobody: nobody}
  coding: Code who is named.
Q005:
  slug: fee.claimed
  asks: Must toll and fee be claimed?
  group: The fee
  affects: payment
  readings: {claimed: They must., unasked: They need not.}
  short: {claimed: must be claimed, unasked: paid unasked}
  coding: Of both.
  depends: "Q001 == leader or Q004 == leader"
"""

RECORD = """\
siglum: {siglum}
title: A book of tolls
short_title: Tolls
language: {language}
family: tolls
date: "1700"
date_certainty: invented
short_name: Tolls {siglum}
short_date: in 1700
place: null
exemplar: invented
shelfmark: invented
rights: {{text: public domain, encoding: CC BY 4.0, translation: CC BY 4.0}}
units: {{smallest: jeton, multiples: {{}}}}
coders:
  - {{id: ed1, role: all}}
images_seen: false
image_link: null
introduction: Invented for the tests.
bibliography: []
"""

HEADER = """<teiHeader xml:lang="en"><fileDesc><titleStmt><title>Tolls</title>
<respStmt xml:id="ed1"><resp>all</resp><name>editorial pass 1</name></respStmt></titleStmt>
<publicationStmt><publisher>us</publisher>
<availability><licence target="https://example.org/">CC BY 4.0</licence></availability></publicationStmt>
<sourceDesc><p>made up</p></sourceDesc></fileDesc>
<encodingDesc><editorialDecl><correction><p>nothing was mended</p></correction></editorialDecl></encodingDesc>
<profileDesc><langUsage>
<language ident="fr">French</language><language ident="en">English</language></langUsage></profileDesc>
</teiHeader>"""

TEXT = f"""<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="AAA" xml:lang="fr">
{HEADER}
<text><body><div>
<head><s xml:id="AAA.s0001">Du péage.</s></head>
<p><s xml:id="AAA.s0002">Celui qui mene reçoit deux jetons de chacun.</s>
<s xml:id="AAA.s0003">On le paye <choice><sic>doble</sic><corr xml:id="AAA.e01" resp="#ed1" cert="high"
  evidence="internal">double</corr></choice> dans la premiere levée, et double dans la derniere levée.</s></p>
</div></body></text></TEI>
"""

ENGLISH = f"""<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="AAA-en" xml:lang="en">
{HEADER}
<text><body><div>
<head><s corresp="text.xml#AAA.s0001">Of the toll.</s></head>
<p><s corresp="text.xml#AAA.s0002">He who leads is given two jetons by each.</s>
<s corresp="text.xml#AAA.s0003">It is paid twice in the first trick, and twice in the last.</s></p>
</div></body></text></TEI>
"""


def sealed(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


S2 = sealed("Celui qui mene reçoit deux jetons de chacun.")
S3 = sealed("On le paye doble dans la premiere levée, et double dans la derniere levée.")
N1 = sealed("Whoever leads is paid. pays the leader")

CLAUSES = f"""\
# A comment that must survive.
- id: AAA.c001
  cites:
    - locus: AAA.s0002
      exact: "Celui qui mene reçoit deux jetons"   # the words
      seen: {S2}
  answers:
    Q001: leader        # toll.payee
    Q002: 2             # toll.amount
  status: stated
  cert: high
  coder: ed1
- id: AAA.c002
  cites:
    - {{locus: AAA.s0003, exact: "levée", prefix: premiere, seen: "{S3}"}}
  answers:
    toll.tricks: [1, -1]
  status: ambiguous
  cert: medium
  coder: ed1
  label: first and last
  because: Both are named.
  computation: premiere levée = 1, derniere = -1
  rivals:
    - id: AAA.i01
      label: the first alone
      answers: {{Q003: [1]}}
      because: The last may be advice.
  options:
    - id: AAA.o01
      label: nobody at all
      exact: "dans la derniere"
      answers: {{Q001: nobody}}
"""

STATEMENTS = f"""\
- id: BBB.n01
  section: Tolls
  text: Whoever leads is paid.
  quote: "pays the leader"
  quote_hash: {sealed("pays the leader")}
- id: BBB.n02
  section: Tolls
  text: It ends there.
"""

SPOKEN = f"""\
- id: BBB.c001
  cites:
    - {{locus: BBB.n01, exact: "the leader", seen: "{N1}"}}
  answers: {{Q001: nobody}}
  status: implied
  cert: low
  coder: ed1
- id: BBB.c002
  status: silent
  searched: BBB.n01-BBB.n02
  answers: {{Q003: []}}
  taken_from: AAA
  because: It must be something.
  cert: low
  coder: ed1
- id: BBB.c003
  status: inapplicable
  on: [Q002]
  because: Nobody is paid.
  cert: high
  coder: ed1
"""

AAA_NOTES = """\
- {id: AAA.note01, on: AAA.e01, kind: emendation, by: ed1, text: A letter is missing.}
"""
BBB_NOTES = """\
- {id: BBB.note01, on: BBB.n01, kind: commentary, by: ed1, text: Odd.}
"""

FILES = {
    "questions/10.yaml": QUESTIONS,
    "AAA/source.yaml": RECORD.format(siglum="AAA", language="fr"),
    "AAA/text.xml": TEXT,
    "AAA/en.xml": ENGLISH,
    "AAA/clauses.yaml": CLAUSES,
    "AAA/notes.yaml": AAA_NOTES,
    "BBB/source.yaml": RECORD.format(siglum="BBB", language="en")
    + "quotation_cap: {words_each: 5, share_of_page: 0.10, page_words: 80}\n",
    "BBB/statements.yaml": STATEMENTS,
    "BBB/clauses.yaml": SPOKEN,
    "BBB/notes.yaml": BBB_NOTES,
    "AAA/deals/one.yaml": "deal: one\n",
    "deals/two.yaml": "deal: two\n",
}


def write_library(folder: Path, deals: bool = True) -> Path:
    """Write the files into a folder, with worked deals that are mere names or without; the folder of sources."""
    for name, text in FILES.items():
        if deals or "deals/" not in name:
            path = folder / "sources" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return folder / "sources"


#: What the small library leaves out.
FURTHER_FILES = {
    "library.yaml": "title: Tolls\ngame: reversis\n",
    "spelling.yaml": "version: 1\nletters:\n  ſ: s\nwords:\n  fr: {doble: double, premiere: première}\n",
    "glossary.yaml": "- id: g-toll\n  term: péage\n  lang: fr\n  english: toll\n  definition: What is paid.\n"
    "  forms: [péage, peage]\n  attestations: [AAA.s0001]\n",
    "tombstones.yaml": "- {id: AAA.c009, on: '2025-01-31', why: It was AAA.c001., see: [AAA.c001]}\n",
    "bibliography.bib": "@misc{toll, author = {Anon, A.}, title = {A {Book} of Tolls}, year = {1700}}\n",
    "AAA/coverage.yaml": "AAA.s0001:\n  kind: heading\nAAA.s0002:\n  kind: encoded\n  questions: [Q001, Q002]\n"
    '  residue: "de chacun."\n  because: Nobody else is there.\nAAA.s0003:\n  kind: encoded\n  questions: [Q003]\n'
    '  residue: "On le paye doble dans la premiere … et double dans la derniere levée."\n  because: Said twice.\n',
    "BBB/coverage.yaml": "BBB.n01:\n  kind: encoded\n  questions: [Q001]\n"
    "BBB.n02:\n  kind: narrative\n  because: It only ends.\n",
    "registry.yaml": "clauses: [AAA.c009]\n",
    "AAA/coding-ed1.yaml": "Q001: {status: stated, answer: leader}\nQ002: {status: stated, answer: 2}\n"
    "Q003: {status: ambiguous, answer: [1, -1]}\n",
    "AAA/coding-ed2.yaml": "Q001: {status: stated, answer: leader}\nQ002: {status: stated, answer: 3, cert: low}\n"
    "Q003: {status: implied, answer: [1, -1], because: Both.}\n",
    "AAA/settled.yaml": "- question: Q002\n  first: {status: stated, answer: 2}\n"
    "  second: {status: stated, answer: 3}\n  kept: first\n  why: Two are printed.\n  procedure: unchanged\n",
}


def collect_full_library(deal: Mapping[str, object]) -> dict[str, str]:
    """The files of a library in every part that there can be; its only deal is one of ours."""
    one = {**deal, "deal": "one", "cites": ["AAA.s0002"], "expect": {"AAA": {"reasoning": "Nothing comes of it."}}}
    kept = {name: letters for name, letters in FILES.items() if "deals/" not in name}
    return {**kept, **FURTHER_FILES, "deals/one.yaml": yaml.safe_dump(one, allow_unicode=True, sort_keys=False)}


def write_full_library(root: Path, deal: Mapping[str, object]) -> Path:
    """Write such a library, with its ids registered and its agreement counted."""
    for name, letters in collect_full_library(deal).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(letters, encoding="utf-8", newline="\n")
    register_new_ids(root)
    recompute(loaded(root))
    return root


SILENT = f"""\
- id: BBB.c001
  cites:
    - {{locus: BBB.n01, exact: "the leader", seen: "{N1}"}}
  answers: {{Q001: leader}}
  status: implied
  cert: low
  coder: ed1
- id: BBB.c002
  status: silent
  searched: BBB.n01-BBB.n02
  answers: {{Q002: 2, Q003: [1, -1]}}
  taken_from: AAA
  because: It must be something.
  cert: low
  coder: ed1
"""
NINE = ("AAA", "BBB", "CCC", "DDD", "EEE", "FFF", "GGG", "HHH", "III")
NEARLY_SILENT = ("HHH", "III")  #: of the nine


def write_nine_sources(folder: Path) -> Path:
    """The library with seven sources more; two of the nine say one thing each. Some ask for a colour, some do not."""
    root = write_library(folder, deals=False)
    for siglum in NINE[2:]:
        for name in ("source.yaml", "statements.yaml", "notes.yaml", "clauses.yaml"):
            text = SILENT if name == "clauses.yaml" and siglum in NEARLY_SILENT else FILES[f"BBB/{name}"]
            path = root / siglum / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.replace("BBB", siglum), encoding="utf-8", newline="\n")
    for siglum, slot in (("BBB", 5), ("GGG", 1)):
        with (root / siglum / "source.yaml").open("a", encoding="utf-8", newline="\n") as record:
            record.write(f"colour: {slot}\n")
    return root


def write_three_sources(folder: Path) -> Path:
    """The library with a third source, without deals and works."""
    root = write_library(folder, deals=False)
    (root / "CCC").mkdir()
    for name in ("source.yaml", "statements.yaml", "notes.yaml", "clauses.yaml"):
        (root / "CCC" / name).write_text(FILES[f"BBB/{name}"].replace("BBB", "CCC"), encoding="utf-8", newline="\n")
    (root / "bibliography.bib").write_text("", encoding="utf-8")
    return root


def corpus_of(root: Path) -> Corpus:
    """The edition of a library of which nothing is told."""
    corpus, problems = read_corpus_checked(root)
    assert corpus is not None, problems
    return corpus


def assembled(root: Path) -> AssembledLibrary:
    """The library in a folder of which every file can be read."""
    case, unread = assemble_library(root)
    assert case is not None and not unread, "\n".join(map(str, unread))
    return case


def loaded(root: Path) -> Library:
    """The library in a folder, whatever is told of it."""
    library, problems = load_library(root)
    assert library is not None, "\n".join(map(str, problems))
    return library


def opened(root: Path) -> Library:
    """The library in a folder, of which nothing is told."""
    library, problems = load_library(root)
    assert library is not None and problems == [], "\n".join(map(str, problems))
    return library


def changed(root: Path, name: str, old: str, new: str) -> None:
    """Exchange words in one file; they must stand there once."""
    text = (root / name).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
    (root / name).write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def place(root: Path, name: str, needle: str) -> tuple[str, int, int]:
    """File, line and column of the first place where some words stand."""
    before, found, _ = (root / name).read_text(encoding="utf-8").partition(needle)
    assert found, f"{needle!r} does not stand in {name}"
    return f"sources/{name}", before.count("\n") + 1, len(before) - before.rfind("\n")


@contextmanager
def restoring(root: Path) -> Iterator[Path]:
    """A folder that is as it was afterwards: sooner than a copy for every test."""
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    folders = {one for path in before for one in path.parents}
    try:
        yield root
    finally:
        for path in [*root.rglob("*")]:
            if path.is_file() and path not in before:
                path.unlink()
            elif path.is_dir() and path not in folders:
                shutil.rmtree(path)
        for path, octets in before.items():
            if not path.is_file() or path.read_bytes() != octets:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(octets)


def with_extras(corpus: Corpus, **extras: Any) -> Corpus:
    """Return a corpus for which readers of its game have read something else."""
    return replace(corpus, extras={**corpus.extras, **extras})
