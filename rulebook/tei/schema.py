"""Cut the whole TEI schema down to the few elements that our texts use.

TEI knows nearly six hundred elements and takes seconds to compile; our texts use a few dozen.
Cutting only ever takes alternatives away, so what the small schema accepts the whole one accepts too.
``python -m rulebook.tei.schema`` writes the small schema anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from rulebook.io.files import replace_file

_PROJECT_ROOT = Path(__file__).resolve().parents[2]
FULL_TEI_SCHEMA = _PROJECT_ROOT / "vendor" / "tei" / "tei_all.rng"
PRUNED_TEI_SCHEMA = _PROJECT_ROOT / "sources" / "schema" / "reversis-tei.rng"
PRUNED_WITNESS_SCHEMA = PRUNED_TEI_SCHEMA.with_name("reversis-witness.rng")

RNG = "http://relaxng.org/ns/structure/1.0"
TEI_NAMESPACE = "http://www.tei-c.org/ns/1.0"
DATATYPES = "http://www.w3.org/2001/XMLSchema-datatypes"
_GENERATED_NOTICE = """ A small profile of TEI P5, made from the whole schema by rulebook/tei/schema.py: not to be
     edited by hand. TEI material is made available under both CC BY and BSD-2; see vendor/tei. """

# What may stand where: element (or element:context) -> what it may hold | the attributes it may bear.
# TEXT stands for bare words. A context keeps apart what shares a name: in the header a paragraph
# holds words, in a text it holds sentences.
PROFILE: Mapping[str, str] = {
    "TEI": "teiHeader text | xml:id xml:lang",
    "teiHeader": "fileDesc encodingDesc profileDesc | xml:lang",
    "fileDesc": "titleStmt publicationStmt sourceDesc | ",
    "titleStmt": "title respStmt | ",
    "title": "TEXT | xml:lang type",
    "respStmt": "resp name | xml:id",
    "resp": "TEXT | ",
    "name": "TEXT | ",
    "publicationStmt": "publisher availability | ",
    "publisher": "TEXT | ",
    "availability": "licence | ",
    "licence": "TEXT | target",
    "sourceDesc": "p:header | ",
    "p:header": "TEXT | ",
    "encodingDesc": "projectDesc editorialDecl | ",
    "projectDesc": "p:header | ",
    "editorialDecl": "correction normalization hyphenation segmentation interpretation | ",
    "correction": "p:header | ",
    "normalization": "p:header | ",
    "hyphenation": "p:header | ",
    "segmentation": "p:header | ",
    "interpretation": "p:header | ",
    "profileDesc": "langUsage | ",
    "langUsage": "language | ",
    "language": "TEXT | ident",
    "text": "front body pb | ",
    "front": "div head p pb | ",
    "body": "div head p list pb | ",
    "div": "div head p list pb | xml:id n type",
    "head": "s pb | n type",
    "p": "s pb list | n",
    "list": "head label item pb | n type",
    "item": "s p list pb label | n",
    "label": "s | n",
    "s": "TEXT pb choice unclear supplied gap hi foreign | xml:id xml:lang corresp",
    "pb": " | n break",
    "choice": "sic corr orig reg | ",
    "sic": "TEXT pb unclear gap hi foreign | ",
    "corr": "TEXT pb hi foreign | xml:id resp cert evidence",
    "orig": "TEXT pb hi foreign | ",
    "reg": "TEXT hi foreign | ",
    "unclear": "TEXT hi foreign choice | reason cert",
    "supplied": "TEXT hi foreign | reason resp cert evidence",
    "gap": " | reason unit quantity extent",
    "hi": "TEXT pb choice unclear gap hi foreign | rend",
    "foreign": "TEXT pb choice unclear gap hi | xml:lang",
}

#: A witness of a text: what was consulted, what was corrected, and the variants that need a judgement.
WITNESS_PROFILE: Mapping[str, str] = {
    **{
        name: PROFILE[name]
        for name in (
            *("TEI", "teiHeader", "fileDesc", "titleStmt", "title", "respStmt", "resp", "name", "publicationStmt"),
            *("publisher", "availability", "licence", "correction", "normalization", "hyphenation", "segmentation"),
            *("p:header", "profileDesc", "langUsage", "language"),
        )
    },
    "sourceDesc": "bibl | ",
    "bibl": "title date biblScope note | ",
    "date": "TEXT | when notBefore",
    "biblScope": "TEXT | unit from to",
    "note": "TEXT | type n resp",
    "encodingDesc": "editorialDecl | ",
    "editorialDecl": "correction normalization hyphenation segmentation | ",
    "text": "body back | ",
    "body": "div head p fw | ",
    "div": "div head p fw | type",
    "head": "s fw | ",
    "p": "s fw | ",
    "fw": "TEXT | type",
    "s": "TEXT choice gap | xml:id corresp",
    "choice": "sic corr | ",
    "sic": "TEXT | ",
    "corr": "TEXT | resp",
    "gap": " | reason",
    "back": "listApp | ",
    "listApp": "app | ",
    "app": "lem rdg note | type corresp",
    "lem": "TEXT | ",
    "rdg": "TEXT | ",
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One knot of a RELAX NG grammar: a choice, a sequence, an attribute, a name."""

    kind: str
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""
    parts: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Allowance:
    """Content and attributes that one element may have."""

    children: Mapping[str, str]  # element name -> name of its definition here
    words: bool
    attributes: frozenset[str]


_NOT_ALLOWED = Pattern("notAllowed")
_EMPTY_PATTERN = Pattern("empty")


def element_name(definition: str) -> str:
    """The tag that a definition describes: `p` for `p:header`."""
    return definition.partition(":")[0]


def parse_allowance(line: str) -> Allowance:
    """Read one line of the profile."""
    held, _, borne = line.partition("|")
    children = held.split()
    return Allowance(
        children={element_name(child): child for child in children if child != "TEXT"},
        words="TEXT" in children,
        attributes=frozenset(borne.split()),
    )


def read_pattern(node: etree._Element) -> Pattern:
    """A knot of the schema file as a record; documentation and Schematron are left out."""
    return Pattern(
        kind=etree.QName(node).localname,
        attributes=tuple(sorted((str(k), str(v)) for k, v in node.attrib.items())),
        text=(node.text or "").strip(),
        parts=tuple(read_pattern(child) for child in rng_children(node)),
    )


def rng_children(node: etree._Element) -> Iterator[etree._Element]:
    """The children that belong to the grammar itself."""
    return (child for child in node if isinstance(child.tag, str) and etree.QName(child).namespace == RNG)


def read_grammar(path: Path) -> dict[str, Pattern]:
    """Every definition of a schema file, by name."""
    root = etree.parse(str(path), etree.XMLParser(no_network=True, resolve_entities=False)).getroot()
    children = (child for child in rng_children(root) if etree.QName(child).localname == "define")
    return {str(child.get("name")): read_pattern(child) for child in children}


def make_choice(parts: Iterable[Pattern]) -> Pattern:
    """Make a choice without the impossible and without repetition."""
    flat = [inner for part in parts for inner in (part.parts if part.kind == "choice" else (part,))]
    kept = tuple(dict.fromkeys(part for part in flat if part not in (_NOT_ALLOWED, _EMPTY_PATTERN)))
    if not kept:
        return _EMPTY_PATTERN if _EMPTY_PATTERN in flat else _NOT_ALLOWED
    chosen = kept[0] if len(kept) == 1 else Pattern("choice", parts=kept)
    return _make_optional([chosen]) if _EMPTY_PATTERN in flat else chosen


def make_sequence(parts: Iterable[Pattern]) -> Pattern:
    """Make a sequence; impossible as soon as one member is."""
    flat = [inner for part in parts for inner in (part.parts if part.kind == "group" else (part,))]
    if _NOT_ALLOWED in flat:
        return _NOT_ALLOWED
    kept = tuple(part for part in flat if part != _EMPTY_PATTERN)
    if not kept:
        return _EMPTY_PATTERN
    return kept[0] if len(kept) == 1 else Pattern("group", parts=kept)


def _make_optional(parts: Iterable[Pattern]) -> Pattern:
    inner = make_sequence(parts)
    if inner in (_NOT_ALLOWED, _EMPTY_PATTERN):
        return _EMPTY_PATTERN
    return inner if inner.kind in ("optional", "zeroOrMore") else Pattern("optional", parts=(inner,))


def any_number(parts: Iterable[Pattern]) -> Pattern:
    """Make a pattern that may be repeated or left out."""
    inner = _drop_nested_repetition(make_sequence(parts))
    return _EMPTY_PATTERN if inner in (_NOT_ALLOWED, _EMPTY_PATTERN) else Pattern("zeroOrMore", parts=(inner,))


def at_least_one(parts: Iterable[Pattern]) -> Pattern:
    """Make a pattern that may be repeated and must be there."""
    inner = make_sequence(parts)
    if inner in (_NOT_ALLOWED, _EMPTY_PATTERN) or inner.kind == "zeroOrMore":
        return inner
    return Pattern("oneOrMore", parts=(inner,))


_TEXT_KINDS = ("text", "data", "value", "list")  # what bare words may be
REPETITIONS = ("zeroOrMore", "oneOrMore", "optional")


def _drop_nested_repetition(inner: Pattern) -> Pattern:
    """Return a pattern without a repetition inside a repetition, which adds nothing."""
    if inner.kind in REPETITIONS:
        return _drop_nested_repetition(inner.parts[0])
    if inner.kind == "choice":
        return make_choice(_drop_nested_repetition(part) for part in inner.parts)
    return inner


_JOINERS: Mapping[str, Callable[[Iterable[Pattern]], Pattern]] = {
    "choice": make_choice,
    "group": make_sequence,
    "define": make_sequence,
    "optional": _make_optional,
    "zeroOrMore": any_number,
    "oneOrMore": at_least_one,
}


def _trim_pattern(pattern: Pattern, allowed: Allowance, grammar: Mapping[str, Pattern]) -> Pattern:
    """Return the part of a pattern in which only the allowed things stand."""
    if pattern.kind in _JOINERS:
        return _JOINERS[pattern.kind](_trim_pattern(part, allowed, grammar) for part in pattern.parts)
    if pattern.kind == "ref":
        return trim_ref(dict(pattern.attributes)["name"], allowed, grammar)
    if pattern.kind in _TEXT_KINDS:
        return pattern if allowed.words else _NOT_ALLOWED
    if pattern.kind == "attribute":
        return pattern if dict(pattern.attributes).get("name") in allowed.attributes else _NOT_ALLOWED
    if pattern.kind == "empty":
        return _EMPTY_PATTERN
    raise ValueError(f"the schema holds a <{pattern.kind}> where a model was expected")


def trim_ref(name: str, allowed: Allowance, grammar: Mapping[str, Pattern]) -> Pattern:
    """A name: an element is kept or struck out, a class is written out."""
    if not any(part.kind == "element" for part in grammar[name].parts):
        return _trim_pattern(grammar[name], allowed, grammar)
    if name in allowed.children:
        return Pattern("ref", (("name", allowed.children[name].replace(":", "-")),))
    return _NOT_ALLOWED


def trim_element(definition: str, line: str, grammar: Mapping[str, Pattern]) -> Pattern:
    """The definition of one element, cut to its line of the profile."""
    allowed = parse_allowance(line)
    (element,) = grammar[element_name(definition)].parts
    content = make_sequence(_trim_pattern(part, allowed, grammar) for part in element.parts)
    elements = {name.partition("-")[0] for name in _iter_names(content, "ref")}
    unknown = (allowed.children.keys() - elements) | (allowed.attributes - {*_iter_names(content, "attribute")})
    if content == _NOT_ALLOWED or unknown:
        doubt = ", ".join(sorted(unknown)) or "impossible"
        raise ValueError(f"TEI has no such <{definition}>: {line} ({doubt})")
    body = content.parts if content.kind == "group" else (content,)
    whole = Pattern("element", (("name", element_name(definition)),), parts=body)
    return Pattern("define", (("name", definition.replace(":", "-")),), parts=(whole,))


def _iter_names(pattern: Pattern, kind: str) -> Iterator[str]:
    """Yield the names of all knots of one kind below a pattern."""
    if pattern.kind == kind:
        yield dict(pattern.attributes).get("name", "")
    for part in pattern.parts:
        yield from _iter_names(part, kind)


def write_pattern(parent: etree._Element, pattern: Pattern) -> None:
    """Hang a record back into a schema file."""
    node = etree.SubElement(parent, f"{{{RNG}}}{pattern.kind}", dict(pattern.attributes))
    node.text = pattern.text or None
    for part in pattern.parts:
        write_pattern(node, part)


def prune_tei_schema(whole: Path = FULL_TEI_SCHEMA, profile: Mapping[str, str] = PROFILE) -> bytes:
    """Render the small schema: the start, then one definition for every line of the profile."""
    grammar = read_grammar(whole)
    root = etree.fromstring(f'<grammar xmlns="{RNG}" ns="{TEI_NAMESPACE}" datatypeLibrary="{DATATYPES}"/>')
    root.append(etree.Comment(_GENERATED_NOTICE))
    write_pattern(root, Pattern("start", parts=(Pattern("ref", (("name", "TEI"),)),)))
    for definition, line in profile.items():
        write_pattern(root, trim_element(definition, line, grammar))
    etree.indent(root)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"


def main(folder: Path = PRUNED_TEI_SCHEMA.parent) -> int:
    """Write the small schemas to their places."""
    for name, profile in ((PRUNED_TEI_SCHEMA.name, PROFILE), (PRUNED_WITNESS_SCHEMA.name, WITNESS_PROFILE)):
        replace_file(folder / name, prune_tei_schema(profile=profile))
        print(f"{name}: {len(profile)} elements")
    return 0


if __name__ == "__main__":
    sys.exit(main())
