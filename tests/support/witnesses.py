"""An invented witness of the invented library's text."""

from __future__ import annotations

from pathlib import Path

from tests.support.library import HEADER

WITNESS, RAW = "AAA/witnesses/WIT.xml", "AAA/witnesses/WIT.txt"

_HEADER = (
    HEADER.replace('xml:id="ed1"', 'xml:id="col1"')
    .replace(
        "<p>made up</p>",
        '<bibl><title>Tolls</title><date when="1701">1701</date>'
        '<biblScope unit="consulted" from="AAA.s0001" to="AAA.s0003">to the middle of s0003</biblScope>'
        "<note>invented</note></bibl>",
    )
    .replace("nothing was mended", "a letter was read")
)
XML = f"""<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="WIT" xml:lang="fr">
{_HEADER}
<text><body><div>
<head><s corresp="text.xml#AAA.s0001">DU PEAGE.</s></head>
<fw type="page">3</fw>
<p><s corresp="text.xml#AAA.s0002">Celui qui <choice><sic>menc</sic><corr resp="#col1">mene</corr></choice> reçoit
trois jettons de chacun.</s>
<s corresp="text.xml#AAA.s0003">On le paye double, dans la prem<gap reason="not consulted"/></s></p>
</div></body>
<back><listApp>
<app type="substantive" corresp="text.xml#AAA.s0002"><lem>deux</lem><rdg>trois</rdg>
<note type="reason" resp="#col1">Another sum.</note>
<note type="moves" n="Q002" resp="#col1">Three, not two.</note></app>
</listApp></back>
</text></TEI>
"""
TRANSCRIPTION = """\
# Invented.
DU PEAGE.
3
Celui qui menc reçoit trois jettons de chacun. On le paye double, dans la prem
"""


def add_witness(root: Path) -> Path:
    """Add the witness to the invented library."""
    (root / WITNESS).parent.mkdir(exist_ok=True)
    (root / WITNESS).write_text(XML, encoding="utf-8", newline="\n")
    (root / RAW).write_text(TRANSCRIPTION, encoding="utf-8", newline="\n")
    text = (root / "AAA/text.xml").read_text(encoding="utf-8")
    external = text.replace('evidence="internal"', 'evidence="external"')
    (root / "AAA/text.xml").write_text(external, encoding="utf-8", newline="\n")
    return root
