"""A source that plays by other rules: data only, and it plays, is compared, is surveyed, and stands in the edition."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from click import ClickException
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import edition.site.build as building
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.corpus.progress import format_reservations
from edition.export.cldf_rows import list_code_rows, list_parameter_rows
from edition.export.tables import EDITION_TABLES, format_questions_json, list_question_rows
from edition.site.build import build_html
from edition.views.about import home
from edition.views.questions.all_answers import answers_view
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.readings.meanings.by_question import MEANINGS
from engine.readings.unsupported import (
    list_waiting_readings,
    needing_code,
    needing_none,
)
from engine.settlement.result_json import result
from engine.settlement.settle import Settled, settle
from lab.survey import chunk as work
from lab.survey import reference as readable
from lab.survey.request import EVENTS, Rules, SurveyOrder, SurveyTable
from lab.survey.tally import SurveyTally
from reversis.cli.ledger_tables import _format_ledger_remarks
from reversis.cli.main import cli
from reversis.cli.survey import drop_unsurveyable_rules
from reversis.files.deals import DealRecord
from reversis.findings.expectations import missed_figures
from reversis.words.deal_views import view_settlements
from rulebook import load as loading
from rulebook.answers.values import format_canonical
from rulebook.io.strict_yaml import read_yaml
from rulebook.model import Library
from rulebook.problems import Where
from rulebook.resolve import resolve, rules
from rulebook.sources.paths import find_sources
from tests.support.fifth_source import HERE, SIGLUM, small, with_fifth
from tests.support.handwritten import find_page
from tests.support.library import changed
from tests.support.settling import SIGLA

OTHERS = SIGLA
DEAL = HERE / SIGLUM / "deals" / "fif-first.yaml"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All sources and the fifth."""
    return with_fifth(tmp_path_factory.mktemp("fifth"))


@pytest.fixture(scope="module")
def corpus(root: Path) -> Corpus:
    """The five as the edition has them."""
    found, problems = read_corpus_checked(root)
    assert found is not None and not problems, "\n".join(map(str, problems))
    return found


@pytest.fixture(scope="module")
def five(corpus: Corpus) -> Library:
    """The five sources."""
    return corpus.library


@pytest.fixture(scope="module")
def deal() -> Deal:
    """A deal that was settled by hand."""
    data, _, _ = read_yaml(DEAL)
    found, problems = read_deal(data)  # type: ignore[arg-type]
    assert found is not None and not problems
    return found


@pytest.fixture
def run(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """A command over the five sources; what it prints."""
    cabinet = tmp_path_factory.getbasetemp() / "corpus-of-five"
    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: cabinet)
    monkeypatch.setattr(loading, "find_sources", lambda: root)

    def run(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(cli, list(words), env={"COLUMNS": "200"})
        assert done.exit_code == code, done.output
        return done.output

    return run


# ---- it is data, and says that it is invented
def test_the_fifth_source_is_data_and_says_that_it_is_invented() -> None:
    assert {path.suffix for path in (HERE / SIGLUM).rglob("*") if path.is_file()} == {".yaml", ".xml", ".txt"}
    record, _, _ = read_yaml(HERE / SIGLUM / "source.yaml")
    assert isinstance(record, dict) and "invented" in str(record["date_certainty"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "slug",
    [
        "ace.thrown-off.amount",  # numbers
        "quinola.forced.amount",
        "reversis.made.neighbour",
        "cards.points",
        "partie.loser",  # the order among equals
        "partie.winner",
        "partie.place",
        "ace.favoured-suit",  # the ace that counts more, and how much more
        "ace.favoured-amount",
        "quinola.card",
        "talon.bonus",
        "talon.special-cards",
        "payments.opposite",
        "payments.doubled-tricks",
    ],
)
def test_it_contradicts_each_of_the_others(five: Library, slug: str) -> None:
    said = {siglum: resolve(five, siglum).rulings.get(slug) for siglum in five.sources}
    mine = said.pop(SIGLUM)
    assert mine is not None and set(said) == set(OTHERS)
    assert all(one is None or format_canonical(one.value) != format_canonical(mine.value) for one in said.values())


def test_the_others_are_the_same_beside_it(five: Library, library: Library) -> None:
    for siglum in OTHERS:
        alone, beside = resolve(library, siglum).rulings, resolve(five, siglum).rulings
        assert {slug: one.value for slug, one in alone.items()} == {slug: one.value for slug, one in beside.items()}
        assert resolve(five, siglum).left_out == ()


@pytest.mark.slow
def test_check_finds_nothing_amiss(run: Callable[..., str], root: Path) -> None:
    assert run("check", str(root)).startswith(f"no problems found: {len(OTHERS) + 1} sources")


# ---- it plays
#: By hand, from the words of the book. Trick: what is paid, and the sum by which it comes about.
BY_HAND = {
    ("forced", 1): {"east": 7 * 2, "north": 2 * 3 * 2, "west": 2 * 2},  # to south, twice in the first, 3 opposite
    ("forced-fine", 1): {"east": 1 + 1 + 1},
    ("forced", 2): {"north": 4 * 3, "east": 1, "west": 1},  # to south, who led
    ("forced", 3): {"south": 4 * 3 * 3, "east": 1 * 3, "west": 1 * 3},  # the ace of clubs, to north
    ("forced", 5): {"north": 4, "south": 1, "west": 1 * 3},  # to east
    ("forced", 10): {"east": 4, "north": 1 * 3, "west": 1},  # to south
    ("stake-by-tricks", None): {"pool": 30},
    ("partie", None): {"south": 2 * (11 + 2), "north": 2 * (11 + 2), "east": 2 * (11 + 2) * 4},  # to west
}


def test_a_deal_comes_to_what_was_worked_out_by_hand(five: Library, deal: Deal) -> None:
    done = settle(deal, resolve(five, SIGLUM))
    assert isinstance(done, Settled)
    paid: dict[tuple[str, int | None], dict[str, int]] = {}
    for entry in result(done)["entries"]:  # type: ignore[attr-defined]
        for posting in entry["postings"]:
            sums = paid.setdefault((entry["rule"], entry["trick"]), {})
            sums[posting["from"]] = sums.get(posting["from"], 0) + posting["amount"]
    assert paid == BY_HAND
    south = (14 + 12 + 4) + 1 + (12 + 1 + 1) - 36 - 1 + (4 + 3 + 1) + 30 - 26
    east = -14 - 3 - 1 - 3 + (4 + 1 + 3) - 4 - 104
    north = -12 + 1 - 12 + (36 + 3 + 3) - 4 - 3 - 26
    west = -4 + 1 - 1 - 3 - 3 - 1 + (26 + 104 + 26)
    assert done.net == {0: south, 1: east, 2: north, 3: west, "pool": -30}
    assert (south, east, north, west) == (20, -121, -14, 145)


def test_each_trick_has_the_factor_that_the_source_gives_it(five: Library, deal: Deal) -> None:
    def net(*wishes: str) -> dict[object, int]:
        done = settle(deal, rules(five, SIGLUM, *wishes))
        assert isinstance(done, Settled)
        return dict(done.net)

    first = 14 + 12 + 4  # what trick 1 comes to with the factor 2
    assert net("Q047={1: 3, -1: 5}")[0] == net()[0] + first // 2
    assert net("Q047={-1: 5}")[0] == net()[0] - first // 2
    assert net("Q047=[1]", "Q048=2") == net()


def test_readings_of_numbers_cards_and_suits_are_played_as_they_stand(five: Library, deal: Deal) -> None:
    own = resolve(five, SIGLUM)
    for slug, reading in (("play.first-lead", "diamond"), ("play.quinola-alone", "free-after-three-tricks")):
        assert own.rulings[slug].value == reading and not own.rulings[slug].not_played
    assert "refused" not in result(settle(deal, own))
    spades = result(settle(deal, rules(five, "PAM", "Q012=diamond", "Q006=QH")))
    assert "refused" not in spades
    hearts = result(settle(deal, rules(five, SIGLUM, "Q012=heart")))
    assert [one["legal"] for one in hearts["refused"]] == [["QH", "3H"]]  # type: ignore[attr-defined]


def test_a_criterion_of_cards_decides(five: Library, deal: Deal) -> None:
    # hearts taken: south 8H 9H, east JH KH 2H, north AH 4H 7H 3H, west QH 5H; then south has 5 courts, west 3
    by_hearts = settle(deal, rules(five, SIGLUM, "FIF.o01"))
    assert isinstance(by_hearts, Settled) and by_hearts.outcome.partie is not None
    assert deal.seats[by_hearts.outcome.partie.winner] == "west"
    most = settle(deal, rules(five, SIGLUM, "Q057=[fewest-hearts, first-in-play]"))
    assert isinstance(most, Settled) and most.outcome.partie is not None
    assert deal.seats[most.outcome.partie.winner] == "south"


# ---- what is not played is said
NOT_PLAYED = ("Q022", "Q901", "Q902")
NOT_ALL = "collated: 50 % of the questions, 100 % of the sentences; 3 rules not simulated"


@pytest.mark.slow
def test_the_ledger_says_what_was_left_out_in_every_form(run: Callable[..., str], deal: Deal) -> None:
    text = " ".join(run("run", str(DEAL), "--source", SIGLUM).split())
    assert re.findall(r"left out: (Q\d{3})", text) == list(NOT_PLAYED)
    assert "“The leader and the taker of the trick, half each.” (FIF.c014) is not played, but “Whoever led" in text
    assert "The engine pays a forced ace to one player." in text
    data = json.loads(run("run", str(DEAL), "--source", SIGLUM, "--format", "json"))
    assert [one["question"] for one in data["left_out"]] == list(NOT_PLAYED)
    assert data["left_out"][0] == {
        "question": "Q022",
        "says": "leader-and-taker",
        "played_as": "leader",
        "clauses": ["FIF.c014"],
        "reason": "The engine pays a forced ace to one player.",
        "mattered": True,
        "raised": [
            {"trick": trick, "seat": seat} for trick, seat in ((2, "north"), (3, "south"), (5, "north"), (10, "east"))
        ],
    }
    schema = json.loads((find_sources() / "schema" / "result.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(data)
    page = BeautifulSoup(run("run", str(DEAL), "--source", SIGLUM, "--format", "html"), "html.parser")
    notes = [one.get_text() for one in page.select("p.note") if one.get_text().startswith("left out: ")]
    assert [note[10:14] for note in notes] == list(NOT_PLAYED)


def test_every_deal_says_whether_what_is_not_played_would_have_mattered(five: Library, deal: Deal) -> None:
    view = view_settlements(five, deal, [settle(deal, resolve(five, SIGLUM))]).ledgers[0]
    forced, queen = view.shortfalls
    assert forced == (
        "Q022: what is paid in trick 2, in trick 3, in trick 5 and in trick 10 rests on the answer played instead: FIF "
        "has a rule of its own for it, and this ledger does not follow it"
    )
    assert queen == (
        "Q902: west plays the queen of spades in trick 2: the queen of spades has a pool of its own, and this ledger "
        "does not follow it"
    )
    verdicts = [re.search(r"[^.]*\.$", one)[0].strip() for one in view.left_out]  # type: ignore[index]
    assert verdicts[0] == verdicts[2] == "In this deal it would have mattered."
    assert verdicts[1] == "Whether it matters in this deal the program cannot tell: read the rule beside it."
    others = view_settlements(five, deal, [settle(deal, resolve(five, "PAR"))]).ledgers[0]
    assert others.left_out == others.shortfalls == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("matters", "told"),
    [
        ("{card: QS, announced: reversis, when: led}", "has card and announced"),
        ("{says: something}", "has nothing"),
        ("{card: QS}", "is no card and what befalls it"),
        ("{card: queen, when: led}", "the occasion 'queen' is no card and what befalls it"),
        ("{card: QS, when: lead}", "lead"),
    ],
)
def test_an_occasion_that_cannot_be_seen_is_refused(tmp_path: Path, matters: str, told: str) -> None:
    place = small(tmp_path)
    changed(
        place,
        f"{SIGLUM}/proposed.yaml",
        "{card: QS, when: played, says: the queen of spades has a pool of its own}",
        matters,
    )
    _, problems = loading.load_library(place)
    assert any(
        told in f"{problem.what} {problem.way_out}" and "proposed.yaml" in problem.file for problem in problems
    ), problems


def test_a_source_of_which_not_all_is_played_is_marked_where_books_are_listed_and_compared(corpus: Corpus) -> None:
    library = corpus.library
    assert [format_reservations(library, one) for one in ("PAM", SIGLUM)] == ["", NOT_ALL]
    books = "".join(node.astext() for node in home.render_home_books(home.home_books_view(corpus)))
    assert books.count(NOT_ALL) == 1
    heads = {column.source.siglum: column.draft for column in answers_view(corpus).columns}
    assert heads == {one: format_reservations(library, one) for one in OTHERS} | {SIGLUM: NOT_ALL}
    assert NOT_ALL not in [heads[one] for one in OTHERS]


# ---- what is not to be reached yet
def test_a_result_may_be_pending_and_it_is_told_when_it_comes_true(five: Library, deal: Deal) -> None:
    own = resolve(five, SIGLUM)
    expected = dict(deal.expect[SIGLUM])  # type: ignore[call-overload]
    later = {**expected, "net": {**expected["net"], "south": 99}, "pending": "The queen has no pool yet."}
    record = DealRecord("a.yaml", deal, (), lambda steps: Where("/".join(map(str, steps))))

    def told(expect: dict[str, object]) -> tuple[list[str], str]:
        settled = settle(replace(deal, expect={SIGLUM: expect}), own)
        view = view_settlements(five, settled.deal, [settled]).ledgers[0]
        found = [f"{figure.file}: {figure.what}" for figure in missed_figures(record, settled.deal, settled)]
        return found, " ".join(_format_ledger_remarks(view))

    found, words = told(later)
    assert not found and "pending, as the record says: The queen has no pool yet." in words
    assert "net south is 20, pending 99" in words
    found, words = told({**expected, "pending": "The queen has no pool yet."})
    assert found == ["expect/FIF/pending: fif-first under FIF: every figure that was pending has come true"]
    assert "came true: all" in words and "take out `pending`" in words
    found, words = told({key: value for key, value in later.items() if key != "pending"})
    assert found and "NOT as the record expects: net south" in words


def test_a_deal_that_may_not_be_played_so_names_them_too(five: Library, deal: Deal) -> None:
    told = result(settle(deal, rules(five, SIGLUM, "Q012=heart")))
    assert [one["question"] for one in told["left_out"]] == list(NOT_PLAYED)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_explain_tells_what_is_said_and_what_is_played(run: Callable[..., str]) -> None:
    told = " ".join(run("explain", str(DEAL), "--source", SIGLUM).split())
    assert "half each. This is not played, but instead: Whoever led the suit." in told
    assert "twice in the first and 5 times in the last" in told.casefold()


# ---- it is compared
def test_it_is_compared_with_another(run: Callable[..., str]) -> None:
    told = json.loads(run("compare", SIGLUM, "PAM", "--format", "json"))
    found = {one["id"]: one["sides"] for one in told["differences"]}
    assert [side["value"] for side in found["Q017"]] == ["C", "D"]
    assert [side["value"] for side in found["Q064"]] == [11, 4]
    assert found["Q022"][0]["value"] == "leader-and-taker" and "one player" in found["Q022"][0]["not_played"]
    assert {"Q901", "Q902"} <= set(found) and found["Q901"][1]["value"] is None
    text = " ".join(run("compare", SIGLUM, "PAM", "--group", "aces").split())
    assert "stated, not simulated FIF.c014" in text


@pytest.mark.slow
def test_a_deal_separates_it_from_another(run: Callable[..., str]) -> None:
    told = json.loads(run("separate", "Q017", SIGLUM, "PAM", "--format", "json"))
    assert (told["verdict"], told["pair"], told["slug"]) == ("effective", [SIGLUM, "PAM"], "ace.favoured-suit")
    one, other = told["results"]
    assert one["net"] != other["net"]


# ---- it is surveyed
def plain(tally: SurveyTally) -> SurveyTally:
    """Without the events, which the readable path cannot tell of cards as first dealt."""
    return SurveyTally(tuple(replace(count, events=(0,) * len(EVENTS)) for count in tally.tables))


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_both_paths_of_the_survey_count_the_same_for_it(five: Library) -> None:
    flips = [Rules(SIGLUM, (wish,)) for wish in ("Q047={2: 3}", "Q012=heart", "Q014=must-follow", "Q058@PAM")]
    others = (*map(Rules, OTHERS), *flips)
    order = SurveyOrder(
        7, "random", 40, (SurveyTable(Rules(SIGLUM), others), SurveyTable(Rules("PAR"), (Rules(SIGLUM),)))
    )
    quick = work.tally_piece(order, five, 0)
    slow = readable.tally_by_ledger(
        order, five, lambda table, number: work.deal_of(order, five, table, number), range(40)
    )
    assert plain(quick) == plain(slow)
    mine, theirs = quick.tables
    assert mine.settled == 40 and any(mine.net) and theirs.others[0].changed + theirs.others[0].forbidden > 0
    assert sum(one.changed > 0 for one in mine.others) >= 3


@pytest.mark.release
@pytest.mark.usefixtures("compiled")
def test_a_small_survey_tells_of_it(run: Callable[..., str]) -> None:
    told = json.loads(run("survey", "--deals", "40", "--seed", "2", "--jobs", "1", "-q", "--format", "json"))
    assert SIGLUM in json.dumps(told) and all(other in json.dumps(told) for other in OTHERS)


@pytest.mark.usefixtures("compiled")
def test_rules_that_no_survey_knows_are_left_out_and_named(five: Library, capsys: pytest.CaptureFixture[str]) -> None:
    unknown, known = Rules(SIGLUM, ("FIF.o01",)), Rules("PAR")
    order = SurveyOrder(1, "random", 8, (SurveyTable(Rules(SIGLUM), (unknown, known)), SurveyTable(unknown)))
    left = drop_unsurveyable_rules(five, order, ())
    assert left.tables == (SurveyTable(Rules(SIGLUM), (known,)),)
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith("Left out of the survey: FIF + FIF.o01, since partie.winner is answered fewest-hearts")
    assert "Deal by deal it can be settled all the same: `reversis run`." in told
    for asked_by_name, tables in (((SIGLUM,), order.tables), ((), order.tables[1:])):
        with pytest.raises(ClickException, match=r"No survey can play by FIF .* partie\.winner"):
            drop_unsurveyable_rules(five, replace(order, tables=tables), asked_by_name)


# ---- which readings would need code
def test_what_would_need_code_is_counted_from_the_tables(library: Library) -> None:
    closed, by_data = needing_code(library), needing_none(library)
    asked = [q.slug for q in library.questions.values() if not q.not_played]
    assert {one.question for one in closed} < set(MEANINGS) and not set(by_data) & set(MEANINGS)
    assert len(closed) < len(asked) / 2, "the list is kept short: most questions need data only"
    types = {str(library.questions[slug].measure["type"]) for slug in by_data}
    assert {"integer", "card", "suit", "ranks", "points", "tricks", "times-or-sum", "card-values", "hands"} <= types
    yes_or_no = set(asked) - set(by_data) - {one.question for one in closed}
    for slug in yes_or_no:
        assert len(MEANINGS[slug]) == 2 and {bool(one) for one in MEANINGS[slug].values()} == {False, True}
    open_ = {one.question: one.forms for one in closed if one.forms}
    assert {"play.first-lead", "play.quinola-alone", "partie.winner", "exchange.heart-exception"} <= set(open_)
    assert list_waiting_readings(library) == ()


# ---- it stands in the edition


PAGES = ("index", "answers", "other-rules", "questions/Q022", "questions/Q901", "deals/fif-first", "sources/FIF")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Tag]]:
    """A few pages of a small edition."""
    folder, lay_out = tmp_path_factory.mktemp("small"), building.write_page_sources

    def only(corpus: Corpus, where: Path, by_hand: Path | None = None) -> object:
        done = lay_out(corpus, where, by_hand)
        for path in (*where.rglob("*.md"), *where.rglob("*.rst")):
            if path.relative_to(where).with_suffix("").as_posix() not in PAGES:
                path.unlink()
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "write_page_sources", only)
        assert build_html(folder / "html", False, "1", small(folder)) == 0

    def page(name: str) -> Tag:
        return BeautifulSoup((folder / "html" / f"{name}.html").read_text("utf-8"), "html.parser")

    yield page


def words(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


@pytest.mark.release
def test_the_table_of_all_answers_marks_what_is_not_simulated(pages: Callable[[str], Tag]) -> None:
    cells = [way.parent for way in pages("answers").select(f"td > a[href$='#{SIGLUM}']")]
    marked = [cell for cell in cells if cell and "not simulated" in cell.get_text()]
    assert sorted(str(cell.a["href"])[10:14] for cell in marked if cell.a) == list(NOT_PLAYED)


@pytest.mark.slow
def test_the_page_of_the_question_says_what_is_played_instead(pages: Callable[[str], Tag]) -> None:
    said = words(pages("questions/Q022"))
    assert "The leader and the taker of the trick, half each. not simulated proposed by the Contrary Reversis" in said
    assert "not simulated The engine does not play this, but “Whoever led the suit.”." in said
    assert "Proposed by The Contrary Reversis" in words(pages("questions/Q901"))


def test_the_answers_on_the_page_can_be_given(five: Library) -> None:
    text = find_page("other-rules").read_text("utf-8")
    told = [one for one in re.findall(r"`(Q\d{3}): ([^`]+)`", text)]
    assert len(told) > 10
    for id, answer in told:
        typed = re.sub(r"\{as: (Q\d+), times: (\d+)\}", r"as \1, \2 times", answer)
        wish = f"{id}={typed.strip(chr(34))}"
        assert resolve(five, SIGLUM) and rules(five, SIGLUM, wish).rulings, wish


def test_what_is_on_trial_is_marked_in_the_exports(corpus: Corpus) -> None:
    data = {one["id"]: one for one in json.loads(format_questions_json(corpus))["questions"]}
    trial = data["Q022"]["on_trial"]["leader-and-taker"]
    assert trial["source"] == SIGLUM and "one player" in trial["not_played"]
    assert (data["Q901"]["proposed_by"], data["Q001"]["proposed_by"], data["Q001"]["on_trial"]) == (SIGLUM, "", {})
    asked = {row[0]: row[9:11] for row in list_question_rows(corpus)}
    assert asked["Q022"] == ("", ("leader-and-taker",)) and asked["Q901"][0] == SIGLUM
    codes = {row["ID"]: (row["Proposed_By"], row["Not_Played"]) for row in list_code_rows(corpus)}
    assert codes["Q022-leader-and-taker"] == (SIGLUM, trial["not_played"])
    assert all(said == ("", "") for id, said in codes.items() if id.startswith("Q001-"))
    assert {row["id"]: row["proposed_by"] for row in list_parameter_rows(corpus)}["Q901"] == SIGLUM
    cells = EDITION_TABLES["cells"].records(corpus)
    unplayed = {row["question"]: row["not_played"] for row in cells if row["not_played"]}
    assert sorted(unplayed) == list(NOT_PLAYED) and unplayed["Q022"] == trial["not_played"]
