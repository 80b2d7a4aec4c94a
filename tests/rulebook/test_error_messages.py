"""What a historian mistypes: each mistake is told with its place and a way out, and once that is followed all is well.

The messages are kept letter by letter: whoever changes one reads here what people are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from rulebook.load import load_library
from rulebook.sources.published_ids import hint_renaming
from tests.support.library import write_library

Told: TypeAlias = "list[tuple[str, str, str]]"  #: file:line:column, what is wrong, the way out


@dataclass(frozen=True, slots=True)
class Typed:
    """Words put in the place of others."""

    name: str
    file: str
    right: str
    wrong: str
    told: Told

    def broken(self, letters: bytes) -> bytes:
        text = letters.decode()
        assert self.right in text
        return text.replace(self.right, self.wrong, 1).encode()


@dataclass(frozen=True, slots=True)
class Bytes:
    """A file saved in a way that nobody saw."""

    name: str
    file: str
    saved: Callable[[bytes], bytes]
    told: Told

    def broken(self, letters: bytes) -> bytes:
        return self.saved(letters)


A = "AAA/clauses.yaml"
MISTAKES: tuple[Typed | Bytes, ...] = (
    Typed("misspelt key", A, "  status: stated\n", "  statut: stated\n",
        [("AAA/clauses.yaml:10:3", "the entry statut is unknown here", "did you mean status?")]),
    Typed("tab", A, "  status: stated\n", "\tstatus: stated\n", [("AAA/clauses.yaml:10:1", "a tab", "write spaces")]),
    Typed("wrong indent", A, "  status: stated\n", "   status: stated\n",
        [("AAA/clauses.yaml:10:4", "status begins in column 4, and what stands beside it in column 3",
          "let it begin in column 3")]),
    Typed("missing closing quote", A, 'exact: "Celui qui mene reçoit deux jetons"',
        'exact: "Celui qui mene reçoit deux jetons',
        [("AAA/clauses.yaml:5:14", 'the quotation mark " is opened here and not closed',
          'put " behind the last word')]),
    Typed("missing opening quote", A, 'exact: "Celui qui mene reçoit deux jetons"',
        'exact: Celui qui mene reçoit deux jetons"',
        [("AAA/clauses.yaml:5:14",
          'AAA.c001: "Celui qui mene reçoit deux jetons"" does not stand in AAA.s0002 (diplomatic)',
          'the nearest is "Celui qui mene reçoit deux jetons" in AAA.s0002 (text.xml, line 13)')]),
    Typed("wrong locus", A, "- locus: AAA.s0002", "- locus: AAA.s0020",
        [("AAA/clauses.yaml:4:14", "AAA.c001: there is no AAA.s0020 in AAA",
          "did you mean AAA.s0001 or AAA.s0002 or AAA.s0003?")]),
    Typed("locus of other source", A, "- locus: AAA.s0002", "- locus: BBB.n01",
        [("AAA/clauses.yaml:4:14", "AAA.c001: there is no BBB.n01 in AAA", "AAA has AAA.s0001 to AAA.s0003")]),
    Typed("misquoted", A, "Celui qui mene reçoit deux jetons", "Celui qui mène reçoit deux jetons",
        [("AAA/clauses.yaml:5:14",
          'AAA.c001: "Celui qui mène reçoit deux jetons" does not stand in AAA.s0002 (diplomatic)',
          'the nearest is "Celui qui mene reçoit deux jetons" in AAA.s0002 (text.xml, line 13)')]),
    Typed("quoted elsewhere", A, "- locus: AAA.s0002", "- locus: AAA.s0003",
        [("AAA/clauses.yaml:5:14",
          'AAA.c001: "Celui qui mene reçoit deux jetons" does not stand in AAA.s0003 (diplomatic)',
          "it stands in AAA.s0002"),
         ("AAA/clauses.yaml:6:13", "AAA.c001: drift: AAA.s0003 has changed since the clause was coded: confirm it",
          "read it again; then `reversis check --confirm AAA.c001`")]),
    Typed("wrong unit", A, "Q002: 2 ", "Q002: 2 jetons ",
        [("AAA/clauses.yaml:9:11", "AAA.c001: Q002 (toll.amount): 2 jetons is no whole number",
          "write the number in digits alone, such as 5")]),
    Typed("text for number", A, "Q002: 2 ", "Q002: two ",
        [("AAA/clauses.yaml:9:11", "AAA.c001: Q002 (toll.amount): two is no whole number",
          "write the number in digits alone, such as 5")]),
    Typed("negative", A, "Q002: 2 ", "Q002: -2 ",
        [("AAA/clauses.yaml:9:11", "AAA.c001: Q002 (toll.amount): -2 is too little", "the least is 0")]),
    Typed("duplicate id", A, "- id: AAA.c002", "- id: AAA.c001",
        [("AAA/clauses.yaml:13:7", "the id AAA.c001 stands 2 times", "give it a new one")]),
    Typed("duplicate key", A, "  status: stated\n", "  status: stated\n  status: stated\n",
        [("AAA/clauses.yaml:11:3", "'status' is given twice", "keep one; the first stands in line 10")]),
    Typed("curly quotes", A, 'exact: "Celui qui mene reçoit deux jetons"', "exact: “Celui qui mene reçoit deux jetons”",
        [("AAA/clauses.yaml:5:14", "a curly quotation mark, which YAML takes for a letter",
          'write straight ones at both ends: "..."')]),
    Bytes("CR", A, lambda letters: letters.replace(b"\n", b"\r"),
        [("AAA/clauses.yaml:1:31", "a carriage return", "save it with line feeds only")]),
    Bytes("BOM", A, lambda letters: b"\xef\xbb\xbf" * 2 + letters,
        [("AAA/clauses.yaml:1:1", "a byte order mark", "save it as UTF-8 without one")]),
    Bytes("NFD", A, lambda letters: letters.replace("reçoit".encode(), "rec\u0327oit".encode()),
        [("AAA/clauses.yaml:5:32", "a letter in several pieces (not NFC)", "write accented letters as one letter")]),
    Bytes("latin1", A, lambda letters: letters.decode().encode("latin-1"),
        [("AAA/clauses.yaml:5:1", "is not UTF-8", "save it as UTF-8")]),
    Typed("unknown status", A, "  status: stated\n", "  status: state\n",
        [("AAA/clauses.yaml:10:11", "AAA.c001: status cannot be 'state'", "did you mean stated?")]),
    Typed("unknown cert", A, "  cert: high\n", "  cert: hihg\n",
        [("AAA/clauses.yaml:11:9", "AAA.c001: cert cannot be 'hihg'", "did you mean high?")]),
    Typed("unknown question", A, "Q001: leader", "Q010: leader",
        [("AAA/clauses.yaml:1:1", "AAA has neither answer nor reason for Q001 (toll.payee)",
          "answer it in a clause or a new sheet, or list it under `on:` where the reason stands"),
         ("AAA/clauses.yaml:8:11", "AAA.c001: there is no question Q010", "did you mean Q001 or Q002 or Q003?")]),
    Typed("question by misspelt slug", A, "toll.tricks: [1, -1]", "toll.trick: [1, -1]",
        [("AAA/clauses.yaml:1:1", "AAA has neither answer nor reason for Q003 (toll.tricks)",
          "answer it in a clause or a new sheet, or list it under `on:` where the reason stands"),
         ("AAA/clauses.yaml:17:17", "AAA.c002: there is no question toll.trick", "did you mean toll.tricks?")]),
    Typed("unknown reading", A, "Q001: leader", "Q001: leeder",
        [("AAA/clauses.yaml:8:11", "AAA.c001: Q001 (toll.payee): leeder is no reading of toll.payee",
          "did you mean leader?")]),
    Typed("colon missing", A, "  status: stated\n", "  status stated\n",
        [("AAA/clauses.yaml:10:9", "no colon behind status", "write `status: stated`")]),
    Typed("space after colon missing", A, "  status: stated\n", "  status:stated\n",
        [("AAA/clauses.yaml:10:9", "no space behind the colon of status", "write `status: ...`")]),
    Typed("dash without space", A, "- id: AAA.c002", "-id: AAA.c002",
        [("AAA/clauses.yaml:13:2", "no space behind the dash", "write `- id: AAA.c002`")]),
    Typed("colon in text", A, "because: Both are named.", "because: Both: first and last.",
        [("AAA/clauses.yaml:22:16", "a colon within a text",
          'put the text in quotes: because: "Both: first and last."')]),
    Typed("hash eats text", A, "because: Both are named.", "because: #both are named",
        [("AAA/clauses.yaml:22:11", "because must be text, not nothing",
          "write it; behind a # everything is a remark, unless the text stands in quotes")]),
    Typed("yes/no", A, "Q001: leader ", "Q001: no ",
        [("AAA/clauses.yaml:8:11", "AAA.c001: Q001 (toll.payee): no is no reading of toll.payee",
          "there are leader, taker, nobody")]),
    Typed("missing cites status", A, "  cert: high\n", "", [("AAA/clauses.yaml:2:3", "cert is missing", "add it")]),
    Typed("unclosed bracket", A, "toll.tricks: [1, -1]", "toll.tricks: [1, -1",
        [("AAA/clauses.yaml:17:18", "[ is opened here and not closed", "put ] behind the last item")]),
    Typed("unknown coder", A, "  coder: ed1\n- id: AAA.c002", "  coder: ed9\n- id: AAA.c002",
        [("AAA/clauses.yaml:12:10", "AAA.c001: coder 'ed9' is not among the coders of AAA", "did you mean ed1?")]),
    Typed("siglum other folder", "AAA/source.yaml", "siglum: AAA", "siglum: ABC",
        [("AAA/source.yaml:1:9", "the folder AAA holds the source ABC",
          f"give both one name: {hint_renaming('ABC', 'AAA')}")]),
    Typed("page number as date", "AAA/source.yaml", 'date: "1700"', "date: 1700",
        [("AAA/source.yaml:6:7", "date must be text, not 1700", 'put it in quotes: "1700"')]),
    Typed("xml amp", "AAA/text.xml", "Celui qui mene", "Celui & qui mene",
        [("AAA/text.xml:13:33", "is not well-formed XML: a bare &", "write &amp; for it")]),
    Typed("xml unclosed", "AAA/text.xml", "de chacun.</s>", "de chacun.",
        [("AAA/text.xml:15:111", "is not well-formed XML: <s>, which began in line 13, is not closed before </p>",
          "write </s> where it ends")]),
    Typed("statement without text", "BBB/statements.yaml", "  text: It ends there.\n", "",
        [("BBB/clauses.yaml:10:13", "BBB.c002: searched 'BBB.n01-BBB.n02' is no range of BBB",
          "name the sentences that were read through, like BBB.n01-BBB.n01"),
         ("BBB/statements.yaml:6:3", "text is missing", "add it")]),
    Bytes("empty file", A, lambda letters: b"", [("AAA/clauses.yaml:1:1", "is empty", "fill it, or take it away")]),
    Typed("id with other siglum", A, "- id: AAA.c002", "- id: BBB.c009",
        [("AAA/clauses.yaml:13:7", "clause 'BBB.c009' has no well-formed id", "write it like AAA.c031")]),
    Typed("ragged list", A, "  answers:\n    Q001: leader        # toll.payee\n", "  answers:\n    - Q001: leader\n",
        [("AAA/clauses.yaml:8:5", "a dash before Q001, and none before Q002",
          "take the dash out where a table is wanted")]),
    Typed("translation missing", "AAA/en.xml",
        '<s corresp="text.xml#AAA.s0002">He who leads is given two jetons by each.</s>', "",
        [("AAA/en.xml:12:1", "AAA.s0002 is not translated", "add its translation")]),
)  # fmt: skip


def told(root: Path) -> Told:
    _, problems = load_library(root)
    return [
        (f"{problem.file.removeprefix('sources/')}:{problem.line}:{problem.column}", problem.what, problem.way_out)
        for problem in problems
    ]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.name for one in MISTAKES])
def test_a_mistake_is_told_with_its_place_and_a_way_out_and_can_be_mended(
    mistake: Typed | Bytes, tmp_path: Path
) -> None:
    root = write_library(tmp_path)
    path = root / mistake.file
    right = path.read_bytes()
    path.write_bytes(mistake.broken(right))
    assert path.read_bytes() != right
    proposing = r";? [iI]f none fits, (add one to Q\d+, or )?propose one in .*"  # in test_checks.py
    assert [(at, what, re.sub(proposing, "", way_out)) for at, what, way_out in told(root)] == mistake.told
    path.write_bytes(right)
    assert told(root) == []


def test_thirty_and_more_mistakes_are_kept() -> None:
    assert len({one.name for one in MISTAKES}) == len(MISTAKES) >= 30
    assert all(what and way_out for one in MISTAKES for _, what, way_out in one.told)


#: Mistakes whose way out gives the very words to be written.
FOLLOWED = {
    "misspelt key": ("statut", "status"),
    "misquoted": ("Celui qui mène reçoit deux jetons", "Celui qui mene reçoit deux jetons"),
    "unknown status": ("status: state\n", "status: stated\n"),
    "unknown cert": ("hihg", "high"),
    "unknown reading": ("leeder", "leader"),
    "question by misspelt slug": ("toll.trick:", "toll.tricks:"),
    "unknown coder": ("ed9", "ed1"),
    "colon missing": ("status stated", "status: stated"),
    "dash without space": ("-id: AAA.c002", "- id: AAA.c002"),
    "colon in text": ("because: Both: first and last.", 'because: "Both: first and last."'),
    "page number as date": ("date: 1700", 'date: "1700"'),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_who_writes_what_the_way_out_says_has_mended_it(name: str, tmp_path: Path) -> None:
    mistake = next(one for one in MISTAKES if one.name == name)
    root, (wrong, right) = write_library(tmp_path), FOLLOWED[name]
    path = root / mistake.file
    path.write_bytes(mistake.broken(path.read_bytes()))
    advice = " ".join(way_out for _, _, way_out in mistake.told)
    assert right.strip().rstrip(":") in advice or right.split(": ")[-1].strip() in advice
    path.write_text(path.read_text("utf-8").replace(wrong, right, 1), "utf-8", newline="\n")
    assert told(root) == []
