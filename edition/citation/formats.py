"""A citation as a line of text, as BibTeX, as RIS and as CSL-JSON: four ways to write down one record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from edition.citation.model import EditionCitation, Origin

LOCAL_ADDRESS_LABEL = "Address within the edition: "


# --- text -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CitationPiece:
    """Some words of a citation; the title of a work is set apart, and says its language."""

    words: str
    work: bool = False
    lang: str = ""


def format_citation_text(citation: EditionCitation) -> tuple[CitationPiece, ...]:
    """Citation to be read and copied: what is ours begins with us, what a source says with the source."""
    end = f" {citation.release.version}, {citation.release.dated}. {citation.address}."
    if citation.kind == "edition":
        opening = f"{citation.release.by}. "
        return (CitationPiece(opening), CitationPiece(citation.title, work=True), CitationPiece(f". Version{end}"))
    whole = (CitationPiece(citation.release.title, work=True), CitationPiece(f", version{end}"))
    if citation.origin is not None:
        return (*opening_of(citation, citation.origin), *whole)
    mark = "" if citation.title.endswith(("?", "!")) else "."
    return (CitationPiece(f"{citation.release.by}. “{citation.title}{mark}” {citation.label} in "), *whole)


def opening_of(citation: EditionCitation, origin: Origin) -> Iterator[CitationPiece]:
    """The historical source, and what of it this edition has."""
    if origin.quotation:
        yield CitationPiece("“")
        yield CitationPiece(origin.quotation, lang=origin.lang)
        yield CitationPiece("” " if origin.quotation.endswith((".", "?", "!", "…")) else "”, ")
    elif citation.kind == "clause":
        yield CitationPiece("On what is not said in " if origin.silent else "After ")
    yield CitationPiece(f"{origin.author}, ") if origin.author else CitationPiece("")
    yield CitationPiece(origin.title, work=True, lang=origin.lang)
    yield CitationPiece(f" ({describe_origin(origin)})") if describe_origin(origin) else CitationPiece("")
    yield CitationPiece(f", {', '.join(origin.loci)}") if origin.loci else CitationPiece("")
    as_what = "Quoted as clause" if origin.quotation else "Clause"
    yield CitationPiece(f". {citation.label.replace('Clause', as_what, 1)} in {_lower_article(citation.release.by)}, ")


def _lower_article(names: str) -> str:
    """Names within a sentence: an article before them is no longer its beginning."""
    return f"the {names.removeprefix('The ')}" if names.startswith("The ") else names


def describe_origin(origin: Origin) -> str:
    """Date and exemplar."""
    used = f"exemplar: {origin.exemplar[:1].lower()}{origin.exemplar[1:]}" if origin.exemplar else ""
    return "; ".join(part for part in (origin.date, used) if part)


def join_citation_pieces(pieces: Iterable[CitationPiece]) -> str:
    """The bare words."""
    return "".join(piece.words for piece in pieces)


# --- what all other forms have in common --------------------------------------------------------------


def _compose_note(citation: EditionCitation) -> str:
    """Note on everything that has no field in a reference manager."""
    sentences = [f"{join_citation_pieces([*opening_of(citation, citation.origin)][:-1])}."] if citation.origin else []
    sentences += [f"{citation.label.rstrip(',')}."] if citation.label else []
    sentences += [] if citation.release.date else [f"Version {citation.release.version} is not yet released."]
    sentences += [f"State of the sources: {citation.state}."] if citation.state else []
    sentences += [] if citation.full else [f"{LOCAL_ADDRESS_LABEL}{citation.address}"]
    return " ".join(sentences)


# --- BibTeX ---------------------------------------------------------------------------------------------

_TEX_ESCAPES: Mapping[int, str] = str.maketrans(
    {
        **{letter: f"\\{letter}" for letter in "$&#%_"},
        "{": "\\textbraceleft{}",  # an escaped brace is still counted as one
        "}": "\\textbraceright{}",
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
    }
)


def format_bibtex(citations: Iterable[EditionCitation]) -> str:
    """Entries for BibTeX and biblatex."""
    return "\n".join(map(_cite_as_bibtex, citations))


def _cite_as_bibtex(citation: EditionCitation) -> str:
    """One entry; capitals are kept by a second pair of braces."""
    whole = citation.kind == "edition"
    fields = {
        "author": _format_bibtex_people(
            citation, citation.origin.author if citation.kind == "source" and citation.origin else None
        ),
        "editor": _format_bibtex_people(citation) if citation.kind == "source" else "",
        "title": f"{{{escape_tex(citation.title)}}}",
        "booktitle": "" if whole else f"{{{escape_tex(citation.release.title)}}}",
        "version": escape_tex(citation.release.version),
        "year": citation.release.date[:4],
        "date": citation.release.date,
        "doi": citation.release.doi,
        "url": citation.address if citation.full else "",
        "langid": "english",
        "note": escape_tex(_compose_note(citation)),
        "related": f"{citation.work}-{citation.id.partition('.')[0]}" if citation.kind == "clause" else "",
    }
    return format_bibtex_entry("misc" if whole else "incollection", citation.key, fields)


def format_bibtex_entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Format one entry; a field without a value is left out."""
    lines = "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{kind}{{{key}{lines}\n}}\n"


def _format_bibtex_people(citation: EditionCitation, other: str | None = None) -> str:
    """Authors of the edition, unless another is given; a company's name is kept in one piece."""
    if other is not None:
        return escape_tex(other)
    return " and ".join(
        f"{{{escape_tex(who.name)}}}" if who.company else escape_tex(f"{who.family}, {who.given}")
        for who in citation.release.authors
    )


def escape_tex(words: str) -> str:
    """Escape words so that they have no meaning to TeX."""
    return words.translate(_TEX_ESCAPES)


# --- RIS ------------------------------------------------------------------------------------------------


def format_ris(citations: Iterable[EditionCitation]) -> str:
    """Entries for reference managers of every age."""
    return "\n".join("".join(f"{tag}  - {value}\n" for tag, value in ris_lines(citation)) for citation in citations)


def ris_lines(citation: EditionCitation) -> Iterator[tuple[str, str]]:
    """One entry, tag by tag; a tag without a value is left out."""
    whole = citation.kind == "edition"
    author = citation.origin.author if citation.kind == "source" and citation.origin else ""
    names = (f"{who.family}, {who.given}" if who.given else who.family for who in citation.release.authors)
    makers = [("ED" if citation.kind == "source" else "AU", name) for name in names]
    history = (citation.origin.author, citation.origin.title, citation.origin.date) if citation.origin else ()
    rows = [
        ("TY", "DATA" if whole else "CHAP"),
        ("ID", citation.key),
        ("AU", author),
        *makers,
        ("TI", citation.title),
        ("T2", "" if whole else citation.release.title),
        ("ET", citation.release.version),
        ("PY", citation.release.date[:4]),
        ("DA", citation.release.date.replace("-", "/")),
        ("DO", citation.release.doi),
        ("UR", citation.address if citation.full else ""),
        ("LA", "en"),
        ("OP", ", ".join(filter(None, history))),
        ("N1", _compose_note(citation)),
    ]
    yield from ((tag, value) for tag, value in rows if value)
    yield "ER", ""


# --- CSL-JSON -------------------------------------------------------------------------------------------


def format_csl_json(citations: Iterable[EditionCitation]) -> str:
    """Entries for Zotero, pandoc, and all that speak CSL."""
    return json.dumps([csl_item(citation) for citation in citations], ensure_ascii=False, indent=1) + "\n"


def csl_item(citation: EditionCitation) -> dict[str, Any]:
    """One entry."""
    whole = citation.kind == "edition"
    item = {
        "id": citation.key,
        "type": "dataset" if whole else "chapter",
        "title": citation.title,
        "container-title": "" if whole else citation.release.title,
        **csl_people(citation),
        "version": citation.release.version,
        "issued": {"date-parts": [list(map(int, citation.release.date.split("-")))]} if citation.release.date else None,
        "status": "" if citation.release.date else citation.release.dated,
        "DOI": citation.release.doi,
        "URL": citation.address if citation.full else "",
        "language": "en",
        **(csl_origin(citation.origin) if citation.origin else {}),
        "note": _compose_note(citation),
    }
    return {key: value for key, value in item.items() if value}


def csl_people(citation: EditionCitation) -> dict[str, Any]:
    """Authors and editors."""
    own = [
        {"literal": who.name} if who.company else {"family": who.family, "given": who.given}
        for who in citation.release.authors
    ]
    if citation.kind != "source" or citation.origin is None:
        return {"author": own}
    return {"author": [{"literal": citation.origin.author}] if citation.origin.author else None, "editor": own}


def csl_origin(origin: Origin) -> dict[str, Any]:
    """The historical source in the fields that are made for it."""
    return {
        "original-title": origin.title,
        "original-author": [{"literal": origin.author}] if origin.author else None,
        "original-date": {"literal": origin.date} if origin.date else None,
        "archive_location": "; ".join(origin.loci),
    }


#: Ending -> what it is called, and who writes it.
CITATION_FORMATS: Mapping[str, tuple[str, Callable[[Iterable[EditionCitation]], str]]] = {
    "bib": ("BibTeX", format_bibtex),
    "ris": ("RIS", format_ris),
    "json": ("CSL-JSON", format_csl_json),
}
