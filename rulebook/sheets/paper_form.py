"""Sheet of paper for an archive without a network: every question on two A4 pages, to be filled in by hand.

A page of HTML that any browser prints. The height of the rows follows from their number, so that two pages suffice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice

from rulebook.model import Question
from rulebook.program_name import name_command

_COLUMNS = 2  #: on each page
_HEIGHTS = (219.0, 271.0)  #: mm for rows on the first page, below the instructions, and on the second
_TALLEST, _STEP = 8.0, 0.05  #: mm
_SIZES = {34: 7.0, 98: 5.4, 150: 4.8}  #: letters of a question, at most -> points, that it may fit two lines


def render_paper(questions: Mapping[str, Question], library: str, title: str = "") -> str:
    """Render the sheet of paper of a library, for a source if its title is given."""
    rows = list(_iter_rows([question for question in questions.values() if not question.by]))
    height = compute_row_height(len(rows))
    left = iter(rows)
    pages = ["".join(_render_column(islice(left, int(tall / height))) for _ in range(_COLUMNS)) for tall in _HEIGHTS]
    return _PAGE.format(
        style=_STYLE.replace("ROW", f"{height:.2f}mm"),
        library=escape(library),
        title=escape(title),
        first=pages[0],
        second=pages[1],
        at_home=" ".join(f"<code>{name_command(words)}</code> {what}" for words, what in _AT_HOME),
    )


def compute_row_height(rows: int) -> float:
    """Compute the greatest height of a row, in mm, at which so many rows have room on two pages."""
    steps = (_TALLEST - _STEP * at for at in range(int(_TALLEST / _STEP)))
    return next(step for step in steps if sum(_COLUMNS * int(tall / step) for tall in _HEIGHTS) >= rows)


def _iter_rows(questions: Sequence[Question]) -> Iterator[str]:
    """Yield a row for each group, and below it one for each of its questions."""
    for group in dict.fromkeys(question.group for question in questions):
        yield f'<tr class="group"><th colspan="4">{escape(group)}</th></tr>'
        yield from (_render_row(question) for question in questions if question.group == group)


def _render_row(question: Question) -> str:
    size = next((points for most, points in _SIZES.items() if len(question.asks) <= most), min(_SIZES.values()))
    asks = f'<p style="font-size: {size}pt">{escape(question.asks)}</p>'
    return f"<tr><td>{question.id}</td><td>{asks}</td><td></td><td></td></tr>"


def _render_column(rows: Iterable[str]) -> str:
    return f"<table><thead><tr>{_HEADINGS}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _render_list(entries: Sequence[str]) -> str:
    return "".join(f"<li>{entry}</li>" for entry in entries)


_HEADINGS = "<th></th><th>Question</th><th>Answer</th><th>Sent.</th>"
_AT_HOME = (  #: commands in their order, and what is done with each
    ("new-source ABC", "begins its folder; type the text into text.txt there, breaks_off into source.yaml."),
    ("import-text ABC", "numbers the sentences."),
    ("sheet ABC --out abc.csv", "has these questions: type your answers in."),
    ("sheet ABC --read abc.csv --write", "takes them over."),
    ("check", "says what is amiss."),
)
_INSTRUCTIONS = _render_list(
    (
        "<b>Copy or photograph the text first</b>, page by page. Write the page number where a page begins.",
        "<b>Number the sentences</b> in pencil on your copy: 1, 2, 3 … A heading counts. A sentence ends with a full "
        "stop, a question mark or an exclamation mark; not after an abbreviation, nor after a number within it.",
        "<b>Go from question to question.</b> Write the answer in your own words or the source’s, and the number of "
        "the sentence beside it. If two sentences say it, write both numbers.",
        "<b>?</b> not looked for yet. <b>–</b> you have read all of it, and it does not say. <b>n/a</b> another answer "
        "of the source rules the question out. Never leave a box empty that you have decided. <b>If the text breaks "
        "off</b>, write where: – then says only that it is not in the part consulted.",
        "<b>Two ways to read the words?</b> Write the likelier answer, and the other on the back, with the number of "
        "the question. Mark words that you cannot read with [ … ].",
        "<b>At home</b>, with your siglum for ABC: {at_home}",
    )
)
_STYLE = """
@page { size: A4; margin: 8mm; }
* { box-sizing: border-box; margin: 0; padding: 0; }
body { font: 7pt/1 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; color: #000; background: #fff; }
section { width: 194mm; height: 280mm; overflow: hidden; display: grid; padding: 0 0.2mm;
  grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 3mm;
  align-content: start; margin: 0 auto; }
section + section { break-before: page; }
header { grid-column: 1 / -1; height: 51mm; overflow: hidden; }
h1 { font-size: 11pt; line-height: 5mm; }
.facts { display: grid; grid-template-columns: 2fr 2fr 1fr; gap: 3mm; height: 8mm; font-size: 8pt; margin-bottom: 2mm; }
.facts span { border-bottom: 0.2mm solid #777; padding-top: 4mm; white-space: nowrap; overflow: hidden; }
ol { columns: 2; column-gap: 5mm; padding-left: 4mm; font-size: 7pt; line-height: 1.15; }
code { font-family: inherit; font-weight: bold; }
li { break-inside: avoid; margin-bottom: 0.7mm; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; align-self: start; }
tr { height: ROW; }
td, thead th { border: 0.2mm solid #777; overflow: hidden; vertical-align: middle; padding: 0 0.6mm; }
thead tr { height: 4mm; }
th { text-align: left; font-size: 7pt; }
td:nth-child(1), th:nth-child(1) { width: 8mm; padding: 0 0.3mm; }
td:nth-child(3), thead th:nth-child(3) { width: 24mm; }
td:nth-child(4), thead th:nth-child(4) { width: 8mm; }
thead th:nth-child(1) { width: 8mm; }
td p { max-height: ROW; overflow: hidden; }
.group th { border: 0; vertical-align: bottom; padding-bottom: 0.3mm; }
"""
_PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{library}}: questions on paper</title>
<style>{{style}}</style>
</head>
<body>
<section>
<header>
<h1>{{library}}: what does this source say?</h1>
<p class="facts"><span>Source: <b>{{title}}</b></span>
<span>Library, shelfmark, pages:</span><span>Date, initials:</span></p>
<ol>{_INSTRUCTIONS}</ol>
</header>
{{first}}
</section>
<section>
{{second}}
</section>
</body>
</html>
"""
