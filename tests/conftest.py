"""What every test may ask for: the library as it stands, rulesets, deals settled under them; the edition, a browser."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from lxml import etree

from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.site.build import build_html
from engine.deal.model import Deal
from engine.settlement.settle import Refused, Settled, settle
from reversis.files.deals import read_worked_records, readable_deals
from reversis.files.surveys import read_surveys
from rulebook.io.yaml_cache import ParsedYaml, active_cache
from rulebook.load import load_library
from rulebook.model import Library, Ruleset
from rulebook.program_fingerprint import PROGRAM_ROOT
from rulebook.program_name import GAME_VARIABLE
from rulebook.resolve import read_choice, resolve
from tests.support.library import write_library
from tests.support.pages import build_corpus
from tests.support.settling import Refuse, Rules, Settle
from tests.support.specimen import build_specimen, keep_site
from tests.support.tiers import MADE, is_default_tier, limit_seconds

os.environ[GAME_VARIABLE] = "reversis"  # as its command does: most libraries of tests have no `library.yaml`


@pytest.fixture(autouse=True)
def no_screen() -> Iterator[None]:
    """Messages stand on one line, as in a pipe, and a screen is as high as its terminal, whatever the machine says.

    Readline exports both once it is loaded: every process of `pytest -n` finds them in its environment.
    """
    before = {name: os.environ.pop(name) for name in ("COLUMNS", "LINES") if name in os.environ}
    yield
    os.environ.update(before)


@pytest.fixture(scope="session")
def library() -> Library:
    """All that the sources say, read once; whether it is without a problem is a test of its own."""
    library, problems = load_library()
    assert library is not None, "\n".join(map(str, problems))
    return library


@pytest.fixture(scope="session")
def deals(library: Library) -> dict[str, Deal]:
    """Every worked deal by its id, in the order of the files."""
    return {record.deal.id: record.deal for record in read_worked_records(library) if record.deal is not None}


@pytest.fixture(scope="session")
def sampled_deals(request: pytest.FixtureRequest, library: Library) -> tuple[Deal, ...]:
    """Worked deals on which is tried what holds of any: by default every fourth, before a release all."""
    return tuple(readable_deals(library))[:: 4 if is_default_tier(request.config) else 1]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The invented library, for every test that changes something in it."""
    return write_library(tmp_path)


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """The edition as it stands before any page is made of it, read once."""
    corpus, problems = read_corpus_checked()
    assert corpus is not None and problems == [], "\n".join(map(str, problems))
    return corpus


@pytest.fixture(scope="session")
def surveyed_edition() -> Corpus:
    """The sources with the stored surveys, and nothing else of the game, for modules too whose library is another."""
    library, _ = load_library()
    assert library is not None
    surveys, problems = read_surveys(Path(library.root), library)
    assert surveys and not problems, problems
    return build_corpus(library, extras={"surveys": surveys})


@pytest.fixture(scope="session")
def compiled(library: Library) -> None:
    """The survey's fast path, made into machine code once for all tests, if that was not done on an earlier day."""
    from engine.players.preferences import SURVEY_POLICIES
    from lab.survey import chunk as work
    from lab.survey.jit import INTERPRETED
    from lab.survey.request import Rules as Named
    from lab.survey.request import SurveyOrder, SurveyTable

    if INTERPRETED:
        return
    sources = [Named(siglum) for siglum in library.sources]
    for policy in SURVEY_POLICIES:
        tables = tuple(SurveyTable(source, tuple(sources)) for source in sources)
        work.tally_piece(SurveyOrder(1, policy, 2, tables), library, 0)


@pytest.fixture(scope="session")
def rules(library: Library) -> Rules:
    """A source's ruleset, with the wishes of a reader."""

    def rules(source: str, *wishes: str) -> Ruleset:
        return resolve(library, source, [read_choice(library, w) for w in wishes])

    return rules


@pytest.fixture(scope="session")
def settles(rules: Rules) -> Settle:
    """A deal that must be settled under a source with these wishes."""

    def settles(deal: Deal, source: str, *wishes: str) -> Settled:
        found = settle(deal, rules(source, *wishes))
        assert isinstance(found, Settled), found
        return found

    return settles


@pytest.fixture(scope="session")
def refuses(rules: Rules) -> Refuse:
    """A deal that must be refused under a source with these wishes."""

    def refuses(deal: Deal, source: str, *wishes: str) -> Refused:
        found = settle(deal, rules(source, *wishes))
        assert isinstance(found, Refused), found
        return found

    return refuses


@pytest.fixture(scope="session")
def whole_tei() -> etree.RelaxNG:
    """The whole schema of TEI, as its makers publish it; to compile it takes seconds."""
    return etree.RelaxNG(etree.parse(str(PROGRAM_ROOT / "vendor" / "tei" / "tei_all.rng")))


def pytest_configure(config: pytest.Config) -> None:
    """Groups of tests are begun in the order that `pytest_collection_modifyitems` gives them.

    Garbage is looked for as seldom as by `reversis` itself (`edition.cli.main`): with every 700 new objects it would be
    looked for in all that was ever read, which took a quarter of the time of the tests. And a file of YAML is parsed
    once by its content, as in one run of `check`: many tests read the same library, but for a line.
    """
    gc.set_threshold(50_000, 20, 20)
    active_cache.set(ParsedYaml({}))
    config.option.loadscopereorder = False
    MADE.for_release = not is_default_tier(config)
    if not MADE.for_release:  # compiling takes longer than playing a few deals as plain Python
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    config.addinivalue_line("markers", "xdist_group(name): left to one process, where there are several")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long texts are named by their beginning: names of megabytes are sent from process to process with every test."""
    return f"{ascii(val[:60])[1:-1]}..." if isinstance(val, str) and len(val) > 80 else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A test of the default tier is short."""
    with limit_seconds(item.nodeid) if is_default_tier(item.config) else nullcontext():
        return (yield)


#: Whoever asks for one of these is slow: the edition built, the survey compiled, many deals.
SLOW_FIXTURES = frozenset({"site", "compiled", "reckonings", "shelves", "joint"})
SLOW_FOLDER = Path(__file__).parent / "lab" / "survey"  #: the first test there compiles it


@pytest.hookimpl(tryfirst=True)  # before the groups are written into the names of the tests
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A module is left to one process, which makes ready only once what its tests need: a browser, a fixture.

    All modules of pages go to one, which computes only once what pages share of all deals; so do those of exports.
    Whoever needs nothing but the edition comes first and builds it; meanwhile others do what can be done without.
    What takes long is begun early, so that no process is left alone with it in the end.
    """
    leave_out_the_nightly(config, items)
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    turns: dict[pytest.Item, int] = {}
    for path, of_module in modules.items():
        asked = {item: frozenset(getattr(item, "fixturenames", ())) for item in of_module}
        for item in of_module:
            if SLOW_FIXTURES & asked[item] or SLOW_FOLDER in path.parents:
                item.add_marker(pytest.mark.slow)
            if "site" in asked[item]:
                item.add_marker(pytest.mark.site)
        shared = {name for names in asked.values() for name in names} & {"corpus", "exported"}
        is_long = any(item.get_closest_marker("slow") for item in of_module)
        for item in of_module:
            group, turn = of_module[0].nodeid.partition("::")[0], 1 if is_long else 3
            if item.get_closest_marker("browser") or "browser" in asked[item]:
                group, turn = f"browser: {group}", 2
            elif "site" in asked[item]:
                group, turn = "edition", 0
            elif shared:
                group, turn = min(shared), 1
            item.add_marker(pytest.mark.xdist_group(group))
            turns[item] = turn
    items.sort(key=turns.__getitem__)


def pytest_sessionfinish() -> None:
    """Look for garbage once; pytest would do so ten times after the last test, in all that was ever read."""
    gc.collect()
    gc.freeze()


def leave_out_the_nightly(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that take hours run only if their marker is asked for by name: neither by README's command nor by CI."""
    left_out = [item for item in items if item.get_closest_marker("nightly")]
    if left_out and "nightly" not in config.option.markexpr:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


REQUIRED = os.environ.get("REVERSIS_REQUIRE_BROWSER") == "1"
#: The first is Chromium without windows: it opens a page in half the time.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in CHROMIUMS if (found := shutil.which(name))), "")


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest, corpus: Corpus) -> Path:
    """The built site: by default a specimen with every kind of page, before a release the whole edition.

    Warnings are errors. Whoever comes first builds it for all processes; it is kept by pytest, and built again when
    program or sources have changed. `REVERSIS_SITE` names a site that is built already.
    """
    if ready := os.environ.get("REVERSIS_SITE"):
        assert (Path(ready) / "index.html").is_file(), f"REVERSIS_SITE: no edition in {ready}"
        return Path(ready).resolve()
    whole = not is_default_tier(request.config)
    folder = Path(request.config.cache.mkdir("sites")) / ("whole" if whole else "specimen")
    with FileLock(folder.with_suffix(".lock")):
        return keep_site(folder, partial(build_html if whole else build_specimen, corpus=corpus))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The machine's own Chromium; without it the test is skipped, unless a browser is required."""
    missing = "" if CHROMIUM else "no Chromium on this machine"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing = "playwright is not installed"
    if missing:
        (pytest.fail if REQUIRED else pytest.skip)(missing)
    with sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield opened
        opened.close()
