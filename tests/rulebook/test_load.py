"""The whole book is read at once: all problems of all files, every place, and a copy on the shelf."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rulebook import load as loading
from rulebook.checks.fingerprints import stamp_fingerprints
from rulebook.load import load_library, quick_load
from rulebook.model import FrozenMap, Library
from rulebook.problems import Problem
from tests.support.library import FILES, changed, opened, place, write_library

A, B = "AAA/clauses.yaml", "BBB/clauses.yaml"
QUESTIONS = "questions/10.yaml"


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: tmp_path / "shelf")
    return tmp_path / "shelf"


def refused(root: Path) -> list[Problem]:
    library, problems = load_library(root)
    assert library is None
    return problems


# ---- what is read


def test_questions_point_to_each_other_by_slug(root: Path) -> None:
    question = opened(root).question("Q002")
    assert question.depends == "toll.payee != nobody"
    assert question.related == ("toll.payee",)


def test_a_question_may_borrow_the_words_of_another(root: Path) -> None:
    changed(
        root,
        QUESTIONS,
        "{type: tricks}",
        "{type: order, of: {first: One., last: Two.}, short: {first: one, last: two}}",
    )
    with (root / QUESTIONS).open("a", encoding="utf-8") as file:
        file.write(
            "Q004: {slug: toll.order, asks: q, group: g, affects: pool, coding: c, measure: {type: order, like: Q003}}"
        )
    changed(root, A, "toll.tricks: [1, -1]", "toll.tricks: [first, last]\n    Q004: [last]")
    changed(root, A, "{Q003: [1]}", "{Q003: [first]}")
    changed(root, B, "answers: {Q003: []}", "answers: {Q003: [], Q004: []}")
    library = opened(root)
    assert library.questions["toll.order"].measure["of"] == library.questions["toll.tricks"].measure["of"]
    assert library.questions["toll.order"].measure["like"] == "toll.tricks"
    assert library.questions["toll.order"].short == {"first": "one", "last": "two"}


def test_a_clause_keeps_words_and_answers_apart(root: Path) -> None:
    clause = opened(root).clause("AAA.c001")
    assert clause.cites[0].exact == "Celui qui mene reçoit deux jetons"
    assert clause.answers == {"toll.payee": "leader", "toll.amount": 2}
    assert (clause.where.file, clause.where.line, clause.where.column) == ("sources/AAA/clauses.yaml", 2, 3)


def test_answers_may_be_keyed_by_id_or_slug(root: Path) -> None:
    clause = opened(root).clause("AAA.c002")
    assert clause.answers == {"toll.tricks": (1, -1)}
    assert clause.rivals[0].answers == {"toll.tricks": (1,)}
    assert clause.options[0].exact == "dans la derniere"
    assert [alternative.kind for alternative in clause.alternatives] == ["interpretation", "option"]


def test_texts_statements_and_notes_are_read(root: Path) -> None:
    library = opened(root)
    first, second = library.sources["AAA"], library.sources["BBB"]
    assert first.text is not None and list(first.text.sentences) == ["AAA.s0001", "AAA.s0002", "AAA.s0003"]
    assert first.translation is not None and len(first.translation.sentences) == 3
    assert first.notes[0].on == "AAA.e01"
    assert second.text is None and [statement.id for statement in second.statements] == ["BBB.n01", "BBB.n02"]
    assert (first.unit, first.title, first.language, first.family) == ("jeton", "Tolls", "fr", "tolls")


def test_the_digest_changes_with_every_file_that_is_read(root: Path) -> None:
    before = opened(root).digest
    assert before == opened(root).digest and before.startswith("sha256:")
    changed(root, "AAA/en.xml", "is given", "gets")
    assert opened(root).digest != before


def test_the_digest_does_not_know_where_the_folder_lies(root: Path, tmp_path: Path) -> None:
    assert opened(write_library(tmp_path / "elsewhere")).digest == opened(root).digest


def test_a_library_names_no_folder_but_its_root(root: Path) -> None:
    library = opened(root)
    assert library.root == str(root)
    assert pickle.dumps(library).count(str(root.parent).encode()) == 1


def test_a_library_can_be_pickled_and_not_be_changed(root: Path) -> None:
    library = opened(root)
    assert pickle.loads(pickle.dumps(library)) == library
    assert isinstance(library.clause("AAA.c001").answers, FrozenMap)
    with pytest.raises(TypeError):
        library.questions["x"] = library.question("Q001")  # type: ignore[index]


def test_sources_stand_by_their_sigla_or_by_their_dates(root: Path) -> None:
    assert [*opened(root).sources] == ["AAA", "BBB"]
    changed(root, "AAA/source.yaml", 'date: "1700"', "date: about 1883, or later")
    (root / "library.yaml").write_text("order: date\n", encoding="utf-8")
    assert [*opened(root).sources] == ["BBB", "AAA"]
    changed(root, "BBB/source.yaml", 'date: "1700"', "date: 20th century")
    assert [*opened(root).sources] == ["AAA", "BBB"]


# ---- what is refused
@pytest.mark.parametrize(
    ("name", "old", "new", "needle", "what", "way_out"),
    [
        (A, "  coder: ed1\n  label", "  codre: ed1\n  coder: ed1\n  label", "codre",
         "the entry codre is unknown here", "did you mean coder?"),
        (A, "      exact: \"Celui", "      exakt: \"Celui", "exakt",
         "the entry exakt is unknown here", "did you mean exact?"),
        (A, "      label: the first", "      lable: x\n      label: the first", "lable",
         "the entry lable is unknown here", "did you mean label?"),
        (A, "  status: stated\n", "", "id: AAA.c001", "status is missing", "add it"),
        (A, "cert: medium", "cert: 5", "5\n  coder: ed1\n  label", "cert must be text, not 5", 'put it in quotes: "5"'),
        (A, "cert: medium", "cert: true", "true", "cert must be text, not true", 'put it in quotes: "true"'),
        (B, "on: [Q002]", "on: Q002", "Q002",
         "on must be a list, not Q002", "begin every item with a dash, or write [one, two]"),
        (B, "answers: {Q003: []}", "answers: [Q003]", "[Q003]",
         "answers must be a table, not a list", "write `name: value` in lines of its own"),
        (QUESTIONS, "min: 0", "mim: 0", "mim", "the entry mim is unknown here", "did you mean min?"),
        (QUESTIONS, "{type: tricks}", "{type: trick}", "Q003",
         "Q003: there is no measure 'trick'", "did you mean tricks?"),
        (QUESTIONS, "unit: smallest", "unit: smalest", "Q002",
         "Q002: the unit 'smalest' cannot stand", "did you mean smallest?"),
        (QUESTIONS, "{type: tricks}", "{type: tricks, unit: minutes}", "Q003",
         "Q003: tricks, counted from the first (1) or from the last (-1) has no unit 'minutes'", "leave out `unit`"),
        (QUESTIONS, "{type: tricks}", "{type: ranking}", "Q003",
         "Q003 is answered by all things of a list, from the first to the last, and has no list",
         "add `of` to the measure: word, and what it means; and `short`"),
        (QUESTIONS, "Q001 != nobody", "Q001 has nobody", '"Q001',
         "Q002: depends on what Q001 has, which is answered by no list", "compare it by == or !="),
        (QUESTIONS, "  measure: {type: tricks}\n", "", "Q003",
         "Q003 must have either readings or a measure", "give one of the two"),
        (QUESTIONS, "Q003:", "Q3:", "Q3", "the question Q3 has no well-formed id", "write it like Q031"),
        (QUESTIONS, "toll.tricks", "Tolls", "Q003",
         "Q003: the slug 'Tolls' is not well formed", "write it like payment.amount"),
        (QUESTIONS, "toll.tricks", "toll.amount", "Q003",
         "Q003: the slug toll.amount is taken by Q002", "choose another name; see sources/questions/10.yaml, line 15"),
        (QUESTIONS, "  affects: payment\n  measure: {type: integer", "  measure: {type: integer", "slug: toll.amount",
         "affects is missing", "add it"),
        (QUESTIONS, "Q001 != nobody", "Q007 != nobody", '"Q007',
         "Q002: there is no question Q007", "did you mean Q001 or Q002 or Q003?"),
        (QUESTIONS, "Q001 != nobody", "Q001 is nobody", '"Q001',
         "Q002: 'Q001 is nobody' is no condition",
         'write "Q030 != nobody", or of a list "Q025 has word", and join several by " and "'),
        (QUESTIONS, "Q001 != nobody", "Q001 != nobdy", '"Q001',
         "Q002: depends on Q001 != nobdy: nobdy is no reading of toll.payee; did you mean nobody?",
         "compare with an answer that can be given"),
        (QUESTIONS, "related: [Q001]", "related: [toll.paye]", "[toll.paye]",
         "Q002: there is no question toll.paye", "did you mean toll.payee?"),
        ("AAA/source.yaml", "images_seen: false", "images_seen: no", "no\nimage_link",
         "images_seen must be true or false, not no", "write true or false, without quotes"),
        ("AAA/source.yaml", "image_link: null", "image_link: null\nimages: [{address: https://a.org/, shows: p. 1}]",
         "{address", "found is missing", "add it"),
        ("AAA/source.yaml", "{id: ed1, role: all}", "{id: ed1}", "{id: ed1}", "role is missing", "add it"),
        ("BBB/statements.yaml", "section: Tolls\n  text: It", "text: It", "id: BBB.n02",
         "section is missing", "add it"),
        ("AAA/notes.yaml", "on: AAA.e01, ", "", "{id", "on is missing", "add it"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_its_place(
    root: Path, name: str, old: str, new: str, needle: str, what: str, way_out: str
) -> None:
    changed(root, name, old, new)
    assert Problem(*place(root, name, needle), what, way_out) in refused(root)


def test_what_is_wrong_with_a_question_is_not_told_again_of_those_that_point_to_it(root: Path) -> None:
    changed(root, QUESTIONS, "  slug: toll.payee\n", "  slug: Payee\n")
    told = [problem.what for problem in refused(root)]
    assert "Q001: the slug 'Payee' is not well formed" in told and not any("no question" in what for what in told)


def test_all_problems_of_all_files_are_told_at_once_in_order(root: Path) -> None:
    changed(root, A, "cert: medium", "cert: 5")
    changed(root, B, "Q003: []", "Q003: [0]")
    changed(root, "BBB/notes.yaml", "text: Odd.", "txt: Odd.")
    changed(root, "AAA/en.xml", "Of the toll.", "")
    problems = refused(root)
    assert problems == sorted(problems)
    assert [(problem.file.removeprefix("sources/"), problem.line, problem.what) for problem in problems] == [
        ("AAA/clauses.yaml", 19, "cert must be text, not 5"),
        ("AAA/en.xml", 12, "an empty sentence"),
        ("BBB/clauses.yaml", 11, "BBB.c002: Q003 (toll.tricks): there is no trick 0"),
        ("BBB/notes.yaml", 1, "the entry txt is unknown here"),
    ]


def test_a_source_that_could_not_be_read_whole_is_not_called_incomplete(root: Path) -> None:
    (root / A).unlink()
    assert [one.what for one in refused(root)] == ["is not there: the answers of AAA stand in it"]


def test_a_library_with_faults_of_policy_is_still_a_library(root: Path) -> None:
    changed(root, A, "cert: medium", "cert: sure")
    library, problems = load_library(root)
    assert library is not None and [problem.what for problem in problems] == ["AAA.c002: cert cannot be 'sure'"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FILES if "deals" not in name])
@pytest.mark.parametrize(
    "hostile", [b"", b"\x00", b"\xff\xfe", b"[" * 9999, b"a: &a [*a]\n", b"{a: 1", b"5\n", b"- - -\n"]
)
def test_a_hostile_file_is_an_error_and_no_event(root: Path, name: str, hostile: bytes) -> None:
    (root / name).write_bytes(hostile)
    library, problems = load_library(root)
    assert library is None
    assert any(problem.file == f"sources/{name}" and problem.line >= 1 and problem.way_out for problem in problems)


def test_a_folder_without_sources_is_told(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    assert [str(one).split("\n")[0] for one in refused(tmp_path / "sources")] == [
        "sources/questions:1:1: holds no question"
    ]


# ---- the shelf
@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """Every time the files themselves were read."""
    calls: list[Path | None] = []

    def counted(root: Path | None = None) -> tuple[Library | None, list[Problem]]:
        calls.append(root)
        return load_library(root)

    monkeypatch.setattr(loading, "load_library", counted)
    return calls


def test_a_copy_from_the_shelf_is_the_same(root: Path, read: list[Path | None]) -> None:
    first, second = quick_load(root), quick_load(root)
    assert first == second == load_library(root) and len(read) == 1


def test_a_copy_is_never_trusted_over_the_files(root: Path, read: list[Path | None]) -> None:
    quick_load(root)
    changed(root, "AAA/clauses.yaml", "label: the first alone", "label: only the first")
    library, _ = quick_load(root)
    assert library is not None and library.clause("AAA.c002").rivals[0].label == "only the first" and len(read) == 2


def test_a_new_deal_is_seen(root: Path, read: list[Path | None]) -> None:
    quick_load(root)
    (root / "deals" / "three.yaml").write_text("deal: three\n", encoding="utf-8")
    library, _ = quick_load(root)
    assert library is not None and "deals/three.yaml" in library.deals


@pytest.mark.parametrize("spoilt", [b"", b"nonsense", b"0" * 64 + b"nonsense"])
def test_a_copy_that_cannot_be_read_is_ignored(root: Path, shelf: Path, spoilt: bytes) -> None:
    first = quick_load(root)
    kept = (shelf / "library.pickle").read_bytes()
    for octets in (spoilt, kept[:64] + spoilt, kept[:-10]):
        (shelf / "library.pickle").write_bytes(octets)
        assert quick_load(root) == first


def test_a_library_with_problems_is_not_kept(root: Path, shelf: Path) -> None:
    changed(root, A, "cert: medium", "cert: sure")
    assert quick_load(root)[1] and not shelf.exists()


def test_a_shelf_that_cannot_be_written_costs_nothing_but_time(root: Path, shelf: Path) -> None:
    shelf.write_text("in the way", encoding="utf-8")
    assert quick_load(root) == load_library(root)


def test_a_copy_knows_where_the_folder_lies_now(root: Path, tmp_path: Path) -> None:
    quick_load(root)
    elsewhere = write_library(tmp_path / "elsewhere")
    library, _ = quick_load(elsewhere)
    assert library is not None and library.root == str(elsewhere)
    assert str(root).encode() not in (tmp_path / "shelf" / "library.pickle").read_bytes()


def test_a_copy_names_files_by_the_folder_they_are_in_now(root: Path) -> None:
    quick_load(root)
    moved = root.rename(root.with_name("renamed"))
    library, _ = quick_load(moved)
    assert library is not None and library.clause("AAA.c002").where.file == "renamed/AAA/clauses.yaml"


# ---- the stamp
def without_stamps(root: Path) -> dict[str, str]:
    """The clauses as they were, and the same without a fingerprint."""
    before = {name: (root / name).read_text(encoding="utf-8") for name in (A, B)}
    for name, text in before.items():
        lines = [line for line in text.split("\n") if not line.startswith("      seen: ")]
        bare = "\n".join(line.partition(', seen: "')[0] + "}" if ', seen: "' in line else line for line in lines)
        (root / name).write_text(bare, encoding="utf-8", newline="\n")
    return before


def test_missing_fingerprints_are_written_and_nothing_else(root: Path) -> None:
    before = without_stamps(root)
    assert len(load_library(root)[1]) == 3
    assert stamp_fingerprints(root) == (["AAA.c001", "AAA.c002", "BBB.c001"], [])
    assert load_library(root)[1] == []
    after = (root / A).read_text(encoding="utf-8")
    assert "# A comment that must survive.\n" in after and "   # the words\n" in after
    assert sorted(after.replace(" ", "").split("\n"))[0] == sorted(before[A].replace(" ", "").split("\n"))[0]
    assert without_stamps(root)[A] == after and len(after.split("\n")) == len(before[A].split("\n"))
    assert list((root / "AAA").glob(".*")) == []


def test_stamping_twice_changes_nothing(root: Path) -> None:
    assert stamp_fingerprints(root) == ([], [])


def test_drift_is_confirmed_only_where_it_is_named(root: Path) -> None:
    changed(root, "AAA/text.xml", "de chacun", "de tous")
    before = (root / A).read_text(encoding="utf-8")
    assert stamp_fingerprints(root) == ([], []) and (root / A).read_text(encoding="utf-8") == before
    assert stamp_fingerprints(root, ["AAA.c001"]) == (["AAA.c001"], [])
    assert load_library(root)[1] == []
    after = (root / A).read_text(encoding="utf-8").split("\n")
    assert [one for one, (old, new) in enumerate(zip(before.split("\n"), after, strict=True), 1) if old != new] == [6]


def test_drift_is_confirmed_in_brackets_too(root: Path) -> None:
    changed(root, "AAA/text.xml", "On le paye", "On la paye")
    assert stamp_fingerprints(root, ["AAA.c002"]) == (["AAA.c002"], [])
    assert load_library(root)[1] == []


def test_the_fingerprint_of_a_range_stands_behind_its_end(root: Path) -> None:
    changed(root, A, "    - locus: AAA.s0002\n", "    - locus: AAA.s0001\n      to: AAA.s0002\n")
    without_stamps(root)
    stamp_fingerprints(root)
    lines = (root / A).read_text(encoding="utf-8").split("\n")
    assert lines[4] == "      to: AAA.s0002" and lines[5].startswith("      seen: sha256:")
    assert load_library(root)[1] == []


# --- words of the library
def test_groups_and_what_an_answer_changes_are_words_of_the_library(root: Path) -> None:
    words = "groups: {The toll: Tolls}\naffects: {payment: what is paid}\n"
    (root / "library.yaml").write_text(words, encoding="utf-8")
    library, problems = load_library(root)
    assert library is not None and {question.group for question in library.questions.values()} == {"Tolls"}
    assert not problems
    changed(root, "questions/10.yaml", "affects: payment\n  readings", "affects: paymnt\n  readings")
    (problem,) = load_library(root)[1]
    assert (problem.what, problem.way_out) == ("affects cannot be paymnt", "did you mean payment?")
