"""A citation as a line of text, as BibTeX, as RIS and as CSL-JSON: four ways to write down one record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edition.citation.model import Cited, Origin
from edition.data.citation_cff import Person

WITHIN = "Address within the edition: "


# --- text -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a citation; the title of a work is set apart, and says its language."""

    words: str
    work: bool = False
    lang: str = ""


def text(one: Cited) -> tuple[Piece, ...]:
    """A citation to be read and copied; what is ours begins with us, what a source says with the source."""
    if one.kind == "edition":
        return (Piece(f"{one.release.by}. "), Piece(one.title, work=True), *closing(one, ". Version"))
    if one.origin is None:
        mark = "" if one.title.endswith(("?", "!")) else "."
        opening = f"{one.release.by}. “{one.title}{mark}” {one.label} in "
        return (Piece(opening), Piece(one.release.title, work=True), *closing(one, ", version"))
    return (*opening_of(one, one.origin), Piece(one.release.title, work=True), *closing(one, ", version"))


def opening_of(one: Cited, origin: Origin) -> Iterator[Piece]:
    """The historical source, and what of it this edition has."""
    yield from quotation(one, origin)
    yield Piece(f"{origin.author}, ") if origin.author else Piece("")
    yield Piece(origin.title, work=True, lang=origin.lang)
    yield Piece(f" ({about(origin)})") if about(origin) else Piece("")
    yield Piece(f", {', '.join(origin.loci)}") if origin.loci else Piece("")
    as_what = "Quoted as clause" if origin.quotation else "Clause"
    yield Piece(f". {one.label.replace('Clause', as_what, 1)} in {midway(one.release.by)}, ")


def quotation(one: Cited, origin: Origin) -> Iterator[Piece]:
    """The words of the source, or why there are none."""
    if origin.quotation:
        yield Piece("“")
        yield Piece(origin.quotation, lang=origin.lang)
        yield Piece("” " if origin.quotation.endswith((".", "?", "!", "…")) else "”, ")
    elif one.kind == "clause":
        yield Piece("On what is not said in " if origin.silent else "After ")


def midway(names: str) -> str:
    """Names within a sentence: an article before them is no longer its beginning."""
    return f"the {names.removeprefix('The ')}" if names.startswith("The ") else names


def about(origin: Origin) -> str:
    """Date and exemplar."""
    used = f"exemplar: {origin.exemplar[:1].lower()}{origin.exemplar[1:]}" if origin.exemplar else ""
    return "; ".join(part for part in (origin.date, used) if part)


def closing(one: Cited, before: str) -> tuple[Piece, ...]:
    """Version, day and address."""
    return (Piece(f"{before} {one.release.version}, {one.release.dated}. {one.address}."),)


def plain(pieces: Iterable[Piece]) -> str:
    """The bare words."""
    return "".join(piece.words for piece in pieces)


# --- what all other forms have in common --------------------------------------------------------------


def note(one: Cited) -> str:
    """What no field of a reference manager has room for."""
    said = [historical(one)] if one.origin else []
    said += [f"{one.label.rstrip(',')}."] if one.label else []
    said += [] if one.release.date else [f"Version {one.release.version} is not yet released."]
    said += [f"State of the sources: {one.state}."] if one.state else []
    said += [] if one.full else [f"{WITHIN}{one.address}"]
    return " ".join(said)


def historical(one: Cited) -> str:
    """The source behind it, in one sentence."""
    assert one.origin is not None
    found = [piece for piece in opening_of(one, one.origin)][:-1]
    return f"{plain(found)}."


def year(one: Cited) -> str:
    """The year of the release, if there was one."""
    return one.release.date[:4]


# --- BibTeX ---------------------------------------------------------------------------------------------

SPECIAL: Mapping[int, str] = str.maketrans(
    {
        **{letter: f"\\{letter}" for letter in "$&#%_"},
        "{": "\\textbraceleft{}",  # an escaped brace is still counted as one
        "}": "\\textbraceright{}",
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
    }
)


def bibtex(found: Iterable[Cited]) -> str:
    """Entries for BibTeX and biblatex."""
    return "\n".join(map(bibtex_entry, found))


def bibtex_entry(one: Cited) -> str:
    """One entry; capitals are kept by a second pair of braces."""
    whole = one.kind == "edition"
    fields = {
        "author": people_of(one, one.origin.author if one.kind == "source" and one.origin else None),
        "editor": people_of(one) if one.kind == "source" else "",
        "title": f"{{{escaped(one.title)}}}",
        "booktitle": "" if whole else f"{{{escaped(one.release.title)}}}",
        "version": escaped(one.release.version),
        "year": year(one),
        "date": one.release.date,
        "url": one.address if one.full else "",
        "langid": "english",
        "note": escaped(note(one)),
        "related": f"reversis-{one.id.partition('.')[0]}" if one.kind == "clause" else "",
    }
    lines = "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{'misc' if whole else 'incollection'}{{{one.key}{lines}\n}}\n"


def people_of(one: Cited, other: str | None = None) -> str:
    """Who made it; a company's name is kept in one piece. An author of old is given instead, if he is known."""
    if other is not None:
        return escaped(other)
    return " and ".join(
        f"{{{escaped(who.name)}}}" if who.company else escaped(f"{who.family}, {who.given}")
        for who in one.release.authors
    )


def escaped(words: str) -> str:
    """Words without a meaning to TeX."""
    return words.translate(SPECIAL)


# --- RIS ------------------------------------------------------------------------------------------------


def ris(found: Iterable[Cited]) -> str:
    """Entries for reference managers of every age."""
    return "\n".join("".join(f"{tag}  - {value}\n" for tag, value in ris_lines(one)) for one in found)


def ris_lines(one: Cited) -> Iterator[tuple[str, str]]:
    """One entry, tag by tag; a tag without a value is left out."""
    whole = one.kind == "edition"
    author = one.origin.author if one.kind == "source" and one.origin else ""
    makers = [("ED" if one.kind == "source" else "AU", inverted(who)) for who in one.release.authors]
    rows = [
        ("TY", "DATA" if whole else "CHAP"),
        ("ID", one.key),
        ("AU", author),
        *makers,
        ("TI", one.title),
        ("T2", "" if whole else one.release.title),
        ("ET", one.release.version),
        ("PY", year(one)),
        ("DA", one.release.date.replace("-", "/")),
        ("UR", one.address if one.full else ""),
        ("LA", "en"),
        ("OP", original(one.origin) if one.origin else ""),
        ("N1", note(one)),
    ]
    yield from ((tag, value) for tag, value in rows if value)
    yield "ER", ""


def inverted(who: Person) -> str:
    """A person by the family name."""
    return f"{who.family}, {who.given}" if who.given else who.family


def original(origin: Origin) -> str:
    """The historical source in short."""
    return ", ".join(part for part in (origin.author, origin.title, origin.date) if part)


# --- CSL-JSON -------------------------------------------------------------------------------------------


def csl(found: Iterable[Cited]) -> str:
    """Entries for Zotero, pandoc, and all that speak CSL."""
    return json.dumps([csl_item(one) for one in found], ensure_ascii=False, indent=1) + "\n"


def csl_item(one: Cited) -> dict[str, Any]:
    """One entry."""
    whole, own = one.kind == "edition", [csl_name(who) for who in one.release.authors]
    item = {
        "id": one.key,
        "type": "dataset" if whole else "chapter",
        "title": one.title,
        "container-title": "" if whole else one.release.title,
        **csl_people(one, own),
        "version": one.release.version,
        "issued": {"date-parts": [list(map(int, one.release.date.split("-")))]} if one.release.date else None,
        "status": "" if one.release.date else one.release.dated,
        "URL": one.address if one.full else "",
        "language": "en",
        **(csl_origin(one.origin) if one.origin else {}),
        "note": note(one),
    }
    return {key: value for key, value in item.items() if value}


def csl_people(one: Cited, own: list[dict[str, str]]) -> dict[str, Any]:
    """Who is named as author, and who as editor."""
    if one.kind != "source" or one.origin is None:
        return {"author": own}
    return {"author": [{"literal": one.origin.author}] if one.origin.author else None, "editor": own}


def csl_name(who: Person) -> dict[str, str]:
    """A person or a company."""
    return {"literal": who.name} if who.company else {"family": who.family, "given": who.given}


def csl_origin(origin: Origin) -> dict[str, Any]:
    """The historical source in the fields that are made for it."""
    return {
        "original-title": origin.title,
        "original-author": [{"literal": origin.author}] if origin.author else None,
        "original-date": {"literal": origin.date} if origin.date else None,
        "archive_location": "; ".join(origin.loci),
    }


#: Ending -> what it is called, and who writes it.
FORMS: Mapping[str, tuple[str, Callable[[Iterable[Cited]], str]]] = {
    "bib": ("BibTeX", bibtex),
    "ris": ("RIS", ris),
    "json": ("CSL-JSON", csl),
}
