"""From a pasted transcription to sentences: plain text with page marks becomes the TEI that everything else cites.

The notation asks for nothing that a typist would not do anyway:

    [p. 5]          a page begins here, in a line of its own or within one; [p. [5]] where the page bears no number;
                    [p. New York 1830, 124] where what follows is from another printing
    # A heading     a chapter begins
                    an empty line ends a paragraph
    a line- end     a hyphen at the end of a line joins, if a small letter follows
    Art.~1          where a stop ends no sentence, ~ stands for the space behind it
    one. || two     where a sentence ends that nobody would guess, || stands
    [... torn off]  something is missing here, and why; pages too that are left out, before the mark of the next
    [teh > the]     a misprint, as it is printed, and what is meant
    % a remark      a line that is no part of the text

Nothing is mended but what no reader would call a change: line ends, spaces, the form of the apostrophe, letters in one
piece. All of it is told, and so is every letter that looks like a slip of a reading machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import escape, quoteattr

from rulebook.problems import Problem
from rulebook.strings import locate_letter, quote_value, single_spaced

#: Words before a stop that ends no sentence, in the languages that may be expected.
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        """Art art p pp S Nr No no n° M MM Mr Mme Mlle Mad etc &c fig Fig vol Vol tom Tom chap Chap ch Ch liv Liv Bl bl
        Hr Hrn Fr St usw bzw vgl Vgl Cap cap sc ib ibid cf Cf viz vid Mrs Dr Prof fol Fol""",
    )
)
_ITEM_NAMES = frozenset(
    ["Article", "Artikel", "Rule", "Law", "Règle", "Loi", "Regel", "Gesetz", "Chapter", "Chapitre", "Kapitel", "§"]
)
#: Letters that stand for others by the whim of a keyboard; they are exchanged, and counted.
_PLAIN_CHARACTERS: Mapping[str, str] = {
    "’": "'",
    "‘": "'",
    "ʼ": "'",
    "\u00a0": " ",
    "\t": " ",
    "\u202f": " ",
    "\u2009": " ",
}
_LIGATURES: Mapping[str, str] = {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ſt", "ﬆ": "st"}
_MAX_ABBREVIATION = 100  #: so many letters before a stop are looked at: no short form is longer
NOISE = frozenset("|~^\\{}<>_*=+#@¬¦•■□▪°©®™")
_PAGE_WORD = r"\[\s*(?:p|pp|page|pag|S|Seite|fol|f)"
_PAGE = r"(?:[^\W\d_][^\[\],\n]{0,60},\s*)?(?:\[\d+\]|\d+)"  #: its number, behind the name of another printing
_PAGE_NOTATION = re.compile(rf"{_PAGE_WORD}\.?\s*({_PAGE})\s*\]", re.IGNORECASE)
_LIKE_A_PAGE = re.compile(rf"{_PAGE_WORD}\.[^\]\n]{{0,80}}\]*", re.IGNORECASE)  #: meant for a mark, and none
_PAGE_MARK = re.compile(rf"\x02({_PAGE})(n?)\x03")  #: a page mark while the text is taken apart
_GAP_NOTATION = re.compile(r"\[\s*(?:\.\.\.|…)\s*([^\[\]\n]{0,200})\]")
_MISPRINT_NOTATION = re.compile(r"\[([^\[\]\n>]{1,100}?)\s*>\s*([^\[\]\n>]{1,100}?)\s*\]")
_GAP_MARK, _MISPRINT_MARK = re.compile("\x0e(\\d+)\x0f"), re.compile("\x10(\\d+)\x11")  #: the same, by their numbers
_UNKNOWN_REASON = "missing in our copy"
#: What the notation would take for its own, in a text that is no notation, while it is taken apart. No file of ours
#: may hold these controls, and XML none at all.
LITERAL_LETTERS = str.maketrans("~|#%[", "\x04\x05\x06\x07\x08")
_LITERAL_BACK = str.maketrans("\x04\x05\x06\x07\x08", "~|#%[")
MARK_BEFORE = re.compile(rf"({_PAGE_MARK.pattern})\s*")
STOP = re.compile(
    r"(?<=[.!?؟।。！？])(?P<close>[\"'»”)\]]*)(?:\s+|(?=[\x02\x0e])|(?<=[。！？]))"
    r"(?=(?:(?:\x02[^\x02\x03]+\x03|\x0e\d+\x0f)\s*)*+[\"'«„“(\[\x08]*(?P<next>[^\W_]|[&\x10]))"
)


#: Words that no reader takes for words. Each pattern begins where a run of letters or digits begins, and gives nothing
#: back once it has taken it: otherwise a long run would be read anew from each of its letters.
WITH_NUMBER = re.compile(r"(?<![^\W\d_])[^\W\d_]++\d++\w*|(?<!\d)\d++[^\W\d_]{2,}")
LONG_WORD = re.compile(r"[^\W\d_]{4,}")
NO_VOWEL = re.compile(r"[^aeiouyàâäæéèêëîïôöœùûüſ]*")
DIVIDED = re.compile(
    "(?<!\\w)(?P<left>\\w++)[-\u00ad]\n\\s*(?P<page>\x02[^\x02\x03]+\x03\\s*)?(?P<right>[a-zà-öø-ÿſ]\\w*)"
)


@dataclass(frozen=True, slots=True)
class PastedBlock:
    """A heading or a paragraph, with its sentences; pages that begin in them are marked."""

    kind: str  #: head | p
    sentences: tuple[str, ...]
    before: tuple[str, ...] = ()  #: pages that begin before it


@dataclass(frozen=True, slots=True)
class Pasted:
    """A transcription taken apart."""

    blocks: tuple[PastedBlock, ...]
    changed: Mapping[str, int]  #: what was put in one form, and how often
    joined: tuple[str, ...]  #: words that were divided at the end of a line
    doubts: tuple[Problem, ...] = ()  #: letters that look like slips
    gaps: tuple[str, ...] = ()  #: why something is missing, in their order
    misprints: tuple[tuple[str, str], ...] = ()  #: what is printed, and what is meant
    page_lines: tuple[int, ...] = ()  #: the line of every page mark in the transcription

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return sum(len(block.sentences) for block in self.blocks)

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages, in order."""
        texts = (text for block in self.blocks for text in (*block.before, *block.sentences))
        return tuple(match[1] for text in texts for match in _PAGE_MARK.finditer(text))


# ---- taking it apart
@dataclass(slots=True)
class Paste:
    """A transcription on the table, with notes on what is done to it."""

    file: str
    broken: bool = False  #: whether its record says already that it breaks off
    changed: Counter[str] = field(default_factory=Counter)
    joined: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    misprints: list[tuple[str, str]] = field(default_factory=list)

    def apart(self, letters: str) -> Pasted:
        """Blocks, sentences, pages."""
        letters = re.sub(r"^%.*$", "", letters, flags=re.MULTILINE)
        finders = (find_ocr_slips, find_unsure_stops, find_unread_page_marks)
        doubts = [problem for find in finders for problem in find(self.file, letters.translate(_LITERAL_BACK))]
        text = _PAGE_NOTATION.sub(lambda match: f"\x02{match[1]}\x03", self.uniform(letters))
        text = _MISPRINT_NOTATION.sub(self.mark_misprint, _GAP_NOTATION.sub(self.mark_gap, text))
        doubts += find_unended_sentences(self.file, _GAP_MARK.sub("…", text), self.broken)
        blocks = tuple(self.blocks(self.unhyphenated(text)))
        kept = tuple(self.joined), tuple(sorted(doubts)), tuple(self.gaps), tuple(self.misprints)
        lines = tuple(locate_letter(letters, match.start())[0] for match in _PAGE_NOTATION.finditer(letters))
        return Pasted(blocks, dict(self.changed), *kept, lines)

    def mark_gap(self, found: re.Match[str]) -> str:
        """Note a gap, and put its number in its place."""
        self.gaps.append(single_spaced(found[1].replace("~", " ").translate(_LITERAL_BACK)) or _UNKNOWN_REASON)
        return f"\x0e{len(self.gaps)}\x0f"

    def mark_misprint(self, found: re.Match[str]) -> str:
        """Note a misprint and what is meant, and put its number in its place."""
        printed, meant = (single_spaced(words.replace("~", " ").translate(_LITERAL_BACK)) for words in found.groups())
        self.misprints.append((printed, meant))
        return f"\x10{len(self.misprints)}\x11"

    def uniform(self, letters: str) -> str:
        """One form for what a keyboard writes in several."""
        text = letters.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        if text != letters:
            self.changed["line ends, or a mark at the beginning of the file"] += 1
        whole = unicodedata.normalize("NFC", text)
        if whole != text:
            self.changed["accented letters that were written in two pieces"] += 1
        for old, new in {**_PLAIN_CHARACTERS, **_LIGATURES}.items():
            if times := whole.count(old):
                self.changed[f"{unicodedata.name(old, repr(old)).lower()} to {quote_value(new)}"] += times
                whole = whole.replace(old, new)
        return whole

    def unhyphenated(self, text: str) -> str:
        """Words divided at the end of a line are whole again; a page may begin within one."""

        def whole(match: re.Match[str]) -> str:
            self.joined.append(f"{match['left']}{match['right']}")
            within = (match["page"] or "").strip().replace("\x03", "n\x03")
            return f"{match['left']}{within}{match['right']}"

        return DIVIDED.sub(whole, text)

    def blocks(self, text: str) -> list[PastedBlock]:
        """Headings and paragraphs, each with the pages that begin right before it.

        A gap that stands alone goes to the sentence before it, or to the next where a page has begun since.
        """
        blocks: list[PastedBlock] = []
        waiting: list[str] = []
        gaps = ""
        for kind, words, _ in _split_pieces(text):
            at = 0
            while match := MARK_BEFORE.match(words, at):
                waiting.append(match[1])
                at = match.end()
            rest = words[at:]
            if rest and not _PLACE_MARK.sub("", rest).strip():
                gap = " ".join(match[0] for match in _GAP_MARK.finditer(rest))
                if blocks and not waiting:
                    *before, last = blocks[-1].sentences
                    blocks[-1] = replace(blocks[-1], sentences=(*before, f"{last} {gap}"))
                else:
                    gaps += f"{gap} "
                waiting += (match[0] for match in _PAGE_MARK.finditer(rest))
            elif rest:
                blocks.append(PastedBlock(kind, tuple(_split_sentences(gaps + rest)), tuple(waiting)))
                waiting, gaps = [], ""
        if waiting:
            self.changed["a page without words at the end, left out"] += len(waiting)
        return blocks


_PLACE_MARK = re.compile(f"{_PAGE_MARK.pattern}|{_GAP_MARK.pattern}")
_PIECE_END = re.compile(r"\n\s*\n|(?=^#)|(?<=\n)(?=#)")


def _split_pieces(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield headings and paragraphs: the kind, the words, and where they end in the text."""
    begun = 0
    for end, after in (*((match.start(), match.end()) for match in _PIECE_END.finditer(text)), (len(text), 0)):
        piece, closed = text[begun:end], begun + len(text[begun:end].rstrip())
        head, _, rest = piece.strip().partition("\n") if piece.strip().startswith("#") else ("", "", piece)
        if head:
            yield "head", single_spaced(head.lstrip("# ")), closed
        if rest.strip():
            yield "p", single_spaced(rest), closed
        begun = after


def _split_sentences(words: str) -> Iterator[str]:
    """Split a paragraph at its stops, unless after a short form, a letter or a number."""
    begun = 0
    for match in STOP.finditer(words):
        before = words[max(begun, match.start() - _MAX_ABBREVIATION) : match.start()]
        begins = not match["next"].islower() or _ROMAN_ITEM.match(words, match.end())
        if begins and _can_end_sentence(before):
            yield from _split_by_hand(words[begun : match.start()] + match["close"])
            begun = match.end()
    yield from _split_by_hand(words[begun:])


_ROMAN = r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_ROMAN_ITEM = re.compile(rf"[(\[]?{_ROMAN}\.[)\]]?\s+[\"'«„“(\[]*[A-ZÀ-ÖØ-Þ]")  #: ii. before a sentence is its number
_ROMAN_ALONE = re.compile(rf"\W*{_ROMAN}\.", re.IGNORECASE)


def _can_end_sentence(words: str) -> bool:
    if _ROMAN_ALONE.fullmatch(words):
        return False
    last = re.findall(r"[^\s'\"«„“(\[\x08]*$", words.rstrip(".!?"))[0]
    return not (words.endswith(".") and (last in _ABBREVIATIONS or len(last) == 1 or last.isdigit()))


def _split_by_hand(words: str) -> Iterator[str]:
    """Yield the parts that the typist has divided by hand; a ~ is a space again."""
    parts = (part.replace("~", " ").translate(_LITERAL_BACK) for part in words.split("||") if part.strip())
    yield from map(single_spaced, parts)


#: A stop behind a number, where a capital follows in the same paragraph: the end of a sentence, or an ordinal.
_NUMBER_STOP = re.compile(r"""(?<=\s)\d+\.(?!\s*\n\s*\n)(?=\s+["'«„“(\[]*[A-ZÀ-ÖØ-Þ])""")


def find_unsure_stops(file: str, letters: str) -> Iterator[Problem]:
    """Yield every number with a stop, within a paragraph, behind which a sentence may end."""
    for match in _NUMBER_STOP.finditer(letters):
        begun = max(letters.rfind("\n\n", 0, match.start()), _find_heading_end(letters, match.start()), 0)
        before = _PAGE_NOTATION.sub("", letters[max(begun, match.start() - _MAX_ABBREVIATION) : match.start()]).split()
        if not before or before[-1].strip("(").rstrip(".") in _ABBREVIATIONS | _ITEM_NAMES or before[-1][-1] in ".!?":
            continue  # the number of an item, or of a page
        if before[-1].endswith(":") and match[0] == "1.":
            continue  # the first of a list, whose other numbers follow a stop
        what = f"does a sentence end behind {quote_value(match[0])}? It was not parted there"
        way_out = f"if it does, write || behind the stop: {match[0]} ||; if not, ~ for the space: {match[0]}~"
        yield Problem(file, *locate_letter(letters, match.start()), what, way_out)


def _find_heading_end(letters: str, place: int) -> int:
    """Return where the heading ends that stands right above the line of a place; -1 if there is none."""
    end = letters.rfind("\n", 0, place)
    return end if end >= 0 and letters[letters.rfind("\n", 0, end) + 1 : end].startswith("#") else -1


_HINT_PAGE = (
    "a page mark has the printed number in digits: [p. 5]; [p. [5]] where the page bears none, [p. New York 1830, 5] "
    "for another printing; a page whose number nobody has seen needs no mark: take it out, and name the scan in "
    "source.yaml"
)


def find_unread_page_marks(file: str, letters: str) -> Iterator[Problem]:
    """Yield what looks like a page mark and is taken for text."""
    for match in _LIKE_A_PAGE.finditer(_PAGE_NOTATION.sub(lambda mark: "\0" * len(mark[0]), letters)):
        what = f"{quote_value(match[0])} is taken for text, not for a page"
        yield Problem(file, *locate_letter(letters, match.start()), what, _HINT_PAGE)


# ---- sentences without a stop
_STOPS, _CLOSERS = ".!?:;…؟।。！？", " \t\n\"'»«”“’)]"
_MAX_UNENDED = 3  #: sentences without a stop that are named with their line; the rest is numbered
_BREAKS_OFF = "if the text breaks off here, say so in source.yaml: breaks_off"


def has_final_stop(words: str) -> bool:
    """Return whether a sentence ends with a stop, or with a mark that leads on to the next."""
    return words.rstrip(_CLOSERS).endswith((*_STOPS,))


def find_unended_sentences(file: str, text: str, broken: bool = False) -> Iterator[Problem]:
    """Yield the last sentences of paragraphs that have no stop: an empty line may have parted them, or an end cut off.

    Whoever types headings without a # has many; so those that surely go on, in a small letter, come first.
    """
    pieces = [(kind, single_spaced(_PAGE_MARK.sub(" ", words)), end) for kind, words, end in _split_pieces(text)]
    pieces = [(kind, words, end) for kind, words, end in pieces if words.strip("… ")]
    number, open_ = 0, list[tuple[bool, int, int]]()
    for at, (kind, words, end) in enumerate(pieces):
        number += len([*_split_sentences(words)])
        last = at + 1 == len(pieces)
        if kind == "p" and not has_final_stop(words) and not (last and broken):
            open_.append((not (last or pieces[at + 1][1][0].islower()), number, end))
    rest = ", ".join(str(nth) for _, nth, _ in sorted(open_)[_MAX_UNENDED:])
    for at, (_, nth, end) in enumerate(sorted(open_)[:_MAX_UNENDED], 1):
        more = f"; nor have {rest}" if rest and at == _MAX_UNENDED else ""
        way_out = f"if it goes on in sentence {nth + 1}, take out the empty line and import again; if it is a heading, "
        way_out = "" if nth == number else f"{way_out}put # before it; "
        yield Problem(file, *locate_letter(text, end), f"sentence {nth} has no stop{more}", way_out + _BREAKS_OFF)


# ---- slips of a reading machine
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")


def find_control_characters(file: str, letters: str) -> list[Problem]:
    """Find the first control character; no XML may hold one."""
    match = _CONTROL.search(letters)
    what = f"a control character, U+{ord(match[0]):04X}" if match else ""
    return [Problem(file, *locate_letter(letters, match.start()), what, "take it out")] if match else []


#: What the notation itself writes into a line.
_NOTATION = re.compile(
    "|".join([*(one.pattern for one in (_PAGE_NOTATION, _GAP_NOTATION, _MISPRINT_NOTATION)), r"^#+|\|\||~"]),
    re.IGNORECASE,
)


def find_ocr_slips(file: str, letters: str) -> Iterator[Problem]:
    """Yield every letter that hardly stood on the page."""
    for number, line in enumerate(letters.split("\n"), 1):
        plain = _NOTATION.sub(lambda match: " " * len(match[0]), line)
        for at, what, way_out in sorted(_find_doubts(plain)):
            yield Problem(file, number, at + 1, what, way_out)


def _find_doubts(line: str) -> Iterator[tuple[int, str, str]]:
    doubts = {letter: what for letter in set(line) if (what := _describe_doubt(letter))}
    for at, letter in enumerate(line if doubts else ""):
        if letter in doubts:
            yield at, doubts[letter], "look at the page; write what stands there"
    for match in WITH_NUMBER.finditer(line):
        yield (
            match.start(),
            f"a number within a word: {quote_value(match[0])}",
            "is it a letter that the machine misread?",
        )
    for match in LONG_WORD.finditer(line):
        scripts = {unicodedata.name(letter, "?").split()[0] for letter in set(match[0])}
        if len(scripts & {"LATIN", "CYRILLIC", "GREEK"}) > 1:
            yield match.start(), f"letters of two alphabets: {quote_value(match[0])}", "write the word again"
        elif scripts == {"LATIN"} and NO_VOWEL.fullmatch(match[0].lower()) and not match[0].isupper():
            yield match.start(), f"a word without a vowel: {quote_value(match[0])}", "look at the page"


def _describe_doubt(letter: str) -> str:
    """Explain why a letter is doubtful; empty if it is not."""
    kind = unicodedata.category(letter)
    if letter in NOISE or letter == "\ufffd":
        return f"the sign {quote_value(letter)}"
    if kind in ("Cc", "Cf", "Co", "Cn", "Cs") and letter not in "\t\u00ad\ufeff\r":
        return f"an invisible letter, U+{ord(letter):04X}"
    return ""


# ---- as TEI
def as_tei(
    pasted: Pasted,
    siglum: str,
    language: str,
    title: str,
    passes: Mapping[str, str],
    copy: str = "",
    publisher: str = "the edition",
) -> str:
    """The transcription in the profile of the edition; *copy* says what it was made from."""
    number, rows, open_, first = 0, list[str](), False, next(iter(passes), "")
    for block in pasted.blocks:
        if block.kind == "head":
            rows += [*(["      </div>"] if open_ else []), "      <div>"]
            open_ = True
        elif not open_:
            rows.append("      <div>")
            open_ = True
        rows += [f"        {_render_page_break(mark)}" for mark in block.before]
        elements = [
            f'<s xml:id="{siglum}.s{number + at:04}">{_render_words(words, pasted, siglum, first)}</s>'
            for at, words in enumerate(block.sentences, 1)
        ]
        number += len(elements)
        rows.append(f"        <{block.kind}>" + "\n          ".join(elements) + f"</{block.kind}>")
    body = "\n".join([*rows, *(["      </div>"] if open_ else [])])
    return _TEI_TEMPLATE.format(
        siglum=siglum,
        language=language,
        title=escape(title),
        publisher=escape(publisher),
        origin=escape(". ".join(filter(None, (title, copy)))),
        passes="\n".join(
            PASS.format(id=quoteattr(id), name=escape(id), role=escape(role)) for id, role in passes.items()
        ),
        mended=escape(_describe_changes(pasted)),
        joined=escape(f"Line ends are not kept. {', '.join(pasted.joined) or 'No word'} had been divided at one."),
        english="" if language == "en" else '\n        <language ident="en">English, in this header</language>',
        body=body,
    )


def _render_words(words: str, pasted: Pasted, siglum: str, coder: str) -> str:
    """Render a sentence with its pages, gaps and misprints."""

    def render_misprint(found: re.Match[str]) -> str:
        printed, meant = map(escape, pasted.misprints[int(found[1]) - 1])
        said = f'xml:id="{siglum}.e{int(found[1]):02}" resp="#{coder}" cert="high" evidence="internal"'
        return f"<choice><sic>{printed}</sic><corr {said}>{meant}</corr></choice>"

    paged = _PAGE_MARK.sub(lambda found: _render_page_break(found[0]), escape(words))
    whole = _GAP_MARK.sub(lambda found: f"<gap reason={quoteattr(pasted.gaps[int(found[1]) - 1])}/>", paged)
    return _MISPRINT_MARK.sub(render_misprint, whole)


def _render_page_break(mark: str) -> str:
    within = {"": "", "n": ' break="no"'}
    return "".join(f'<pb n="{match[1]}"{within[match[2]]}/>' for match in _PAGE_MARK.finditer(mark))


def _describe_changes(pasted: Pasted) -> str:
    if not pasted.changed:
        return "Nothing was changed when the text was taken over."
    changes = "; ".join(f"{what} ({times})" for what, times in sorted(pasted.changed.items()))
    return f"Put in one form when the text was taken over: {changes}."


PASS = """        <respStmt xml:id={id}>
          <resp>{role}</resp>
          <name>{name}</name>
        </respStmt>"""

_TEI_TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="{siglum}" xml:lang="{language}">
  <teiHeader xml:lang="en">
    <fileDesc>
      <titleStmt>
        <title xml:lang="{language}">{title}</title>
{passes}
      </titleStmt>
      <publicationStmt>
        <publisher>{publisher}</publisher>
        <availability>
          <licence target="https://creativecommons.org/licenses/by/4.0/">Encoding, head and notes: CC BY 4.0.</licence>
        </availability>
      </publicationStmt>
      <sourceDesc>
        <p>{origin}</p>
      </sourceDesc>
    </fileDesc>
    <encodingDesc>
      <editorialDecl>
        <correction>
          <p>{mended}</p>
        </correction>
        <hyphenation>
          <p>{joined}</p>
        </hyphenation>
        <segmentation>
          <p>The s element is the unit of reference. Sentences were told apart by their stops.</p>
        </segmentation>
      </editorialDecl>
    </encodingDesc>
    <profileDesc>
      <langUsage>
        <language ident="{language}">of the text</language>{english}
      </langUsage>
    </profileDesc>
  </teiHeader>
  <text>
    <body>
{body}
    </body>
  </text>
</TEI>
"""
