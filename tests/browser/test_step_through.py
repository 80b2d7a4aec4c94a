"""A worked deal on its table, stepped through in a browser; what is seen there is held against the command line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from lxml import html

from edition.analysis.deal_views import DealView, worked_deal_views
from edition.analysis.ledgers import names_of
from edition.cli.main import cli
from edition.data.deals import readable_deals
from edition.views.deals import deal as deals
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.support.tiers import mark_for_release, sample
from tests.support.waiting import until
from tests.support.windows import Open, windows

FOUR = "pam-quinola-forced-opposite-last"
LED = "aca-quinola-led"  # four sources see it in four ways
FIVE = "aca-five-players"

SEEN = """() => {
  const seen = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility());
  const text = (what) => seen(what).map((one) => one.innerText.trim());
  return {
    paid: seen(".rv-items > :not(.rv-elsewhere) .rv-posting").map((one) => one.innerText),
    sums: Object.fromEntries([...seen(".rv-seatbox"), ...seen(".rv-aside")].map((one) => [
      one.querySelector(".rv-seat-name").innerText, one.querySelector(".rv-sum")?.innerText])),
    refusing: text(".rv-refusing").join(" "), refused: text(".rv-items .rv-refusal, ul.rv-items > .rv-item"),
    where: text(".rv-where").join(""), held: seen(".rv-seatbox .rv-fan li").length, lying: text(".rv-trick .rv-by"),
    told: text(".rv-told").join(""), differs: text(".rv-stage .rv-differs"), items: seen(".rv-items > li").length,
    chosen: document.querySelector("input[name=rv-source]:checked").value,
  };
}"""


#: To the last trick by the rules of a source: the first time one step after the other, then at once.
TO_THE_END = """(source) => {
  document.querySelector(`input[name=rv-source][value=${source}]`).click();
  const next = document.querySelector("button[aria-label='Next trick']");
  while (next.getAttribute("aria-disabled") !== "true") next.click();
}"""

# --- what the script reads ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def views(library: Library) -> Mapping[str, DealView]:
    return {one.id: one for one in worked_deal_views(library)}


def test_the_points_of_the_tricks_add_up_to_what_the_engine_counts(
    library: Library, views: Mapping[str, DealView]
) -> None:
    for deal in readable_deals(library):
        for one in (each for each in views[deal.id].ledgers if each.takers):
            counted: Counter[str] = Counter()
            for taker, points in zip(one.takers, one.points, strict=True):
                counted[taker] += points
            found = replay_deal(deal, Ask(resolve(library, one.source))).measures.points
            assert [counted[seat] for seat in deal.seats] == list(found), (deal.id, one.source)


def test_an_entry_has_a_name_of_its_own_and_the_same_by_every_source(views: Mapping[str, DealView]) -> None:
    for view in views.values():
        for one in view.ledgers:
            names = list(names_of(one.entries))
            assert len(set(names)) == len(names), (view.id, one.source)
    led = views[LED]
    assert {"1.led.JH.1", ".partie..1"} <= set(names_of(led.ledger("PAM").entries))
    assert {"1.led.JH.1", ".partie..1"} <= set(names_of(led.ledger("ACA").entries))


def test_every_trick_by_every_source_has_an_address(views: Mapping[str, DealView]) -> None:
    (made,) = deals.render_takers_table(views[LED])
    ids = [id for node in made.findall() if hasattr(node, "attributes") for id in node["ids"]]
    assert {f"t{n}-{one.source}" for one in views[LED].ledgers for n in range(1, 12)} <= set(ids)


def test_a_deal_that_nobody_plays_has_no_table_of_takers(views: Mapping[str, DealView]) -> None:
    bare = next(one for one in views.values() if not one.tricks)
    assert deals.render_takers_table(bare) == []


# --- in a browser ---------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    """A deal's page, opened from the folder."""
    with windows(browser, f"{site.as_uri()}/", timeout=15_000) as opens:
        yield lambda deal, address="", **how: opens(f"deals/{deal}.html{address}", **how)


def balance(paid: list[str]) -> Counter[str]:
    """What the visible rows add up to: "south to west 10 fiches"."""
    net: Counter[str] = Counter()
    for line in paid:
        payer, _, payee, amount, *_ = line.split()
        net[payer] -= int(amount)
        net[payee] += int(amount)
    return net


def told_by_the_command(names: list[str]) -> list[dict[str, Any]]:
    """`reversis run --all --format json`, a line for every deal and source."""
    done = CliRunner().invoke(cli, ["run", *names, "--all", "--format", "json"])
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("every", [33, mark_for_release(1)])
def test_every_ledger_after_the_last_trick_is_that_of_the_command_line(
    opened: Open, site: Path, library: Library, every: int
) -> None:
    """The rows that a reader sees add up to `net`, and so do the sums at the seats, by the rules of every source.

    Of the deals every thirty-third is tried, and before a release every one.
    """
    names = [one.stem for one in sorted((site / "deals").glob("*.html"))][::every]
    results = told_by_the_command(names)
    assert len(results) == len(names) * len(library.sources)
    context = opened(names[0], reduced_motion="reduce").context
    for at, name in enumerate(names):
        tab = context.new_page()  # a tab that has seen many pages is slow
        tab.goto((site / "deals" / f"{name}.html").as_uri(), wait_until="domcontentloaded")
        for one in results[at * len(library.sources) : (at + 1) * len(library.sources)]:
            assert one["deal"] == name
            held_against(
                one, tab.evaluate(f"source => {{ ({TO_THE_END})(source); return ({SEEN})(); }}", one["source"])
            )
        tab.close()


def held_against(one: dict[str, Any], seen: dict[str, Any]) -> None:
    place = (one["deal"], one["source"])
    assert seen["chosen"] == one["source"], place
    if "net" not in one:
        assert seen["paid"] == [] and set(seen["sums"].values()) == {None}, place
        assert ("refused" if "refused" in one else "silent") in seen["refusing"], place
        assert len(seen["refused"]) == len(one.get("refused", ())), place
        return
    assert {who: int(sum_) for who, sum_ in seen["sums"].items()} == one["net"], place
    assert {who: balance(seen["paid"])[who] for who in one["net"]} == one["net"], place
    assert len(seen["paid"]) == sum(len(entry["postings"]) for entry in one["entries"]), place


@pytest.mark.slow
@pytest.mark.browser
def test_step_by_step_hands_shrink_the_address_moves_and_the_way_back_is_open(opened: Open) -> None:
    tab = opened(FOUR)
    assert (tab.evaluate(SEEN)["held"], tab.evaluate(SEEN)["lying"]) == (44, [])
    for trick in range(1, 12):
        tab.get_by_role("button", name="Next trick").click()
        seen = tab.evaluate(SEEN)
        assert (seen["held"], len(seen["lying"]), seen["where"]) == (44 - 4 * trick, 4, f"Trick {trick} of 11")
        assert tab.evaluate("location.hash") == f"#t{trick}-PAM"
        assert seen["told"].startswith(f"Trick {trick} of 11: ")
    tab.get_by_role("button", name="Next trick").click(force=True)  # there is no twelfth
    assert tab.evaluate(SEEN)["where"] == "Trick 11 of 11"
    tab.go_back()
    assert tab.evaluate(SEEN)["where"] == "Trick 10 of 11"
    tab.go_forward()
    assert tab.evaluate(SEEN)["where"] == "Trick 11 of 11"
    for _ in range(11):
        tab.go_back()
    assert tab.evaluate(SEEN)["where"] == "Before the play"


@pytest.mark.slow
@pytest.mark.browser
def test_the_ledger_grows_with_the_tricks_and_closes_with_the_last(opened: Open, views: Mapping[str, DealView]) -> None:
    tab = opened(LED, "#t0-PAM")
    entries = views[LED].ledger("PAM").entries
    for trick in range(12):
        known = [one for one in entries if (one.trick is not None and one.trick <= trick) or trick == 11]
        assert tab.evaluate(SEEN)["items"] == len(known), trick
        tab.keyboard.press("ArrowRight")
    assert tab.locator(".rv-stage dl.rv-closing").is_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_keys_move_the_deal_and_are_not_taken_from_others(opened: Open) -> None:
    tab = opened(FOUR)
    where = lambda: tab.evaluate(SEEN)["where"]  # noqa: E731
    tab.evaluate("document.querySelector('.rv-stage').scrollIntoView()")
    tab.keyboard.press("ArrowRight")
    assert where() == "Trick 1 of 11"  # nothing has the focus, and the deal is in sight
    tab.keyboard.press("End")
    assert where() == "Trick 1 of 11"  # the page's own key, which takes a moment to bring the end of the page
    until(tab, "scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
    tab.keyboard.press("ArrowRight")
    assert where() == "Trick 1 of 11"  # the deal is out of sight
    tab.get_by_role("button", name="Next trick").focus()
    for key, place in (("End", 11), ("ArrowLeft", 10), ("Home", 0), ("ArrowRight", 1), ("Control+End", 1)):
        tab.keyboard.press(key)
        assert where() == (f"Trick {place} of 11" if place else "Before the play"), key
    tab.locator(".rv-stage select").focus()
    for key in ("ArrowRight", "End", "Home"):
        tab.keyboard.press(key)
    assert where() == "Trick 1 of 11"
    tab.locator("input[name=rv-source]:checked").focus()
    tab.keyboard.press("ArrowRight")  # the next source, not the next trick
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("Trick 1 of 11", "PAR")
    tab.get_by_role("link", name="Trick 7", exact=True).focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("ArrowRight")
    assert where() == "Trick 8 of 11"
    assert tab.evaluate("document.activeElement.getAttribute('aria-current')") == "step"


@pytest.mark.slow
@pytest.mark.browser
def test_an_address_opens_its_trick_by_its_source(opened: Open) -> None:
    tab = opened(LED, "#t5-PAR")
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("Trick 5 of 11", "PAR")
    assert tab.locator(".rv-controls").is_visible()
    until(tab, "Math.abs(document.querySelector('.rv-stage').getBoundingClientRect().top) < 300")
    tab.goto(tab.url.replace("#t5-PAR", "#t3"))  # the source that was looked at last
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("Trick 3 of 11", "PAR")
    for other in ("#t99-PAR", "#t3-XYZ", "#cards", "#t3-"):
        tab.evaluate("hash => { location.hash = hash; }", other)
        assert tab.evaluate(SEEN)["where"] == "Trick 3 of 11", other


@pytest.mark.slow
@pytest.mark.browser
def test_a_trick_named_in_a_ledger_is_shown_by_that_source(opened: Open) -> None:
    tab = opened(LED, "#t0-ACA")
    tab.locator("section#PAM table.rv-entries a[href='#t10']").first.click()
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("Trick 10 of 11", "PAM")
    assert tab.evaluate("location.hash") == "#t10-PAM"


@pytest.mark.slow
@pytest.mark.browser
def test_what_another_source_makes_of_the_same_cards_is_marked_in_words(opened: Open) -> None:
    tab = opened(LED, "#t11-ACA")
    assert tab.evaluate(SEEN)["differs"] == []
    tab.locator("input[name=rv-source][value=PAM]").check()
    differs = tab.evaluate(SEEN)["differs"]
    assert "≠ ACA: nobody pays." in differs and "≠ ACA: west to east 10 jetons." in differs
    assert any("tricks" in one and one.startswith("≠ ACA") for one in differs)  # how a seat would stand
    tab.locator("input[name=rv-source][value=ACA]").check()
    assert tab.locator(".rv-comparing select").input_value() == "PAM"
    tab.locator(".rv-comparing select").select_option("")
    assert tab.evaluate(SEEN)["differs"] == []
    tab.locator("input[name=rv-source][value=PAR]").check()
    assert tab.evaluate(SEEN)["differs"] == []  # who wants no other source is not given one


@pytest.mark.slow
@pytest.mark.browser
def test_what_only_the_other_source_pays_is_there_too_and_not_counted(
    opened: Open, views: Mapping[str, DealView]
) -> None:
    def named(view: DealView, source: str) -> set[str]:
        entries = view.ledger(source).entries
        return {name for name, one in zip(names_of(entries), entries, strict=True) if one.postings or not source}

    def every(view: DealView, source: str) -> set[str]:
        return set(names_of(view.ledger(source).entries))

    found = next(
        v
        for v in views.values()
        if v.ledger("PAM").state == v.ledger("PAR").state == "settled" and named(v, "PAR") - every(v, "PAM")
    )
    tab = opened(found.id, f"#t{len(found.tricks)}-PAM")
    before = tab.evaluate(SEEN)["sums"]
    tab.locator(".rv-comparing select").select_option("PAR")
    seen = tab.evaluate(SEEN)
    assert seen["sums"] == before
    assert seen["differs"].count("≠ Only by PAR:") == len(named(found, "PAR") - every(found, "PAM"))


@pytest.mark.slow
@pytest.mark.browser
def test_a_source_that_forbids_a_play_says_so_when_it_is_played(opened: Open) -> None:
    tab = opened(FOUR, "#t0-ACA")
    seen = tab.evaluate(SEEN)
    assert "cannot be played so" in seen["refusing"] and seen["refused"] == []
    tab.get_by_role("button", name="Next trick").click()
    seen = tab.evaluate(SEEN)
    assert "south may not play" in seen["refused"][0] and "not allowed by ACA" in " ".join(seen["lying"])
    assert tab.locator(".rv-beside .rv-item a", has_text="ACA.c016").count() == 1


@pytest.mark.slow
@pytest.mark.browser
def test_every_payment_leads_to_its_clause_and_its_sentence_and_the_reasons_are_one_click_away(opened: Open) -> None:
    tab = opened(LED, "#t11-PAM")
    for row in tab.locator(".rv-items > li").all():
        addresses = [one.get_attribute("href") for one in row.locator(".rv-item-rests a").all()]
        assert any("/clauses/PAM.html#PAM.c" in one or "PAM.html#PAM.c" in one for one in addresses)
        assert any("sources/PAM.html#PAM.s" in one for one in addresses)
    tab.get_by_role("link", name="what is not paid, and why").click()
    assert tab.locator("#PAM-why-not details").get_attribute("open") is not None
    assert tab.locator("#PAM-why-not li").first.is_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_without_a_script_the_tables_stand_and_the_addresses_hold(opened: Open) -> None:
    tab = opened(FOUR, "#t3-PAM", java_script_enabled=False)
    assert not tab.locator(".rv-stage").is_visible()
    for table in ("rv-hands", "rv-play", "rv-taken", "rv-entries"):
        assert tab.locator(f"table.{table}").first.is_visible()
    assert tab.locator("#t3").count() == tab.locator("#t3-PAM").count() == 1
    assert tab.locator(":target").inner_text().startswith("south")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("width", "deal"), sample([*product((320, 390, 768, 1024, 1280, 1920), (FOUR, FIVE))], 5))
def test_the_table_fits_its_window_and_everything_can_be_hit(opened: Open, deal: str, width: int) -> None:
    tab = opened(deal, viewport={"width": width, "height": 800})
    for _ in range(2):
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        small = """[...document.querySelectorAll('.rv-stage :is(button, select, label, .rv-strip-tricks a)')]
            .map(one => one.getBoundingClientRect()).filter(box => box.width < 24 || box.height < 24).length"""
        assert tab.evaluate(small) == 0
        over = """[...document.querySelectorAll('.rv-face img')].filter(one => one.getBoundingClientRect().right
            > document.querySelector('.rv-stage').getBoundingClientRect().right + 3).length"""
        assert tab.evaluate(over) == 0
        tab.get_by_role("button", name="To the last trick").press("End")


@pytest.mark.slow
@pytest.mark.browser
def test_no_picture_is_missing_and_every_card_has_its_name(opened: Open) -> None:
    tab = opened(FOUR)
    tab.wait_for_load_state("networkidle")
    cards = tab.evaluate("[...document.querySelectorAll('.rv-face img')].map(one => [one.alt, one.naturalWidth])")
    assert len({alt for alt, _ in cards}) == 48 and all(width > 0 for _, width in cards)
    assert ["queen of hearts", 158] in cards


@pytest.mark.slow
@pytest.mark.browser
def test_the_table_is_quiet_for_those_who_wish_it_and_stays_off_paper(opened: Open) -> None:
    tab = opened(FOUR, "#t1-PAM", reduced_motion="reduce")
    moves = "getComputedStyle(document.querySelector('.rv-trick li')).animationName"
    assert tab.evaluate(moves) == "none"
    tab.emulate_media(reduced_motion="no-preference")
    assert tab.evaluate(moves) != "none"
    tab.emulate_media(media="print")
    assert not tab.locator(".rv-stage").is_visible() and tab.locator("table.rv-play").is_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_the_stage_obeys_a_policy_without_inline_script_and_style(opened: Open, site: Path) -> None:
    tab = opened(LED, "#t11-PAM")
    inline = """[...document.querySelectorAll('.rv-stage, .rv-stage *')]
        .filter(one => [...one.attributes].some(a => a.name === 'style' || a.name.startsWith('on'))).length"""
    assert tab.evaluate(inline) == 0
    page = html.fromstring((site / "deals" / f"{LED}.html").read_text(encoding="utf-8"))
    assert page.xpath("//div[contains(@class, 'rv-stage')]/@hidden") and not page.xpath(
        "//div[contains(@class, 'rv-stage')]//*[self::script or @style]"
    )


@pytest.mark.slow
def test_only_the_pages_of_deals_fetch_the_script(site: Path) -> None:
    def fetches(name: str) -> bool:
        return "steps.js" in (site / name).read_text(encoding="utf-8")

    assert fetches(f"deals/{FOUR}.html")
    assert not any(fetches(one) for one in ("index.html", "deals.html", "questions/Q031.html", "sources/PAM.html"))
