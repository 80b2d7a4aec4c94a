"""Index of names: the places at which the forms of `sources/indices.yaml` stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, bullet_list, link, section
from edition.views.layout import join_content
from rulebook.schema.reference_records import IndexNameRecord
from rulebook.sources.index_terms import INDEX_NAME_KINDS, iter_indexed_texts


def list_indexed_texts(corpus: Corpus) -> Iterator[tuple[str, str, str]]:
    """Every sentence as emended, and every statement in our words."""
    for source in corpus.library.sources.values():
        for sentence in source.text.sentences.values() if source.text else ():
            yield sentence.id, sentence.lang, sentence.emended
        for statement in source.statements:
            yield statement.id, "en", statement.text


@dataclass(frozen=True, slots=True)
class NameView:
    """A name, and everything in which it stands."""

    name: str
    places: tuple[tuple[str, str], ...]  #: (kind, id)


def names_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, tuple[NameView, ...]], ...]:
    """All names, by what they are the names of."""
    indexed_texts = tuple(iter_indexed_texts(corpus.library, corpus.entries))
    names = sorted(corpus.register.names, key=lambda name: name.name.casefold())
    groups = ((INDEX_NAME_KINDS[kind], [name for name in names if name.kind == kind]) for kind in INDEX_NAME_KINDS)
    return tuple((title, tuple(_name_view(name, indexed_texts) for name in group)) for title, group in groups if group)


def _name_view(name: IndexNameRecord, texts: Iterable[tuple[str, str, str]]) -> NameView:
    return NameView(name.name, tuple((kind, id) for kind, id, text in texts if name.pattern.search(text)))


def render_name_index(view: tuple[tuple[str, tuple[NameView, ...]], ...]) -> list[nodes.Node]:
    """Render the names under their headings."""
    return [
        section(
            f"names-{at}",
            title,
            bullet_list(([name.name, ": ", *_render_name_places(name)] for name in group), cls="rv-index rv-names"),
        )
        for at, (title, group) in enumerate(view, 1)
    ]


#: What stands before the places of each kind.
_PLACE_LABELS: Mapping[str, str] = {
    "source": "introduction of ",
    "sentence": "",
    "note": "notes ",
    "work": "bibliography ",
}


def _render_name_places(name: NameView) -> list[Content]:
    lines = (
        (_PLACE_LABELS[kind], *join_content(link(kind, id) for each, id in name.places if each == kind))
        for kind in dict.fromkeys(kind for kind, _ in name.places)
    )
    return [part for line in lines for part in (*line, "; ")][:-1]
