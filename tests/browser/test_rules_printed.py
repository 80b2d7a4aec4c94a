"""Rules on paper and unfolded: at most four pages, a card of one sheet, evidence behind a superscript."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.books import read_pdf_texts
from tests.support.site import parsed
from tests.support.tiers import mark_for_release

pytestmark = [pytest.mark.slow, pytest.mark.browser]

MOST_PAGES = 4
LEAST_POINTS = 9


def rule_pages(site: Path) -> list[Path]:
    """The pages of rules, without the cards."""
    paths = [path for path in sorted(site.glob("howto/*.html")) if not path.stem.endswith("-card")]
    assert paths
    return paths


def pages_asked(site: Path, whole: bool) -> list[Path]:
    """All of them, or the one on which most stands."""
    found = rule_pages(site)
    return found if whole else [max(found, key=lambda page: page.stat().st_size)]


def cards_asked(site: Path, whole: bool) -> list[Path]:
    """All cards, or the one on which most stands: it need not be that of the longest rules."""
    found = [card_of(page) for page in rule_pages(site)]
    return found if whole else [max(found, key=lambda card: len(parsed(card).find(".//article").text_content()))]


either = pytest.mark.parametrize("whole", [False, mark_for_release(True)], ids=["the longest", "all pages"])


def card_of(page: Path) -> Path:
    return page.with_name(f"{page.stem}-card.html")


def printed_pages(browser: Any, page: Path) -> list[str]:
    """Text of each sheet that the browser prints."""
    tab = browser.new_page()
    tab.goto(page.as_uri())
    tab.evaluate("document.fonts.ready")
    made = tab.pdf(format="A4")
    tab.close()
    return read_pdf_texts(made)


@either
def test_rules_are_printed_on_four_pages_and_no_evidence_is_unfolded_there(
    browser: Any, site: Path, whole: bool
) -> None:
    for page in pages_asked(site, whole):
        sheets = printed_pages(browser, page)
        assert len(sheets) <= MOST_PAGES, page.name
        assert "Full rules" in "".join(sheets) and "Sentences of the book" not in "".join(sheets)


_SMALL_LETTERS = """least => [...document.querySelectorAll("article *")]
  .filter((node) => node.checkVisibility() && [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((node) => !node.closest(".rv-unseen, sup"))
  .filter((node) => parseFloat(getComputedStyle(node).fontSize) < least * 96 / 72 - 0.01)
  .map((node) => node.textContent.slice(0, 60))"""


@either
def test_nothing_is_printed_in_letters_below_nine_points(browser: Any, site: Path, whole: bool) -> None:
    tab = browser.new_page()
    tab.emulate_media(media="print")
    for page in [one for rules in pages_asked(site, whole) for one in (rules, card_of(rules))]:
        tab.goto(page.as_uri())
        assert tab.evaluate(_SMALL_LETTERS, LEAST_POINTS) == [], page.name
    tab.close()


@either
def test_a_card_is_one_sheet_with_every_line(browser: Any, site: Path, whole: bool) -> None:
    for card in cards_asked(site, whole):
        tab = browser.new_page()
        tab.goto(card.as_uri())
        number = tab.locator(".rv-short-lines li").count()
        tab.close()
        sheets = printed_pages(browser, card)
        assert len(sheets) == 1, card.name
        assert 12 <= number <= 20 and f"{number}." in sheets[0], card.name


def test_the_card_has_a_button_that_prints_it(browser: Any, site: Path) -> None:
    tab = browser.new_page()
    tab.add_init_script("window.printed = 0; window.print = () => { window.printed += 1; };")
    tab.goto(card_of(rule_pages(site)[0]).as_uri())
    tab.get_by_role("button", name="Print this card").click()
    assert tab.evaluate("window.printed") == 1
    tab.close()


@either
@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_a_superscript_unfolds_what_a_line_rests_on(browser: Any, site: Path, script: bool, whole: bool) -> None:
    context = browser.new_context(java_script_enabled=script)
    tab = context.new_page()
    for page in pages_asked(site, whole):
        tab.goto(page.as_uri())
        for folded in (tab.locator(".rv-short-lines details").first, tab.locator(".rv-rules details").first):
            shown = folded.locator(".rv-evidence-shown, .rv-grounds").first
            assert not shown.is_visible()
            folded.locator("summary").click()
            assert shown.is_visible() and shown.inner_text().strip()
    context.close()
