"""Typographic signs in our own English: quotation marks, apostrophes, minus signs."""

from __future__ import annotations

import re

_HYPHEN_BEFORE_NUMBER = re.compile(r"(?<![\w-])-(?=\s?\d)")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)|(?<=s)'(?=\s|$)|^'(?=s\b)")


def use_minus_signs(words: str) -> str:
    """Text with true minus signs before its numbers; records and commands keep the hyphen."""
    return _HYPHEN_BEFORE_NUMBER.sub("\N{MINUS SIGN}", words)


def curl_quotes(words: str, quoting: bool = False) -> tuple[str, bool]:
    """Text with curled quotation marks and apostrophes, and whether a quotation is left open.

    Within quotation marks, and in what follows if `quoting`, apostrophes stay as they are: the words may be a source's.
    """
    curled = ""
    for at, piece in enumerate(words.split('"')):
        if at:
            quoting = not quoting
            curled += "“" if quoting else "”"
        curled += piece if quoting else _APOSTROPHE.sub("’", piece)
    return curled, quoting
