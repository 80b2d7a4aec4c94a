"""The header of a TEI file: version, source and copy used, hands, questions, languages, revisions.

A transcription brings a header of its own; what it says is kept and added to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from edition.citation.model import format_source_date, full_title
from edition.corpus.citation_cff import LICENCE_URLS
from edition.corpus.corpus import Corpus
from edition.corpus.rights import get_layer_rights
from edition.export.file import make_file_id
from edition.export.tei_elements import (
    TeiElement,
    find_child,
    format_pointers,
    make_element,
    make_paragraph,
    to_xml_id,
)
from rulebook.model import CERTAINTIES, Question, Source
from rulebook.page_images import get_iiif_manifest, list_page_images
from rulebook.strings import single_spaced
from rulebook.tei.document import TEI_PREFIX, XML_ID, XML_LANG, words_within

_OUR_LICENCE = LICENCE_URLS["CC-BY-4.0"]

#: How the date of a source is worded -> the attributes of `date`; of several that fit, each adds its own.
_DATE_PATTERNS: tuple[tuple[str, Mapping[str, str]], ...] = (
    (r"^(\d{4})$", {"when": "{}"}),
    (r"\b(\d{3})0s\b", {"notBefore": "{}0", "notAfter": "{}9"}),
    (r"\b18th century\b", {"notBefore": "1701", "notAfter": "1800"}),
    (r"\bafter (?:about )?(\d{4})\b", {"notBefore": "{}"}),
)


def build_statements_header(source: Source, publisher: str) -> TeiElement:
    """Header of a file that holds our statements in place of the source's own words."""
    about = [
        make_element("title", full_title(source), lang=source.language),
        make_element("title", "our statements of its rules", type="sub"),
    ]
    licences = [
        make_element("licence", f"The source: {get_layer_rights(source, 'text')}."),
        make_element("licence", f"What stands here: {get_layer_rights(source, 'encoding')}.", target=_OUR_LICENCE),
    ]
    published = [make_element("publisher", publisher), make_element("availability", licences)]
    file = [
        make_element("titleStmt", about),
        make_element("publicationStmt", published),
        make_element("sourceDesc"),
    ]
    how = "The words of the source are not printed here; each s is a statement of one of its rules, in our own words."
    encoding = make_element("projectDesc", [make_paragraph(how)])
    languages = {source.language: "of the source", "en": "English, in our statements and this header"}
    used = [make_element("language", words, ident=ident) for ident, words in languages.items()]
    parts = [
        make_element("fileDesc", file),
        make_element("encodingDesc", [encoding]),
        make_element("profileDesc", [make_element("langUsage", used)]),
    ]
    return make_element("teiHeader", parts, lang="en")


def complete_header(header: TeiElement, corpus: Corpus, source: Source) -> None:
    """Add to a header what the records know: version, source, hands and revisions."""
    _add_edition(header, corpus)
    _describe_source(header, corpus, source)
    _add_responsibilities(header, source)
    header.append(_build_revisions(corpus, source))


# --- the edition ----------------------------------------------------------------------------------------


def _add_edition(header: TeiElement, corpus: Corpus) -> None:
    """Add the version, its day and the fingerprint of the sources it was made from."""
    release = corpus.release
    version = make_element("edition", f"{release.title}, version {release.version}, ", n=release.version)
    version.append(_build_release_date(corpus))
    titles, published = (next(header.iter(f"{TEI_PREFIX}{tag}")) for tag in ("titleStmt", "publicationStmt"))
    titles.addnext(make_element("editionStmt", [version]))
    published.insert(1, _build_release_date(corpus))
    published.insert(2, make_element("idno", corpus.library.digest, type="fingerprint-of-the-sources"))


def _build_release_date(corpus: Corpus) -> TeiElement:
    return make_element("date", corpus.release.dated, when=corpus.release.date)


def _build_revisions(corpus: Corpus, source: Source) -> TeiElement:
    """Releases, the latest first, and then the editorial passes, the latest first."""
    release = corpus.release
    earlier = [
        (snapshot.version, snapshot.released)
        for snapshot in reversed(corpus.releases)
        if snapshot.version != release.version
    ]
    versions = [
        make_element("change", f"Version {version}, {day or release.dated}.", type="version", n=version, when=day)
        for version, day in [(release.version, release.date), *earlier]
    ]
    passes = [
        make_element("change", f"{called}: {role}", type="pass", who=format_pointers(to_xml_id(id)))
        for id, (role, called) in reversed([*_read_coder_roles(source).items()])
    ]
    return make_element("revisionDesc", [*versions, *passes], status="published" if release.date else "draft")


# --- the source -----------------------------------------------------------------------------------------


def _describe_source(header: TeiElement, corpus: Corpus, source: Source) -> None:
    """Describe the source and the copy used; what the transcription says of them becomes a note."""
    described = next(header.iter(f"{TEI_PREFIX}sourceDesc"))
    content = list(described)
    note = [make_element("note", content, type="transcription")] if content else []
    described[:] = [_build_bibl(source, note), _build_copy_used(source), *_build_literature(corpus, source)]


def _build_bibl(source: Source, notes: Iterable[TeiElement]) -> TeiElement:
    author, place, certainty = (_read_words(source, key) for key in ("author", "place", "date_certainty"))
    parts = [
        *([make_element("author", author)] if author else []),
        make_element("title", full_title(source), lang=source.language),
        *([make_element("pubPlace", place)] if place else []),
        _build_date(format_source_date(source), certainty),
        *([make_element("note", certainty, type="date")] if certainty and certainty not in CERTAINTIES else []),
        *notes,
    ]
    return make_element("bibl", parts, id=f"{source.siglum}.bibl", type="source")


def _read_words(source: Source, key: str) -> str:
    return single_spaced(str(source.record.get(key) or ""))


def _build_date(words: str, certainty: str) -> TeiElement:
    """Date in the words of the record, with the years that they give."""
    years: dict[str, str] = {}
    for pattern, given in _DATE_PATTERNS:
        if match := re.search(pattern, words):
            years |= {key: year.format(*match.groups()) for key, year in given.items()}
    cert = certainty if certainty in CERTAINTIES else ""
    return make_element("date", words or "unknown", cert=cert, **years)


def _build_copy_used(source: Source) -> TeiElement:
    exemplar = _read_words(source, "exemplar") or "No copy is named."
    shelfmark = _read_words(source, "shelfmark")
    images = [*_describe_images(source, exemplar)]
    named = [
        *([make_element("idno", shelfmark, type="shelfmark")] if shelfmark else []),
        make_element("msName", f"The copy used for {source.siglum}"),
    ]
    parts = [
        make_element("msIdentifier", named),
        make_element("physDesc", [make_paragraph(exemplar)]),
        *([make_element("additional", [make_element("surrogates", images)])] if images else []),
    ]
    return make_element("msDesc", parts, id=f"{source.siglum}.copy")


_IMAGES_TOLD = re.compile(r"\bpage images?\b|\bimages? of (?:a|the) pages?\b", re.I)


def _describe_images(source: Source, exemplar: str) -> Iterator[TeiElement]:
    """Say whether images were seen, unless the description of the copy says so, and where they are."""
    seen = "Images of the copy were seen." if source.record.get("images_seen") else "No image of a page was seen."
    if not _IMAGES_TOLD.search(exemplar):
        yield make_paragraph(seen)
    for link in (_read_words(source, "image_link"), get_iiif_manifest(source)):
        if link:
            yield make_element("p", [make_element("ptr", target=link)])
    for image in list_page_images(source):
        place = make_element("ptr", target=image.address)
        place.tail = f" {image.shows}: {image.description}"
        yield make_element("p", [place])


def _build_literature(corpus: Corpus, source: Source) -> Iterator[TeiElement]:
    """Works that the record names, by their keys in the bibliography."""
    named = source.record.get("bibliography")
    keys = [str(key) for key in named] if isinstance(named, list | tuple) else []
    rows = [
        make_element(
            "bibl", [make_element("title", corpus.works.get(key, key)), make_element("idno", key, type="bibtex")]
        )
        for key in keys
    ]
    if rows:
        yield make_element("listBibl", rows)


# --- the hands ------------------------------------------------------------------------------------------


def _add_responsibilities(header: TeiElement, source: Source) -> None:
    """Add a `respStmt` for every coder, reviewer and author of a note whom the header does not yet name."""
    there = {statement.get(XML_ID) for statement in header.iter(f"{TEI_PREFIX}respStmt")}
    roles = _read_coder_roles(source)
    titles = next(header.iter(f"{TEI_PREFIX}titleStmt"))
    names = {name for clause in source.clauses for name in (clause.coder, clause.reviewer)} | {
        note.by for note in source.notes
    }
    for id in sorted(hand for hand in {*names, *roles} - {""} if to_xml_id(hand) not in there):
        role, called = roles.get(id, ("coding", id))
        titles.append(
            make_element("respStmt", [make_element("resp", role), make_element("name", called)], id=to_xml_id(id))
        )


def _read_coder_roles(source: Source) -> Mapping[str, tuple[str, str]]:
    """Coders of a source's record: id -> (role, name)."""
    coders = source.record.get("coders")
    rows = [coder for coder in coders if isinstance(coder, Mapping)] if isinstance(coders, list | tuple) else []
    return {str(row["id"]): _split_role_and_name(str(row["role"]), str(row["id"])) for row in rows}


def _split_role_and_name(role: str, id: str) -> tuple[str, str]:
    """Split a coder's entry, which has the name before a colon; without one the id is the name."""
    called, colon, what = single_spaced(role).partition(": ")
    return (what, called) if colon else (called, id)


# --- the questions --------------------------------------------------------------------------------------


def add_question_taxonomy(header: TeiElement, questions: Iterable[Question]) -> None:
    """Declare the questions and their readings, to which the answers of the coding point."""
    rows = [_build_question_category(asked) for asked in questions]
    if not rows:
        return
    says = make_element(
        "desc", "The questions on which the sources are compared, and the readings of those that have a closed list."
    )
    declared = make_element("classDecl", [make_element("taxonomy", [says, *rows], id="questions")], lang="en")
    next(header.iter(f"{TEI_PREFIX}encodingDesc")).append(declared)


def _build_question_category(asked: Question) -> TeiElement:
    readings = [
        make_element(
            "category",
            [make_element("catDesc", single_spaced(gloss) or slug)],
            id=f"{asked.id}.{make_file_id(slug)}",
            n=slug,
        )
        for slug, gloss in asked.readings.items()
    ]
    return make_element("category", [make_element("catDesc", asked.asks), *readings], id=asked.id, n=asked.slug)


# --- the header of the translation ----------------------------------------------------------------------


def merge_translation_header(header: TeiElement, other: TeiElement, text: TeiElement, id: str, lang: str) -> None:
    """Take over what the translation's header says of its hands, policy, terms and languages.

    The policies of the two texts stay apart: each text points to its own.
    """
    _merge_hands(header, other)
    _merge_licences(header, other)
    _merge_languages(header, other, lang)
    encoding = next(header.iter(f"{TEI_PREFIX}encodingDesc"))
    policies = [*other.iter(f"{TEI_PREFIX}editorialDecl")]
    if policies and (own := find_child(encoding, "editorialDecl")) is not None:
        own.set("default", "true")
    for at, policy in enumerate(policies, 1):
        policy.set(XML_ID, f"{id}.policy" if at == 1 else f"{id}.policy{at}")
        policy.set("default", "false")
        encoding.append(policy)
    if policies:
        text.set("decls", format_pointers(*(str(policy.get(XML_ID)) for policy in policies)))


def _merge_hands(header: TeiElement, other: TeiElement) -> None:
    """Add every hand of the translation; one that is there already gets what it did besides."""
    titles = next(header.iter(f"{TEI_PREFIX}titleStmt"))
    there = {statement.get(XML_ID): statement for statement in titles.iter(f"{TEI_PREFIX}respStmt")}
    for statement in [*other.iter(f"{TEI_PREFIX}respStmt")]:
        own, resp = there.get(statement.get(XML_ID)), find_child(statement, "resp")
        if own is None:
            titles.append(statement)
        elif resp is not None and words_within(resp) not in words_within(own):
            own.insert(1, resp)


def _merge_licences(header: TeiElement, other: TeiElement) -> None:
    terms = next(header.iter(f"{TEI_PREFIX}availability"))
    for licence in [*other.iter(f"{TEI_PREFIX}licence")]:
        words = words_within(licence)
        terms.append(make_element("licence", f"The translation: {words}", target=str(licence.get("target") or "")))


def _merge_languages(header: TeiElement, other: TeiElement, lang: str) -> None:
    """Declare the languages of both texts; that of the header is said of the translation too."""
    used = next(header.iter(f"{TEI_PREFIX}langUsage"))
    there = {str(language.get("ident")): language for language in used}
    for language in [*other.iter(f"{TEI_PREFIX}language")]:
        ident, words = str(language.get("ident")), f"{words_within(language)}, in the translation"
        if ident not in there:
            used.append(make_element("language", words, ident=ident))
        elif ident == lang:
            there[ident].text = words + (" and this header" if header.get(XML_LANG) == ident else "")
