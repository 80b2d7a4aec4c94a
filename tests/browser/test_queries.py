"""What players ask: the right question or term is suggested first or second, and the right topic above them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import yaml

from edition.corpus.corpus import Corpus
from edition.settings import find_vendor_folder
from edition.site.search_index import as_script, index_data, page_records, search_records, topic_records
from edition.views.common import group_questions
from tests.support.handwritten import find_page
from tests.support.waiting import until

pytestmark = pytest.mark.browser

QUERIES = Path(__file__).parents[1] / "data" / "player-queries.yaml"
READER_QUESTIONS = Path(__file__).parents[2] / "docs" / "tried.md"
TITLES = {"answers": "All answers", "downloads": "Download", "materiality": "How much differences matter"}
STATIC = Path(__file__).parents[2] / "edition" / "static"
SCRIPTS = ("minisearch", "folding", "finding-records", "finding-index", "finding-suggest")
#: Questions and terms that a search finds, in the order of the suggestions, and how long it takes.
FIND = """(query) => {
  const begun = performance.now(), { hits } = index.search(query), took = performance.now() - begun;
  const some = hits.filter(({ record }) => ["question", "term"].includes(record.kind));
  return [some.sort((one, other) => other.called - one.called).map(({ record }) => record.id), took];
}"""


@pytest.fixture(scope="module")
def index(browser: Any, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page with the index of the whole edition and nothing else."""
    folder = tmp_path_factory.mktemp("search")
    places = {("group", group): ("questions", "", group) for group in group_questions(corpus)}
    heads = {title: yaml.safe_load(find_page(title).read_text(encoding="utf-8").split("---")[1]) for title in TITLES}
    pages = page_records(TITLES, heads)
    found = [*search_records(corpus), *topic_records(corpus, places), *pages]
    whole = index_data(corpus, found, lambda kind, id: f"{kind}.html#{id}")
    (folder / "finding-records.js").write_text(as_script(whole), encoding="utf-8")
    shutil.copy(find_vendor_folder("minisearch", "minisearch.js") / "minisearch.js", folder)
    for name in ("folding", "finding-index", "finding-suggest"):
        shutil.copy(STATIC / f"{name}.js", folder)
    scripts = "".join(f"<script src={name}.js></script>" for name in SCRIPTS)
    (folder / "page.html").write_text(f"<!doctype html><meta charset=utf-8>{scripts}", encoding="utf-8")
    tab = browser.new_page()
    tab.goto((folder / "page.html").as_uri())
    tab.evaluate("(globalThis.index = new EditionIndex(EDITION_RECORDS)).complete.then(() => true)")
    yield tab
    tab.close()


def test_what_players_ask_is_suggested_first_or_second_and_soon(index: Any, corpus: Corpus) -> None:
    queries = yaml.safe_load(QUERIES.read_text(encoding="utf-8"))
    known = {*corpus.kinds, *(term.id for term in corpus.terms)}
    assert len(queries) > 50 and {id for right in queries.values() for id in right} <= known
    found = {query: index.evaluate(FIND, query) for query in queries}
    missed = {query: found[query][0][:4] for query, right in queries.items() if not {*found[query][0][:2]} & {*right}}
    assert missed == {}
    assert median(took for _, took in found.values()) < 50  # milliseconds


@pytest.mark.parametrize(
    ("one", "other"),
    [("pot", "basket"), ("renege", "revoke"), ("discarding", "discards"), ("knave of hearts", "quinola")],
)
def test_words_of_one_meaning_find_the_same_questions(index: Any, one: str, other: str) -> None:
    questions = [{id for id in index.evaluate(FIND, words)[0] if id.startswith("Q")} for words in (one, other)]
    assert questions[0] and questions[0] == questions[1]


TYPED = Path(__file__).parents[1] / "data" / "search-queries.yaml"
#: Address of the first suggestion.
ENDS = "(query) => document.querySelector('.rv-suggest-all')?.textContent.includes(`“${query}”`)"
FIRST = "() => document.querySelector('.rv-suggest [role=option]')?.href ?? ''"


@pytest.mark.parametrize(("part", "least"), [(1, 36), (2, 34)])
def test_most_of_what_strangers_type_is_answered_by_the_first_suggestion(
    browser: Any, site: Path, part: int, least: int
) -> None:
    """Forty queries each; what no page answers counts as missed, and some pages are only in the whole edition."""
    queries = [query for query in yaml.safe_load(TYPED.read_text(encoding="utf-8")) if query["set"] == part]
    tab, missed = browser.new_page(), list[str]()
    tab.goto((site / "glossary.html").as_uri())
    box = tab.locator("input[type=search]").first
    for query in queries:
        box.fill(query["query"])
        until(tab, ENDS, query["query"])
        missed += [] if query["to"] and tab.evaluate(FIRST).endswith(query["to"]) else [query["query"]]
    tab.close()
    assert len(queries) == 40 and len(queries) - len(missed) >= least, missed


#: Topic on which each question of docs/tried.md is answered.
ANSWERED_ON = (
    "The quinola",
    "The quinola",
    "Reversis",
    "Table and pack",
    "The stake",
    "Partie or talon",
    "Partie or talon",
    "Irregularities",
    "Table and pack",
    "The quinola",
)


def find_topics(index: Any, query: str) -> list[str]:
    """Topics that are suggested, the best first."""
    topics = "index.search(query).hits.filter(({ record }) => record.kind === 'topic')"
    return list(index.evaluate(f"(query) => {topics}.map(({{ record }}) => record.id)", query))


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("nine tricks then lost the tenth", "Reversis"),
        ("jack of hearts discarded pool", "The quinola"),
        ("jack of hearts thrown away before the play", "The quinola"),
        ("jack of hearts only heart", "The quinola"),
        ("throw jack of hearts on club", "The quinola"),
        ("loser pays winner", "Partie or talon"),
        ("not following suit", "Irregularities"),
        ("played a diamond on a spade", "Irregularities"),
        ("where do the books differ", "answers"),
        ("what else do the books disagree on", "answers"),
        ("how often is the reversis undertaken", "materiality"),
        ("epub", "downloads"),
        ("pdf", "downloads"),
        ("how many counters into the pool before the first hand", "The stake"),
    ],
)
def test_topic_that_answers_it_is_suggested_above_its_questions(index: Any, query: str, topic: str) -> None:
    assert find_topics(index, query)[0] == topic
    assert index.evaluate("(query) => index.search(query).hits[0].record.kind", query) == "topic"


def test_questions_of_a_reader_typed_whole_lead_to_the_topic_that_answers_them(index: Any) -> None:
    titles = re.findall(r"^### \d+\. (.+)$", READER_QUESTIONS.read_text(encoding="utf-8"), re.MULTILINE)
    assert [find_topics(index, title)[0] for title in titles] == list(ANSWERED_ON)


def test_of_many_books_the_first_are_named_and_the_rest_are_counted(index: Any) -> None:
    said = index.evaluate(
        """() => {
             const [siglum] = Object.keys(index.data.sources), many = Array(9).fill([siglum, 0]);
             const answers = [["yes", many], ...Array(6).fill(["no", [[siglum, 0]]])];
             return EditionSuggest.answers(index, { answers })[0].textContent;
           }"""
    )
    assert "and 5 more" in said and said.endswith("and 3 more answers")
