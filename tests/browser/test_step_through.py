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

from edition.corpus.corpus import Corpus
from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from reversis.cli.main import cli
from reversis.views.deals.deal_list import OTHER_TOPIC, TOPIC_WORDS, deals_view
from reversis.words.deal_views import DealView, worked_deal_view
from reversis.words.ledgers import names_of
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.support.tiers import mark_for_release, sample
from tests.support.waiting import until
from tests.support.windows import Open, windows

FOUR = "pam-quinola-forced-opposite-last"
LED = "aca-quinola-led"  # four sources see it in four ways
BROKEN = "par-reversis-broken-by-quinola"  # what was paid is given back at the end
FIVE = "aca-five-players"
BARE = "pam-misdeal-bought-back"  # no card is led

SEEN = """() => {
  const seen = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility());
  const text = (what) => seen(what).map((one) => one.innerText.trim());
  const strip = document.querySelector("table.rv-results");
  const chosen = document.querySelector("input[name=rv-book]:checked").value;
  const row = [...strip.tBodies[0].rows].find((one) => one.querySelector("input").checked);
  return {
    paid: seen(".rv-ledger-box .rv-posting").map((one) => one.innerText),
    sums: Object.fromEntries([...strip.tHead.rows[0].cells].slice(1).map(
      (head, at) => [head.innerText.toLowerCase(), row.cells[at + 1].innerText])),
    running: strip.caption.innerText, refused: text(".rv-ledger-box .rv-refusal"),
    state: document.querySelector(`#${chosen}`).dataset.state,
    held: document.querySelectorAll(".rv-hand [data-card]:not([aria-hidden], .rv-now)").length,
    lying: seen(".rv-trick li").map((one) => one.innerText), said: document.querySelector(".rv-said")?.innerText,
    differs: text(".rv-differs"), items: seen(".rv-item").length, ledger: text(".rv-ledger-box").join(""),
    where: document.querySelector(".rv-slide input")?.getAttribute("aria-valuetext"), chosen,
  };
}"""


#: To the end by the rules of a source, one step after the other; where no card is led, it is there at once.
TO_THE_END = """(source) => {
  document.querySelector(`input[name=rv-book][value=${source}]`).click();
  const next = document.querySelector("[data-does=next]");
  if (!next && document.querySelector("table.rv-play")) throw new Error("tricks, and no way to step through them");
  while (next && next.getAttribute("aria-disabled") !== "true") next.click();
}"""

# --- what the script reads ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def views(library: Library, sampled_deals: tuple[Deal, ...]) -> Mapping[str, DealView]:
    return {deal.id: worked_deal_view(library, deal.id) for deal in sampled_deals}


def test_the_points_of_the_tricks_add_up_to_what_the_engine_counts(
    library: Library, sampled_deals: tuple[Deal, ...], views: Mapping[str, DealView]
) -> None:
    for deal in sampled_deals:
        for one in (each for each in views[deal.id].ledgers if each.takers):
            counted: Counter[str] = Counter()
            for taker, points in zip(one.takers, one.points, strict=True):
                counted[taker] += points
            found = replay_deal(deal, Ask(resolve(library, one.source))).measures.points
            assert [counted[seat] for seat in deal.seats] == list(found), (deal.id, one.source)


def test_an_entry_has_a_name_of_its_own_and_the_same_by_every_source(
    library: Library, views: Mapping[str, DealView]
) -> None:
    for view in views.values():
        for ledger in view.ledgers:
            names = list(names_of(ledger.entries))
            assert len(set(names)) == len(names), (view.id, ledger.source)
    led = worked_deal_view(library, LED)
    assert {"1.led.JH.1", ".partie..1"} <= set(names_of(led.ledger("PAM").entries))
    assert {"1.led.JH.1", ".partie..1"} <= set(names_of(led.ledger("ACA").entries))


# --- the list -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_deal_of_the_list_has_a_topic_and_a_result_by_each_book(corpus: Corpus) -> None:
    view = deals_view(corpus)
    assert {topic for row in view.rows for topic in row.topics} == {*TOPIC_WORDS, OTHER_TOPIC}
    assert sum(row.topics == (OTHER_TOPIC,) for row in view.rows) < 3
    row = next(one for one in view.rows if one.entry.id == BROKEN)
    assert (row.player, [words for _, words, _ in row.outcomes]) == (
        "west",
        ["−41", "−44", "+78", "+64", "+64", "+44", "+64"],
    )
    assert row.topics == ("Quinola", "Reversis")
    five = next(one for one in view.rows if one.entry.id == FIVE)
    assert [words for _, words, _ in five.outcomes][2:] == ["not legal"] * 5


# --- in a browser ---------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    """A deal's page, opened from the folder."""
    with windows(browser, f"{site.as_uri()}/", timeout=15_000) as opens:
        yield lambda deal, address="", **how: opens(f"deals/{deal}.html{address}", **how)


def balance(paid: list[str]) -> Counter[str]:
    """What the visible rows add up to: "South to pool 10"."""
    net: Counter[str] = Counter()
    for line in paid:
        payer, _, payee, amount = line.lower().split()
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
def test_every_ledger_at_the_end_is_that_of_the_command_line(
    opened: Open, site: Path, library: Library, every: int
) -> None:
    """The rows that a reader sees add up to `net`, and so do the sums of the strip, by the rules of every source.

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
        assert seen["paid"] == [] and set(seen["sums"].values()) == {"–"}, place
        assert seen["state"] == ("refused" if "refused" in one else "silent"), place
        assert len(seen["refused"]) == len(one.get("refused", ())), place
        return
    assert read_sums(seen) == one["net"], place
    assert {who: balance(seen["paid"])[who] for who in one["net"]} == one["net"], place
    assert len(seen["paid"]) == sum(len(entry["postings"]) for entry in one["entries"]), place


def read_sums(seen: dict[str, Any]) -> dict[str, int]:
    """Sums of the strip, by account."""
    return {who: int(words.replace("−", "-")) for who, words in seen["sums"].items()}


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_where_no_card_is_led_a_book_is_chosen_all_the_same(opened: Open, width: int) -> None:
    tab = opened(BARE, viewport={"width": width, "height": 844})
    assert tab.locator(".rv-controls, .rv-slide").count() == 0
    first = tab.evaluate(SEEN)
    assert (first["chosen"], first["paid"], first["held"]) == ("PAM", ["West to pool 5"], 45)
    assert tab.locator(".rv-chosen-book").inner_text().strip().endswith("Pamphlet")
    tab.locator("input[name=rv-book][value=ACA]").click()
    seen = tab.evaluate(SEEN)
    assert (seen["chosen"], seen["paid"], seen["state"], len(seen["refused"])) == ("ACA", [], "refused", 1)
    assert tab.url.endswith("#end-ACA") and "No card is led." in tab.locator(".rv-trick").inner_text()
    assert tab.locator(".rv-ledger-box").evaluate("one => one.clientHeight") > 180
    tab.locator("input[name=rv-book][value=MEY]").focus()
    tab.keyboard.press("Space")
    tab.get_by_label("compare with").select_option("PAM")
    assert tab.evaluate(SEEN)["differs"] == [] and "No payment" not in tab.evaluate(SEEN)["ledger"]
    tab.go_back()
    until(tab, "document.querySelector('input[name=rv-book]:checked').value === 'ACA'")


@pytest.mark.slow
@pytest.mark.browser
def test_step_by_step_hands_shrink_the_address_moves_and_the_way_back_is_open(opened: Open) -> None:
    tab = opened(FOUR)
    assert (tab.evaluate(SEEN)["held"], tab.evaluate(SEEN)["lying"]) == (44, [])
    assert tab.evaluate(SEEN)["running"] == "Final result by each book"
    for trick in range(1, 12):
        tab.get_by_role("button", name="Next").click()
        seen = tab.evaluate(SEEN)
        assert (seen["held"], len(seen["lying"]), seen["where"]) == (44 - 4 * trick, 4, f"Trick {trick} of 11")
        assert tab.evaluate("location.hash") == f"#t{trick}-PAM"
        assert seen["said"].startswith(f"Trick {trick}: ") and seen["running"] == f"Running totals after trick {trick}"
    tab.get_by_role("button", name="Next").click()
    assert (tab.evaluate(SEEN)["where"], tab.evaluate("location.hash")) == ("The settlement", "#end-PAM")
    tab.get_by_role("button", name="Next").click(force=True)  # there is nothing after it
    assert tab.evaluate(SEEN)["where"] == "The settlement"
    tab.go_back()
    assert tab.evaluate(SEEN)["where"] == "Trick 11 of 11"
    tab.go_forward()
    assert tab.evaluate(SEEN)["where"] == "The settlement"
    for _ in range(12):
        tab.go_back()
    assert tab.evaluate(SEEN)["where"] == "The deal"


@pytest.mark.slow
@pytest.mark.browser
def test_the_ledger_grows_with_the_tricks_and_closes_with_the_settlement(opened: Open, library: Library) -> None:
    tab = opened(BROKEN, "#t0-PAM")
    entries = worked_deal_view(library, BROKEN).ledger("PAM").entries
    assert "No payment before the first card" in tab.evaluate(SEEN)["ledger"]
    for trick in range(13):
        known = [entry for entry in entries if trick == 12 or (entry.step.isdigit() and int(entry.step) <= trick)]
        seen = tab.evaluate(SEEN)
        assert seen["items"] == len(known) + 1 + (trick == 12), trick  # the pool before and after
        paying = any(entry.step == str(trick) or (trick == 12 and entry.step == "end") for entry in entries)
        assert ("No payment in this trick" in seen["ledger"]) == (trick > 0 and not paying), trick
        if 0 < trick < 12:
            assert balance(seen["paid"]) == {who: sum_ for who, sum_ in read_sums(seen).items() if sum_}, trick
        tab.keyboard.press("ArrowRight")
    assert "undertakes the reversis; it is broken by West" in tab.evaluate(SEEN)["ledger"]


@pytest.mark.slow
@pytest.mark.browser
def test_a_deal_plays_by_itself_at_the_speed_chosen_and_stops_when_asked(opened: Open) -> None:
    tab = opened(FOUR, reduced_motion="reduce")
    tab.locator(".rv-controls select").select_option(label="2×")
    tab.get_by_role("button", name="Play").click()
    until(tab, "location.hash === '#t3-PAM'")
    tab.get_by_role("button", name="Pause").click()
    where = tab.evaluate(SEEN)["where"]
    tab.wait_for_timeout(900)
    assert tab.evaluate(SEEN)["where"] == where
    assert tab.evaluate("document.querySelector('.rv-corner-before').innerText").startswith("Last trick")
    tab.get_by_role("button", name="To the end").click()
    assert tab.get_by_role("button", name="Play").is_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_keys_move_the_deal_and_are_not_taken_from_others(opened: Open) -> None:
    tab = opened(FOUR)
    where = lambda: tab.evaluate(SEEN)["where"]  # noqa: E731
    tab.keyboard.press("ArrowRight")
    assert where() == "Trick 1 of 11"  # nothing has the focus, and the deal is in sight
    tab.keyboard.press("End")
    assert where() == "The settlement"
    tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    until(tab, "scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
    tab.keyboard.press("Home")
    assert where() == "The settlement"  # the deal is out of sight
    until(tab, "scrollY === 0")  # so this was the page's own key
    tab.locator(".rv-crumb a").first.focus()
    tab.keyboard.press("Home")
    assert where() == "The deal"
    tab.get_by_role("button", name="Next").focus()
    for key, place in (("End", 12), ("ArrowLeft", 11), ("Home", 0), ("ArrowRight", 1), ("Control+End", 1)):
        tab.keyboard.press(key)
        assert where() == ("The settlement" if place == 12 else f"Trick {place} of 11" if place else "The deal"), key
    tab.locator(".rv-controls select").focus()
    tab.keyboard.press("Home")
    assert where() == "Trick 1 of 11"
    tab.locator("input[name=rv-book]:checked").focus()
    tab.keyboard.press("ArrowRight")  # the next book, not the next trick
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("Trick 1 of 11", "PAR")
    tab.get_by_role("slider", name="Trick").focus()
    tab.keyboard.press("ArrowRight")
    assert where() == "Trick 2 of 11"


@pytest.mark.slow
@pytest.mark.browser
def test_a_step_is_said_in_words_with_its_cards_and_payments(opened: Open, library: Library) -> None:
    tab = opened(LED, "#t1-PAM")
    for trick in worked_deal_view(library, LED).tricks[:2]:
        said = tab.locator(".rv-said .rv-unseen").text_content()
        assert said.startswith(f"Trick {trick.number}. {trick.leader.capitalize()} leads the ")
        assert said.count(" of ") == 4 and " plays the " in said and not set(said) & set("♠♥♦♣")
        rows = tab.locator("#PAM .rv-fresh .rv-posting").all()
        paid = [(row.get_attribute("data-payer"), row.get_attribute("data-amount")) for row in rows]
        assert all(f"{who.capitalize()} pays " in said and f" {amount}." in said for who, amount in paid)
        assert ("Nobody pays." in said) == (not paid)
        tab.get_by_role("button", name="Next").click()
    assert tab.locator(".rv-said [aria-hidden=true]").count() == 1


@pytest.mark.slow
@pytest.mark.browser
def test_forced_colours_keep_the_trick_and_the_cards_that_are_played(opened: Open) -> None:
    tab = opened(FOUR, "#t3-PAM", forced_colors="active")
    style = """(what) => {
      const { outlineStyle, textDecorationLine } = getComputedStyle(document.querySelector(what));
      return [outlineStyle, textDecorationLine];
    }"""
    assert tab.evaluate(style, ".rv-hand .rv-now")[0] == "solid"
    assert tab.evaluate(style, ".rv-hand .rv-gone")[1] == "line-through"
    assert tab.evaluate(style, ".rv-hand [data-card]:not([class*=rv])") == ["none", "none"]


@pytest.mark.slow
@pytest.mark.browser
def test_an_address_opens_its_trick_by_its_source(opened: Open) -> None:
    tab = opened(LED, "#t5-PAR")
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("Trick 5 of 11", "PAR")
    until(tab, "Math.abs(document.querySelector('.rv-stage').getBoundingClientRect().top) < 300")
    tab.goto(tab.url.replace("#t5-PAR", "#t3"))  # the source that was looked at last
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("Trick 3 of 11", "PAR")
    for other in ("#t99-PAR", "#t3-XYZ", "#cards", "#t3-"):
        tab.evaluate("hash => { location.hash = hash; }", other)
        assert tab.evaluate(SEEN)["where"] == "Trick 3 of 11", other
    tab.evaluate("location.hash = '#ACA'")  # a ledger
    seen = tab.evaluate(SEEN)
    assert (seen["where"], seen["chosen"]) == ("The settlement", "ACA")


#: What must be in sight together: the trick, the button for the next one, what the ledger says of it, and the sums.
TOGETHER = (".rv-trick", "[data-does=next]", "[data-does=play]", ".rv-fresh", ".rv-results tbody tr")
HIDDEN = """(all) => all.filter((what) => {
  const bar = document.querySelector(".rv-bar").getBoundingClientRect();
  const box = document.querySelector(what)?.getBoundingClientRect();
  return box && (box.top < bar.bottom || box.top + Math.min(box.height, 60) > innerHeight);
})"""
SHIFTS = """window.moved = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value;
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    ("deal", "width", "height"), [*product((BROKEN, FIVE), (1366,), (768,)), *product((BROKEN, FIVE), (390,), (844,))]
)
def test_a_deal_is_on_one_screen_and_nothing_moves(opened: Open, deal: str, width: int, height: int) -> None:
    """However it is come to, the trick and Next are in sight together, on a desk and on a phone."""
    tab = opened(deal, viewport={"width": width, "height": height}, reduced_motion="reduce")
    tab.add_init_script(SHIFTS)
    tab.reload()
    tab.get_by_role("button", name="Next").click()
    assert tab.evaluate(HIDDEN, TOGETHER) == []
    tab.goto(tab.url.partition("#")[0] + "?#t5")
    until(tab, "document.querySelector('.rv-fresh') !== null")
    assert tab.evaluate(HIDDEN, TOGETHER) == []
    tab.wait_for_timeout(300)
    assert tab.evaluate("window.moved") < 0.05


@pytest.mark.slow
@pytest.mark.browser
def test_a_source_that_forbids_a_play_says_so_when_it_is_played(opened: Open) -> None:
    tab = opened(FOUR, "#t0-ACA")
    seen = tab.evaluate(SEEN)
    assert "not legal" in seen["ledger"] and seen["refused"] == []
    tab.get_by_role("button", name="Next").click()
    seen = tab.evaluate(SEEN)
    assert "South may not play" in seen["refused"][0] and "not legal here" in " ".join(seen["lying"])
    assert tab.locator(".rv-ledger-box .rv-fresh a", has_text="ACA.c016").count() == 1


@pytest.mark.slow
@pytest.mark.browser
def test_every_payment_leads_to_its_clause_and_its_sentence(opened: Open) -> None:
    tab = opened(LED, "#end-PAM")
    for row in tab.locator("#PAM .rv-item[data-entry]").all():
        row.locator("summary").click()
        addresses = [one.get_attribute("href") for one in row.locator("a:visible").all()]
        assert any("clauses/PAM.html#PAM.c" in one for one in addresses)
        assert any("sources/PAM.html#PAM.s" in one for one in addresses)
    tab.evaluate("location.hash = '#PAM-why-not'")
    assert tab.locator("#PAM-why-not summary").is_visible()


@pytest.mark.slow
@pytest.mark.browser
def test_without_a_script_all_is_written_out_and_the_addresses_hold(opened: Open, library: Library) -> None:
    tab = opened(FOUR, "#t3-PAM", java_script_enabled=False)
    assert not tab.locator(".rv-scripted:visible").count()
    assert tab.locator(".rv-felt").is_visible() and tab.locator("table.rv-results").is_visible()
    assert tab.locator("table.rv-play").is_visible()
    assert tab.locator(".rv-ledger > summary:visible").count() == len(library.sources)
    tab.locator("#PAM > summary").click()
    assert tab.locator("#PAM .rv-item:visible").count() == tab.locator("#PAM .rv-item").count() > 3
    assert tab.locator("#t3").count() == tab.locator("#t3-PAM").count() == 1


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("width", "deal"), sample([*product((320, 390, 768, 1024, 1280, 1920), (FOUR, FIVE))], 5))
def test_the_table_fits_its_window_and_everything_can_be_hit(opened: Open, deal: str, width: int) -> None:
    tab = opened(deal, viewport={"width": width, "height": 800})
    for _ in range(2):
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        small = """[...document.querySelectorAll('.rv-stage :is(button, select, label:has(input), input[type=range])')]
            .filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())
            .filter(box => box.width < 39.5 || box.height < 39.5).length"""
        assert tab.evaluate(small) == 0
        over = """[...document.querySelectorAll('.rv-trick li, .rv-hand [data-card]')]
            .filter(one => one.getBoundingClientRect().right
              > document.querySelector('.rv-felt').getBoundingClientRect().right).length"""
        assert tab.evaluate(over) == 0
        tab.get_by_role("button", name="To the end").press("End")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_at_the_end_no_label_of_five_seats_leaves_the_felt_and_the_ledger_says_that_more_follows(
    opened: Open, width: int
) -> None:
    tab = opened("ger-five-players", viewport={"width": width, "height": 844})
    tab.evaluate(TO_THE_END, "GER")
    off = """[...document.querySelectorAll(".rv-hand-head > *")].filter((one) => {
      const felt = document.querySelector(".rv-felt").getBoundingClientRect(), words = document.createRange();
      words.selectNodeContents(one);
      return [...words.getClientRects()].some((box) => box.left < felt.left || box.right > felt.right);
    }).map((one) => one.innerText)"""
    assert tab.evaluate(off) == []
    sign = "getComputedStyle(document.querySelector('.rv-ledgers'), '::after').content"
    assert tab.evaluate(sign) != "none"
    tab.evaluate("""const box = document.querySelector(".rv-ledger-box"); box.scrollTop = box.scrollHeight""")
    until(tab, f"{sign} === 'none'")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    ("deal", "width"), [*product(("ger-five-players", FIVE, "ger-quinola-forced"), (1280, 390, 320))]
)
def test_no_head_of_the_results_is_printed_over_another_and_a_box_that_scrolls_says_so(
    opened: Open, deal: str, width: int
) -> None:
    tab = opened(deal, viewport={"width": width, "height": 844})
    over = """[...document.querySelectorAll(".rv-results thead th p")].map((one) => {
      const words = document.createRange();
      words.selectNodeContents(one);
      return words.getBoundingClientRect();
    }).flatMap((one, at, all) => all.slice(at + 1).filter((other) =>
      one.right > other.left && other.right > one.left && one.bottom > other.top + 2 && other.bottom > one.top + 2))"""
    assert tab.evaluate(f"{over}.length") == 0
    more = """getComputedStyle(document.querySelector(".rv-results .caption-text"), "::after").content"""
    box = "document.querySelector('.rv-results').parentElement"
    scrolls = tab.evaluate(f"{box}.scrollHeight > {box}.clientHeight + 2")
    assert ("↓" in tab.evaluate(more)) == scrolls == (width < 400)
    tab.locator("input[name=rv-book]").last.check(force=True)
    cut = """[...document.querySelectorAll(".rv-results tbody tr")].filter((one) => {
      const chosen = document.querySelector(".rv-results tr.rv-chosen").getBoundingClientRect();
      const row = one.getBoundingClientRect();
      const hidden = Math.min(row.bottom, chosen.bottom) - Math.max(row.top, chosen.top);
      return !one.classList.contains("rv-chosen") && hidden > 3 && hidden < row.height - 3;
    }).map((one) => one.innerText)"""
    assert tab.evaluate(cut) == []


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("deal", [FOUR, FIVE])
def test_on_a_phone_a_trick_is_one_line_and_its_taker_stands_beneath(opened: Open, deal: str) -> None:
    tab = opened(deal, viewport={"width": 390, "height": 844})
    rows = tab.evaluate("""[...document.querySelectorAll("table.rv-play tbody tr")].map((row) => ({
      cards: new Set([...row.querySelectorAll("[data-card]")].map((one) => one.offsetTop)).size,
      height: row.offsetHeight,
      below: row.lastElementChild.getBoundingClientRect().top >= row.cells[1].getBoundingClientRect().bottom - 1,
      lines: [...row.querySelectorAll(".rv-takers")].map((one) => one.offsetHeight),
    }))""")
    assert rows and all(row["cards"] == 1 and row["below"] for row in rows)
    assert max(row["height"] for row in rows) < 110
    assert all(0 < height < 30 for row in rows for height in row["lines"])  # one line each


@pytest.mark.slow
@pytest.mark.browser
def test_the_table_is_quiet_for_those_who_wish_it_and_as_it_is_unfolded_on_paper(opened: Open) -> None:
    tab = opened(FOUR, "#t1-PAM", reduced_motion="reduce")
    moves = "getComputedStyle(document.querySelector('.rv-trick li')).animationName"
    assert tab.evaluate(moves) == "none"
    tab.emulate_media(reduced_motion="no-preference")
    assert tab.evaluate(moves) != "none"
    tab.emulate_media(media="print")
    assert not tab.locator(".rv-controls").is_visible() and tab.locator("table.rv-play").is_visible()
    assert tab.locator(".rv-felt").is_visible() and not tab.locator("#ACA > summary").is_visible()
    tab.locator("#ACA").evaluate("fold => { fold.open = true; }")
    assert tab.locator("#ACA > summary").is_visible()  # what the reader has unfolded is printed


@pytest.mark.slow
@pytest.mark.browser
def test_the_list_shows_the_deals_of_a_topic_and_the_address_keeps_it(browser: Any, site: Path) -> None:
    with windows(browser, f"{site.as_uri()}/", timeout=15_000) as opens:
        tab = opens("deals.html")
        whole = tab.locator(".rv-deal-list > li:visible").count()
        tab.get_by_label("Espagnolette").check(force=True)
        some = tab.locator(".rv-deal-list > li:visible").count()
        assert 0 < some < whole and "topic=espagnolette" in tab.url
        tab.reload()
        assert tab.locator(".rv-deal-list > li:visible").count() == some
