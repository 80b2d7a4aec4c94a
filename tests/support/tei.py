"""The schema of TEI as its makers publish it, cut to what some documents use: to compile the whole takes seconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from lxml import etree

from rulebook.tei.document import XML_ID
from rulebook.tei.schema import prune_tei_schema


def cut_tei(documents: Iterable[etree._Element]) -> etree.RelaxNG:
    """TEI as its makers publish it, without what stands in none of these."""
    held, borne = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for one in (one for document in documents for one in document.iter(etree.Element)):
        name = etree.QName(one).localname
        held[name] |= {etree.QName(child).localname for child in one.iterchildren(etree.Element)}
        held[name] |= {"TEXT"} if "".join(one.xpath("text()")).strip() else set()
        borne[name] |= {str(key).replace(XML_ID.removesuffix("id"), "xml:") for key in one.attrib}
    profile = {name: f"{' '.join(sorted(held[name]))} | {' '.join(sorted(borne[name]))}" for name in held}
    return etree.RelaxNG(etree.fromstring(prune_tei_schema(profile=profile)))
