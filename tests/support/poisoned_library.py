"""A library in whose every text somebody has put what a careless edition would obey."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from lxml import etree

from rulebook.agreement.statistics import FIGURES_FILE, recompute
from rulebook.checks.fingerprints import stamp_fingerprints
from rulebook.checks.registry import register_new_ids
from rulebook.io.strict_yaml import Steps, read_yaml
from rulebook.load import load_library
from tests.support.library import changed, collect_full_library, sealed
from tests.support.places import DATA

DEAL = DATA / "pam-quinola-forced-opposite-last.yaml"

#: For browsers, templates, Markdown, reStructuredText, CDATA, TeX and Typst; the letters tell where it was put.
TAME = (
    " zq{n}z <script>alert({n})</script><x-evil onclick=alert({n})>'\"><img src=x onerror=alert({n})>]]>--><!-- "
    "```raw html``` [l](javascript:alert({n})) <javascript:alert({n})> `c` **b** *i* |x|_ :raw-html:`<b>` "
    "\\input #panic({n}) $y$ &lt;i&gt; \\ qz"
)
FULL = TAME.replace(" qz", " {{{{ cycler.__init__ }}}} {{% raw %}} {{eval-rst}} {{edition:deal}}`x` qz")
LETTERS = "bdfghjkpvw"  #: for the figures of a number: figures would be taken for numbers of the source
TOKEN = re.compile(f"zq([{LETTERS}]+)z")
SEAT = "west <script>alert(7)</script><x-evil>"
COUNTER = "fiche <script>alert(8)</script><x-evil>"

SESSION = """\
session: evening
title: An evening
provenance: constructed
cites: [AAA.s0002]
note: A note.
seats: [south, east, north, west]
dealer: west
deals: [one, one]
expect: {AAA: {after: [{}, {}], reasoning: Nothing comes of it.}}
"""
TELLING = """\
names:
  counter: {otherwise: the counter, terms: [g-toll]}
two_minutes:
  aim: [Q001]
  groups:
    - {title: In short, lines: [[Q002]]}
  payments: [Q003]
sections:
  - id: toll
    title: The toll
    rules:
      Q001: {readings: {leader: He who led is paid., taker: He who takes., nobody: Nobody.}}
      Q002: {says: It is so much., called: the toll}
      Q003: {says: It is paid in some tricks., join: or}
  - {id: more, title: More, needs: "toll.payee != nobody", rules: {}}
"""
INDICES = """\
common: {fr: [de], en: [the]}
cards:
  - {id: ace, name: Ace, codes: [AH], words: {fr: [as]}}
names:
  - {id: chacun, name: Chacun, kind: person, forms: [chacun], note: Everybody.}
filler: [who]
synonyms: [[toll, due]]
asked: {Q001: [who gets the toll]}
"""
PRINTED = """\
- {id: AAA.p01, locus: AAA.s0002, exact: deux, says: 2, what: jetons, reckon: "Q002", remark: Two.}
"""
MORE_QUESTIONS = """\
Q004:
  slug: toll.order
  asks: In which order is it paid?
  group: The toll
  affects: payment
  measure: {type: order, of: {first: He who is first., last: He who is last.}, short: {first: one, last: two}}
  coding: In order.
  not_played: Nobody asks.
Q005:
  slug: toll.other
  asks: In which other order?
  group: The toll
  affects: payment
  measure: {type: order, like: Q004}
  coding: In order.
  not_played: Nobody asks.
"""
MORE_CLAUSES = """\
- {{id: {0}.c008, status: not-collated, on: [Q004, Q005], cert: low, coder: ed1, because: Not yet.}}
"""
MORE_COVERAGE = """\
  not_held: [{words: On le paye, what: That it is paid at all., played: Nobody pays., touches: [Q003]}]
"""
SETTINGS = """\
title: Tolls
tagline: "{sources} books of tolls"
subtitle: "{sources} books of tolls, compared"
example: toll
about: What tolls were.
publisher: the tolls edition
licence: CC0-1.0
citation: CITATION.cff
affects: {payment: what is paid}
game: reversis
"""
MORE_RECORD = """\
author: Anon
address: https://example.org/
address_note: It moves.
accessed: "2026-01-01"
accessed_note: In the evening.
digitised: A library.
images:
  - {address: "https://example.org/1", shows: The title., holder: A library., found: By search.}
iiif_manifest: https://example.org/manifest.json
begins_late: At the first word, AAA.s0001.
breaks_off: At the last word, AAA.s0003.
"""
BIBLIOGRAPHY = """\
@misc{toll, author = {Anon <b>, A.}, title = {A Book <script>alert(1)</script>"><x-evil onclick=alert(1)> of Tolls},
  note = {<x-evil>}, annote = {<x-evil>}, year = {1700},
  url = {https://example.org/"><x-evil onclick=alert(2)>}, doi = {"><x-evil>}}
@misc{link, title = {\\href{https://example.org/<x-evil>}{here <x-evil>}}, year = {1701}}
"""

#: Fields that take no words of anybody's own -> what they take instead.
ID, WORD, PLACE, QUOTED, CARD = "an id, or a reference to one", "one of a few words", "a place", "a quotation", "a card"
SHORT = "a few letters"
CLOSED: Mapping[str, str] = {
    "clauses.answers": WORD, "clauses.cert": WORD, "clauses.cites.exact": QUOTED, "clauses.cites.locus": PLACE,
    "clauses.cites.prefix": QUOTED, "clauses.coder": ID, "clauses.computation": "a sum", "clauses.id": ID,
    "clauses.on": ID, "clauses.options.answers": WORD, "clauses.options.exact": QUOTED, "clauses.options.id": ID,
    "clauses.rivals.id": ID, "clauses.searched": PLACE, "clauses.status": WORD, "clauses.taken_from": WORD,
    "coding-ed1.answer": WORD, "coding-ed1.status": WORD, "coding-ed2.answer": WORD, "coding-ed2.status": WORD,
    "coding-ed2.cert": WORD, "coverage.kind": WORD, "coverage.not_held.touches": ID, "coverage.not_held.words": QUOTED,
    "coverage.questions": ID, "coverage.residue": QUOTED,
    "deal.cites": PLACE, "deal.deal": ID, "deal.dealer": "a seat", "deal.hands": CARD, "deal.provenance": WORD,
    "deal.seats": "seats, which are poisoned together", "deal.talon": CARD, "deal.tricks": CARD,
    "en.language_at_ident": WORD, "en.licence_at_target": "an address", "en.respstmt_at_id": ID,
    "en.s_at_corresp": PLACE, "en.tei_at_id": ID, "en.tei_at_lang": WORD, "en.teiheader_at_lang": WORD,
    "glossary.attestations": PLACE, "glossary.id": ID, "glossary.lang": WORD, "glossary.term": QUOTED,
    "indices.cards.codes": CARD, "indices.cards.id": ID, "telling.sections.id": ID,
    "indices.names.forms": QUOTED, "indices.names.kind": WORD,
    "library.game": "a game that is installed", "library.citation": "the name of a file",
    "notes.by": ID, "notes.id": ID, "notes.kind": WORD, "notes.on": PLACE,
    "printed.exact": QUOTED, "printed.id": ID, "printed.locus": PLACE, "printed.reckon": "a sum",
    "question.measure.like": ID, "source.address": "an address", "source.bibliography": ID,
    "source.iiif_manifest": "an address", "source.image_link": "an address", "source.images.address": "an address",
    "question.affects": WORD, "question.depends": "a condition", "question.measure.type": WORD,
    "question.measure.short": SHORT, "question.measure.unit": WORD, "question.related": ID, "question.short": SHORT,
    "question.slug": ID,
    "session.cites": PLACE, "session.dealer": "a seat", "session.deals": ID, "session.provenance": WORD,
    "session.seats": "seats, which are poisoned together", "session.session": ID,
    "settled.first.status": WORD, "settled.kept": WORD, "settled.procedure": WORD, "settled.question": ID,
    "settled.second.status": WORD, "source.coders.id": ID, "source.language": WORD, "source.siglum": ID,
    "source.short_name": "a few characters", "source.short_date": "a few characters",
    "spelling.words": "the same word, as it is spelt today",
    "statements.id": ID, "telling.names.counter.terms": ID,
    "telling.two_minutes.aim": ID, "telling.two_minutes.groups.lines": ID, "telling.two_minutes.payments": ID,
    "telling.sections.needs": ID,
    "text.corr": "the emendation itself", "text.corr_at_cert": WORD, "text.corr_at_evidence": WORD,
    "text.corr_at_id": ID, "text.corr_at_resp": ID, "text.language_at_ident": WORD,
    "text.licence_at_target": "an address", "text.respstmt_at_id": ID, "text.s_at_id": ID,
    "text.s_mended": "words that an account of the sentence counts", "text.sic": "the emendation itself",
    "text.tei_at_id": ID, "text.tei_at_lang": WORD, "text.teiheader_at_lang": WORD,
    "tombstones.id": ID, "tombstones.on": "a day", "tombstones.see": ID,
}  # fmt: skip
TAMED = ("telling",)  #: where braces are gaps that are filled
KINDS = {"questions": "question", "deals": "deal", "sessions": "session"}
WHOLE = "Celui qui mene reçoit deux jetons de chacun."
SEALS = ("seen", "quote_hash")  #: what is reckoned from the words
MADE = ("registry.yaml", FIGURES_FILE)  #: written by programs


@dataclass(frozen=True, slots=True)
class Field:
    """A text in a file, and where it stands there."""

    file: str
    steps: Steps

    @property
    def name(self) -> str:
        """What it is called, without numbers and ids: `clauses.cites.exact`."""
        path = Path(self.file)
        kind = KINDS.get(path.parent.name, path.stem)
        return ".".join(
            [kind, *(step for step in self.steps if isinstance(step, str) and re.fullmatch("[a-z_]+", step))]
        )

    def among(self, names: Mapping[str, str] | tuple[str, ...]) -> bool:
        """Whether it, or the table in which it stands, is named there."""
        return any(self.name == one or self.name.startswith(f"{one}.") for one in names)


def coded(number: int) -> str:
    """A number in letters."""
    return "".join(LETTERS[int(figure)] for figure in str(number))


@dataclass
class Poisoner:
    """A library, and what was put where in it."""

    root: Path
    data: dict[str, Any]  #: what stands in each file of YAML, before
    trees: dict[str, etree._ElementTree]  #: and of XML
    only: Field | None = None  #: the one closed field that is poisoned all the same
    put: dict[str, Field] = field(default_factory=dict)  #: letters -> where they were put
    known: dict[Field, str] = field(default_factory=dict)
    behind: str = ""  #: what was put behind the sentence that is quoted whole

    def words(self, one: Field) -> str:
        """What is put there; nothing where no words of anybody's own are taken."""
        self.known.setdefault(one, coded(len(self.known)))
        if (one != self.only) if self.only else one.among(CLOSED):
            return ""
        self.put[self.known[one]] = one
        return (TAME if one.among(TAMED) else FULL).format(n=self.known[one])

    def write(self) -> None:
        """All files, as they are now."""
        self.put = {}
        for name, tree in self.trees.items():
            letters = etree.tostring(self.with_words(name, tree), encoding="utf-8")
            (self.root / name).write_bytes(letters + b"\n")
        for name, data in self.data.items():
            letters = yaml.safe_dump(self.poisoned(name, data, ()), allow_unicode=True, sort_keys=False)
            (self.root / name).write_text(letters, encoding="utf-8", newline="\n")
        stamp_fingerprints(self.root)
        library, _ = load_library(self.root)
        if library is not None and self.only is None:
            recompute(library)

    def poisoned(self, file: str, data: Any, steps: Steps) -> Any:
        """The same data, with poison behind every text."""
        if isinstance(data, dict):
            found = {key: self.poisoned(file, one, (*steps, key)) for key, one in data.items() if key not in SEALS}
            if found.get("exact") == WHOLE:
                found["exact"] += self.behind
            if "attestations" in found:
                found["forms"] = [data["term"], *found["forms"]]  # one that stands in the sentence
            return found | ({"quote_hash": sealed(found["quote"])} if "quote" in found else {})
        if isinstance(data, list):
            return [self.poisoned(file, one, (*steps, at)) for at, one in enumerate(data)]
        return data + self.words(Field(file, steps)) if isinstance(data, str) else data

    def with_words(self, file: str, tree: etree._ElementTree) -> etree._ElementTree:
        """The same tree, with poison behind every text and in every attribute."""
        copy = etree.fromstring(etree.tostring(tree)).getroottree()
        for at, one in enumerate(copy.iter(etree.Element)):
            tag = str(etree.QName(one).localname).lower() + ("_mended" if one.tag.endswith("}s") and len(one) else "")
            if (one.text or "").strip():
                whole, words = one.text == WHOLE, self.words(Field(file, (at, tag)))
                one.text, self.behind = f"{one.text}{words}", words if whole else self.behind
            for name in one.attrib:
                words = self.words(Field(file, (at, f"{tag}_at_{etree.QName(name).localname}".replace("_mended", ""))))
                one.set(name, one.get(name, "") + words)
        return copy


def poisoned_library(folder: Path) -> Poisoner:
    """A library poisoned wherever words of one's own may stand."""
    deal = seated(read_yaml(DEAL)[0])
    more = {
        "sessions/evening.yaml": SESSION,
        "telling.yaml": TELLING,
        "library.yaml": SETTINGS,
        "indices.yaml": INDICES,
        "AAA/printed.yaml": PRINTED,
    }
    root = folder / "sources"
    for name, letters in {**collect_full_library(deal), **more}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(letters, encoding="utf-8", newline="\n")
    behind = {"questions/10.yaml": MORE_QUESTIONS, "AAA/source.yaml": MORE_RECORD, "AAA/coverage.yaml": MORE_COVERAGE}
    behind |= {f"{one}/clauses.yaml": MORE_CLAUSES.format(one) for one in ("AAA", "BBB")}
    for name, letters in behind.items():
        with (root / name).open("a", encoding="utf-8", newline="\n") as opened:
            opened.write(letters)
    changed(root, "AAA/source.yaml", "place: null", "place: Here")
    changed(root, "AAA/source.yaml", "image_link: null", "image_link: https://example.org/")
    changed(root, "AAA/source.yaml", "family: tolls", "family: {name: tolls, certainty: high, note: A note.}")
    changed(root, "AAA/clauses.yaml", "because: Both are named.", "because: Both are named.\n  note: A note.")
    changed(root, "BBB/source.yaml", "{words_each: 5,", "{words_each: 500,")
    changed(root, "BBB/source.yaml", "page_words: 80}", "page_words: 90000}")
    changed(root, "AAA/source.yaml", "multiples: {}", f'multiples: {{"{COUNTER}": 5}}')
    changed(root, "AAA/source.yaml", "bibliography: []", "bibliography: [toll, link]")
    changed(root, "AAA/clauses.yaml", '"Celui qui mene reçoit deux jetons"', f'"{WHOLE}"')
    changed(root, "AAA/coverage.yaml", '  residue: "de chacun."\n  because: Nobody else is there.\n', "")
    register_new_ids(root)
    (root / "bibliography.bib").write_text(BIBLIOGRAPHY, encoding="utf-8", newline="\n")
    paths = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}
    texts = {name: path for name, path in paths.items() if path.suffix == ".yaml" and name not in MADE}
    data = {name: read_yaml(path)[0] for name, path in texts.items()}
    data["sessions/evening.yaml"] = seated(data["sessions/evening.yaml"])
    trees = {name: etree.parse(str(path)) for name, path in paths.items() if path.suffix == ".xml"}
    made = Poisoner(root, data, trees)
    made.write()
    return made


def seated(data: Any) -> Any:
    """A record in which a seat is called otherwise, wherever it is named."""
    if isinstance(data, dict):
        return {seated(key): seated(one) for key, one in data.items()}
    if isinstance(data, list):
        return [seated(one) for one in data]
    return SEAT if data == "west" else data


def fields(made: Poisoner) -> Iterator[tuple[str, Field]]:
    """One field of every name that there is."""
    yield from {one.name: one for one in made.known}.items()
