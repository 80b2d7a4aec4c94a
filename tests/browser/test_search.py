"""The search as a reader drives it: in a browser, from a folder and from a server, with keys and without a script."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from edition.corpus.corpus import Corpus
from edition.text import folding
from rulebook.sources.paths import find_sources
from rulebook.spelling import read_spelling
from tests.support.site import served
from tests.support.tiers import sample
from tests.support.waiting import until
from tests.support.windows import SIZE, Open, listening, windows

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SPELLING, _ = read_spelling(find_sources() / "spelling.yaml")
CHANGED = [(old, new) for table in SPELLING.words.values() for old, new in table.words.items()]

SEARCH = "#rv-find-q"
#: Words put into the box one after the other, as if typed; for each the clauses that are shown.
EACH = """(words) => {
  const field = document.querySelector("#rv-find-q");
  return words.map((word) => {
    field.value = word;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    return [...document.querySelectorAll(".rv-hit[data-kind=clause]")].map((one) => one.dataset.id).sort();
  });
}"""


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    with windows(browser, f"{site.as_uri()}/") as opens:
        yield opens


@pytest.fixture(scope="module")
def search(browser: Any, site: Path) -> Iterator[tuple[Any, list[str]]]:
    """The page of the search for several tests, since it takes a while to read the records; and what it has said."""
    said: list[str] = []
    context = browser.new_context(viewport=SIZE)
    tab = listening(context, f"{site.as_uri()}/", said)
    tab.goto(f"{site.as_uri()}/find.html")
    yield ready(tab), said
    context.close()


@pytest.fixture
def asked(search: tuple[Any, list[str]]) -> Iterator[Any]:
    """That page, with nothing asked for yet."""
    tab, said = search
    tab.evaluate("location.hash = ''")
    tab.evaluate("document.getElementById('rv-find-q').form.reset()")  # a filter may not have reached the address yet
    tab.evaluate("document.getElementById('rv-find-q').dispatchEvent(new Event('input'))")
    until(tab, "document.querySelectorAll('.rv-hit').length === 0")
    yield tab
    assert said == []


def ready(tab: Any) -> Any:
    """Wait until the records are there."""
    tab.evaluate("openEditionIndex().then((index) => index.complete).then(() => true)")
    return tab


def go(tab: Any, address: str) -> None:
    """Change the address within the page, and wait until the page has seen it."""
    tab.evaluate(
        """(address) => new Promise((seen) => {
             addEventListener("hashchange", () => setTimeout(seen), { once: true });
             location.hash = address;
           })""",
        address,
    )


def ask(tab: Any, words: str) -> list[str]:
    """Type some words; what is shown."""
    tab.locator(SEARCH).fill(words)
    until(tab, "document.querySelector('#rv-find-said').textContent.match(/[Ff]ound/)")
    return shown(tab)


def shown(tab: Any) -> list[str]:
    return list(tab.evaluate("[...document.querySelectorAll('.rv-hit')].map((one) => one.dataset.id)"))


# --- spellings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", sample(["from a server", "from a folder"], 2))
def test_every_word_of_the_table_finds_the_same_clauses_in_old_and_modern_spelling(
    opened: Open, server: str, corpus: Corpus, how: str
) -> None:
    """Through the search box; and whatever has the word in a quotation is among what is found."""
    tab = ready(opened("find.html#q=quinola&kind=clause", server if how == "from a server" else ""))
    tab.wait_for_selector(".rv-hit")
    old = tab.evaluate(EACH, [old for old, _ in CHANGED])
    new = tab.evaluate(EACH, [new for _, new in CHANGED])
    same = folding.same_words(corpus.spelling)
    quoting: dict[str, set[str]] = {}
    for clause in corpus.library.clauses():
        for cite in clause.cites:
            for form in folding.fold_text(cite.exact, same):
                quoting.setdefault(form, set()).add(clause.id)
    some = 0
    for (word, modern), by_old, by_new in zip(CHANGED, old, new, strict=True):
        wanted = set.intersection(*(quoting.get(form, set()) for form in folding.fold_text(word, same)))
        assert by_old == by_new, (word, modern)
        assert wanted <= set(by_old), (word, wanted - set(by_old))
        some += bool(wanted)
    assert some > len(CHANGED) / 2


@pytest.mark.parametrize(
    ("one", "other"),
    [("COEUR", "cœur"), ("leve", "lève"), ("Koerbchen", "körbchen"), ("Straffe", "strafe"), ("daſs", "daß")],
)
def test_accents_ligatures_and_umlauts_may_be_left_out(asked: Any, one: str, other: str) -> None:
    go(asked, "#q=quinola&kind=clause,sentence")
    asked.wait_for_selector(".rv-hit")
    found = [ask(asked, word) for word in (one, other)]
    assert found[0] and set(found[0]) == set(found[1])


# --- what is found, and how it is shown ----------------------------------------------------------------------------


def test_a_word_is_marked_as_its_source_spells_it_and_in_its_language(asked: Any) -> None:
    go(asked, "#q=jeton&kind=clause&source=PAM")
    asked.wait_for_selector(".rv-hit mark")
    marked = set(asked.locator(".rv-hit-words mark").all_inner_texts())
    assert marked and all(word.lower().startswith("jetton") for word in marked)
    languages = asked.evaluate("[...document.querySelectorAll('.rv-hit-words')].map((one) => one.lang)")
    assert set(languages) == {"fr"}


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("PAM.c031", "PAM.c031"),
        ("pam.s0071", "PAM.s0071"),
        ("Q031", "Q031"),
        ("quinola.forced.others-pay", "Q031"),
        ("PAR.n15", "PAR.n15"),
        ("pam-quinola-forced-opposite-last", "pam-quinola-forced-opposite-last"),
    ],
)
def test_the_number_of_a_thing_leads_to_it(asked: Any, words: str, first: str) -> None:
    assert ask(asked, words)[0] == first


def test_words_in_quotation_marks_follow_each_other(asked: Any, corpus: Corpus) -> None:
    go(asked, "#q=x&kind=sentence")
    phrase, words = ask(asked, '"as de carreau"'), ask(asked, "as de carreau")
    texts = (source.text for source in corpus.library.sources.values() if source.text)
    holds = {
        sentence.id for text in texts for sentence in text.sentences.values() if "as de carreau" in sentence.diplomatic
    }
    assert set(phrase) == holds and holds <= set(words)
    assert ask(asked, '"carreau de as"') == []


def test_a_slip_of_the_pen_finds_what_is_near_and_says_so(asked: Any) -> None:
    assert ask(asked, "quinolla")
    assert asked.locator("#rv-find-said").inner_text().startswith("Not found in just these words. Close matches:")


HOSTILE = ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\\", "(", "&lt;", "%", '"')


@pytest.mark.parametrize("words", sample(HOSTILE, 3))
def test_whatever_is_typed_is_words_and_nothing_else(asked: Any, words: str) -> None:
    asked.locator(SEARCH).fill(words)
    asked.wait_for_timeout(400)
    assert asked.evaluate("document.querySelectorAll('article script, article img').length") == 0
    asked.reload()
    until(asked, "document.querySelector('#rv-find-said').textContent !== ''")
    assert asked.locator(SEARCH).input_value() == words


def test_every_result_leads_to_a_place_that_is_there(asked: Any, site: Path) -> None:
    targets = asked.evaluate("EDITION_RECORDS.records.map((one) => one[2])")
    places: dict[str, set[str]] = {}
    for target in targets:
        page, _, place = target.partition("#")
        if page not in places:
            places[page] = set(html.fromstring((site / page).read_text(encoding="utf-8")).xpath("//@id"))
        assert not place or place in places[page], target
    assert len(targets) == len(set(targets)) or len(targets) > 1500


# --- filters, address, keys -------------------------------------------------------------------------------------------


def test_kinds_sources_and_groups_narrow_the_search_and_the_address_keeps_them(opened: Open) -> None:
    tab = ready(opened("find.html"))
    everything = ask(tab, "quinola")
    tab.locator(".rv-find-filters summary").click()
    tab.get_by_label("Rules", exact=True).check()
    tab.locator("input[name=source][value=GER]").check()
    tab.locator("#rv-find-group").select_option("The quinola")
    found = shown(tab)
    assert found and len(found) != len(everything) and all(one.startswith("GER.c") for one in found)
    until(tab, "location.hash.includes('group=')")
    assert tab.evaluate("location.search") == ""
    tab.reload()
    tab.wait_for_selector(".rv-hit")
    assert shown(tab) == found
    assert tab.locator(SEARCH).input_value() == "quinola"


def test_of_each_kind_the_first_are_shown_until_all_are_asked_for(asked: Any) -> None:
    ask(asked, "quinola")
    part = asked.locator(".rv-find-kind[data-kind=clause]")
    number = int(part.locator("h2").inner_text().partition("(")[2].rstrip(")"))
    assert part.locator(".rv-hit").count() == 8 < number
    part.locator("button").click()
    assert asked.locator(".rv-hit").count() == number
    assert asked.evaluate("document.activeElement.className") == "rv-hit-name"


def test_the_arrow_keys_go_through_the_results_and_escape_comes_back_and_clears(asked: Any) -> None:
    found = ask(asked, "jeton")
    at = "document.activeElement.closest('.rv-hit')?.dataset.id ?? document.activeElement.id"
    asked.keyboard.press("ArrowDown")
    assert asked.evaluate(at) == found[0]
    asked.keyboard.press("ArrowDown")
    assert asked.evaluate(at) == found[1]
    asked.keyboard.press("ArrowUp")
    asked.keyboard.press("ArrowUp")
    assert asked.evaluate(at) == "rv-find-q"
    asked.keyboard.press("ArrowDown")
    asked.keyboard.press("Escape")
    assert asked.evaluate(at) == "rv-find-q"
    asked.keyboard.press("Escape")
    assert (asked.locator(SEARCH).input_value(), shown(asked)) == ("", [])


# --- suggestions -------------------------------------------------------------------------------------------------

BOX = ".rv-box input"
FOCUSED = "document.activeElement.matches('.rv-box input')"
OPTIONS = "[...document.querySelectorAll('.rv-suggest:not([hidden]) [role=option]')]"
CHOSEN = "document.querySelector(`#${document.querySelector('.rv-box input').getAttribute('aria-activedescendant')}`)"


def suggest(tab: Any, words: str) -> list[Any]:
    """Type into the box of the bar; the ids that are suggested, and None for the way to all results."""
    tab.locator(BOX).focus()
    until(tab, "document.querySelector('.rv-box input[role=combobox]') !== null")
    tab.locator(BOX).fill(words)
    until(tab, f"{OPTIONS}.length > 0")
    return list(tab.evaluate(f"{OPTIONS}.map((one) => one.dataset.id ?? null)"))


def test_keys_go_to_the_box_choose_a_question_with_its_answers_and_lead_there(opened: Open, corpus: Corpus) -> None:
    tab = opened("rights.html")
    tab.keyboard.press("Control+k")
    assert tab.evaluate(FOCUSED)
    found = suggest(tab, "who wins the hand")
    assert found[:2] == ["Partie or talon", "Q057"] and found[-1] is None
    tab.keyboard.press("ArrowUp")
    assert tab.evaluate(f"{CHOSEN}.textContent").startswith("All results")
    for _ in range(3):
        tab.keyboard.press("ArrowDown")
    assert tab.evaluate(f"{CHOSEN}.dataset.id") == "Q057"
    said = tab.locator(".rv-suggest [data-id=Q057] .rv-voice-name").all_inner_texts()
    assert set(said) <= {source.short_name for source in corpus.library.sources.values()} and len(said) > 1
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/questions/Q057.html*")


# --- without a script, and what it weighs -----------------------------------------------------------------------


def test_without_a_script_the_box_leads_to_the_search_and_that_to_the_index_of_words(opened: Open) -> None:
    tab = opened("rights.html", java_script_enabled=False)
    tab.locator(".rv-box input").fill("jetton")
    tab.locator(".rv-box input").press("Enter")
    tab.wait_for_url("**/find.html*")
    assert not tab.locator(".rv-find-filters").is_visible()
    assert tab.locator(".rv-find-plain").is_visible()
    tab.locator(".rv-find button").click()
    tab.wait_for_url("**/indices/words.html*")


def test_nothing_is_fetched_for_a_search_before_somebody_searches(opened: Open) -> None:
    tab = opened("rights.html")
    fetched = "[...document.scripts].map((one) => one.src.split('/').pop().split('?')[0])"
    before, later = set(tab.evaluate(fetched)), {"minisearch.js", "finding-index.js", "finding-records.js"}
    assert "finding-box.js" in before and not later & before
    ready(tab)
    assert later <= set(tab.evaluate(fetched))


def test_if_the_records_cannot_be_had_the_page_says_so(browser: Any, site: Path) -> None:
    context = browser.new_context()
    tab = context.new_page()
    tab.route("**/finding-records.js", lambda route: route.abort())
    tab.goto(f"{(site / 'find.html').as_uri()}#q=quinola")
    until(tab, "document.querySelector('#rv-find-said').textContent.includes('could not be loaded')")
    assert tab.locator(".rv-hit").count() == 0
    context.close()


def test_the_search_keeps_within_its_weight(site: Path) -> None:
    """Compressed: the scripts of the search beside what every page has, the records, and the largest index."""

    def weighs(*names: str) -> int:
        return sum(len(gzip.compress((site / name).read_bytes())) for name in names)

    scripts = ("minisearch", "folding", "finding-index", "finding-suggest", "finding")
    assert weighs(*(f"_static/{name}.js" for name in scripts), "_static/finding-suggest.css") < 40_000
    assert weighs("_static/finding-box.js") < 2_000
    assert weighs("_static/finding-records.js") < 300_000
    assert not (site / "searchindex.js").exists()
    for page in (site / "indices").glob("*.html"):
        assert weighs(f"indices/{page.name}") < 200_000
