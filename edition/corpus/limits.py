"""Limits on how much of a large edition one page shows.

So no edition grows faster than its sources do.

Five sources make ten pages on which two of them stand side by side; a hundred would make 4,950. So what concerns
every two sources is laid out while the sources are few; beyond that a page shows a choice, says so, and names the
command that shows the rest.
"""

from __future__ import annotations

MAX_PAIRED_SOURCES = 8  #: with more sources than these, no page compares every two of them
MAX_NAVIGATION_SOURCES = 12  #: so many sources stand one by one in the navigation beside every page
MAX_INDEX_SOURCES = 12  #: so many sources are named at a word of the index, each with its sentences
MAX_WORDS_ON_PAGE = 450  #: of one language in the index of words; if there are more, every letter has a page
