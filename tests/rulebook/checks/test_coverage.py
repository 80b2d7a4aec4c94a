"""Every sentence is accounted for, and what no longer is, is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from reversis.cli.main import cli
from rulebook.checks import coverage as policy
from rulebook.checks.coverage import (
    COVERAGE_CHECKS,
    SentenceCoverage,
    check_coverage,
    compute_coverage,
    update_coverage_ledgers,
)
from rulebook.checks.residue import find_debt
from rulebook.load import load_library
from rulebook.model import STANDINGS, Clause, Library
from rulebook.problems import Problem
from rulebook.sources.assemble import assemble_library
from tests.support.library import assembled, changed, loaded, place, write_library
from tests.support.settling import SIGLA

LEDGER = "AAA/coverage.yaml"
AAA = """\
AAA.s0001:
  kind: heading
AAA.s0002:
  kind: encoded
  questions: [Q001, Q002]
  residue: "de chacun."
  because: Nobody else is there.
AAA.s0003:
  kind: encoded
  questions: [Q003]
  residue: "On le paye doble dans la premiere … et double dans la derniere levée."
  because: It is said twice.
"""
BBB = """\
BBB.n01:
  kind: encoded
  questions: [Q001]
BBB.n02:
  kind: narrative
  because: It only ends.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_library(tmp_path)
    for siglum, text in (("AAA", AAA), ("BBB", BBB)):
        (root / siglum / "coverage.yaml").write_text(text, encoding="utf-8")
    return root


def lines_of(root: Path) -> dict[str, SentenceCoverage]:
    return {line.id: line for line in compute_coverage(loaded(root), "AAA").lines}


def told(root: Path, check: str) -> list[Problem]:
    return list(getattr(policy, check)(assembled(root)))


# ---- the sources as they stand
@pytest.mark.slow
@pytest.mark.parametrize("siglum", SIGLA)
def test_every_sentence_of_every_source_is_accounted_for(library: Library, siglum: str) -> None:
    account = compute_coverage(library, siglum)
    assert (account.percent_classified, account.missing) == (100, ())
    counsel = sum(line.counsel for line in account.lines)  # grounds and advice, and counted as both
    assert sum(account.by_kind.values()) - counsel == account.total == len(account.lines)
    unexplained = [line for line in account.lines if line.residue and not line.because]
    text = library.sources[siglum].text
    printed = {id: one.diplomatic.split() for id, one in text.sentences.items()} if text else {}
    assert not [line.id for line in unexplained if find_debt(line.residue, printed[line.id])]  # link words need none
    assert (
        account.residue_words == sum(line.residue_words for line in account.lines) < account.words / 4
        or not account.words
    )


@pytest.mark.release
@pytest.mark.parametrize("siglum", SIGLA)
def test_deleting_any_clause_lowers_the_coverage_and_names_its_sentence(library: Library, siglum: str) -> None:
    source = library.sources[siglum]
    cited = [clause for clause in source.clauses if any(cite.role in policy.ANSWERING_ROLES for cite in clause.cites)]
    assert cited
    for clause in cited:
        rest = tuple(one for one in source.clauses if one is not clause)
        account = compute_coverage(replace(library, sources={siglum: replace(source, clauses=rest)}), siglum)
        named = {line.id for line in account.missing}
        assert named & {cite.locus for cite in clause.cites} or said_again(clause, rest), clause.id
        assert account.percent_classified < 100 or not named


def said_again(clause: Clause, rest: tuple[Clause, ...]) -> bool:
    """Whether what a clause says is all said by others, from the same sentence, with more of its words."""
    loci = {cite.locus for cite in clause.cites}
    others = [one for one in rest if loci <= {cite.locus for cite in one.cites}]
    words = " ".join(cite.exact for one in others for cite in one.cites)
    answered = {question for one in others for question in one.questions}
    return {*clause.questions} <= answered and all(cite.exact in words for cite in clause.cites)


@pytest.mark.slow
def test_a_sentence_that_no_clause_cites_any_more_counts_as_not_yet(library: Library) -> None:
    for source in library.sources.values():
        for clause, only in only_grounds(source.clauses):
            rest = tuple(one for one in source.clauses if one is not clause)
            account = compute_coverage(
                replace(library, sources={source.siglum: replace(source, clauses=rest)}), source.siglum
            )
            assert {line.id: line.missing for line in account.missing}[only] == "no clause cites it as grounds"


def only_grounds(clauses: tuple[Clause, ...]) -> list[tuple[Clause, str]]:
    """The clauses that are the only grounds of a sentence, with the sentence."""
    grounds: dict[str, list[Clause]] = {}
    for clause in clauses:
        for locus in {cite.locus for cite in clause.cites if cite.role == "grounds"}:
            grounds.setdefault(locus, []).append(clause)
    return [(owners[0], locus) for locus, owners in grounds.items() if len(owners) == 1]


# ---- what is counted
def test_words_that_no_quotation_covers_are_told_piece_by_piece(root: Path) -> None:
    lines = lines_of(root)
    assert lines["AAA.s0002"].residue == ("de chacun.",)
    assert lines["AAA.s0003"].residue == ("On le paye doble dans la premiere", "et double dans la derniere levée.")
    assert (lines["AAA.s0003"].words, lines["AAA.s0003"].residue_words) == (14, 13)
    assert (lines["AAA.s0001"].words, lines["AAA.s0001"].residue_words) == (2, 0)


def test_a_quotation_in_another_view_covers_the_printed_words(root: Path) -> None:
    changed(root, "AAA/clauses.yaml", 'exact: "levée", prefix: premiere', 'exact: "le paye double", view: emended')
    assert lines_of(root)["AAA.s0003"].residue == ("On", "dans la premiere levée, et double dans la derniere levée.")


def test_percentages_and_kinds(root: Path) -> None:
    account = compute_coverage(loaded(root), "AAA")
    assert (account.total, account.by_kind["encoded"], account.by_kind["heading"]) == (3, 2, 1)
    assert (account.percent_classified, round(account.percent_encoded, 1)) == (100.0, 66.7)
    assert tuple(account.by_kind) == STANDINGS
    other = compute_coverage(loaded(root), "BBB")
    assert (other.words, other.percent_classified) == (0, 100.0)


# ---- the policy: check, file, old words, new words, where it is told, what
CASES = (
    ("every_sentence_is_accounted_for", "BBB/coverage.yaml", BBB[BBB.index("BBB.n02") :], "",
     "", "BBB: BBB.n02: nothing says what becomes of this"),
    ("every_sentence_is_accounted_for", LEDGER, AAA.partition("AAA.s0003")[0], "", "",
     'AAA.s0002: no quotation covers "de chacun."'),
    ("only_sentences_are_accounted_for", LEDGER, "AAA.s0001:\n  kind: heading\n", "AAA.s0009:\n  kind: heading\n",
     "AAA.s0009", "there is no AAA.s0009 in AAA"),
    ("only_sentences_are_accounted_for", LEDGER, "kind: heading", "kind: hedding", "hedding",
     "AAA.s0001: kind cannot be 'hedding'"),
    ("an_encoded_sentence_is_cited", LEDGER, "kind: heading", "kind: encoded", "encoded",
     "AAA.s0001 is called encoded, but no clause cites it as grounds"),
    ("an_encoded_sentence_is_cited", "BBB/coverage.yaml", "kind: encoded", "kind: example", "example",
     "BBB.n01 is called example, but a clause cites it as grounds"),
    ("the_residue_is_what_no_quotation_covers", LEDGER, '"de chacun."', '"jetons de chacun."', '"jetons de chacun."',
     'AAA.s0002: no quotation covers "de chacun.", but the ledger states "jetons de chacun."'),
    ("the_residue_is_what_no_quotation_covers", "AAA/clauses.yaml", "mene reçoit deux jetons", "mene reçoit deux",
     "",
     'AAA.s0002: no quotation covers "jetons de chacun.", but the ledger states "de chacun."'),
    ("the_questions_stated_are_answered", LEDGER, "[Q003]", "[Q003, Q002]", "[Q003, Q002]",
     "AAA.s0003 is to answer Q002, but no clause answers it from there"),
    ("the_questions_stated_are_answered", LEDGER, "[Q001, Q002]", "[Q001]", "[Q001]",
     "AAA.s0002 answers Q002, which the ledger does not state"),
    ("a_residue_has_a_reason", LEDGER, "  because: It is said twice.\n", "", "AAA.s0003",
     "AAA.s0003 leaves words over, and no reason is given"),
    ("a_residue_has_a_reason", "BBB/coverage.yaml", "  because: It only ends.\n", "", "BBB.n02",
     "BBB.n02 is called narrative, and no reason is given"),
    ("a_residue_has_a_reason", LEDGER, "kind: heading", 'kind: heading\n  residue: "Du"\n  because: So.', '"Du"',
     "AAA.s0001 is called heading, and has a residue"),
    ("only_grounds_are_counsel_besides", LEDGER, "kind: heading", "kind: heading\n  counsel: true", "true",
     "AAA.s0001 is called heading, and counsel besides"),
    ("what_is_not_held_is_named_in_its_words", LEDGER, "[Q003]",
     "[Q003]\n  not_held:\n  - {words: triple, what: It is paid thrice.}", "- {words: triple",
     "AAA.s0003: “triple” does not stand there"),
    ("what_is_not_held_is_named_in_its_words", LEDGER, "[Q003]",
     '[Q003]\n  not_held:\n  - {words: double dans, what: ""}', "- {words: double",
     "AAA.s0003: “double dans” has no `what`"),
    ("what_is_not_held_is_named_in_its_words", LEDGER, "[Q003]",
     "[Q003]\n  not_held:\n  - {words: double dans, what: Twice., touches: [Q999]}", "- {words: double",
     "AAA.s0003: there is no Q999"),
    ("what_is_not_held_is_named_in_its_words", "BBB/coverage.yaml", "kind: narrative",
     "kind: narrative\n  not_held:\n  - {words: It ends there., what: Something., touches: [Q003]}", "- {words",
     "BBB.n02: BBB.c002 supplies Q003, over what “It ends there.” says"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[3][:30].strip()}")
def test_what_breaks_the_policy_is_told(root: Path, case: tuple[str, str, str, str, str, str]) -> None:
    check, name, old, new, needle, what = case
    changed(root, name, old, new)
    (problem,) = told(root, check)
    assert (problem.what, bool(problem.way_out)) == (what, True)
    if needle and check != "every_sentence_is_accounted_for":
        assert (problem.file, problem.line, problem.column) == place(root, name, needle)
    assert problem in check_coverage(assemble_library(root)[0])  # type: ignore[arg-type]


def test_every_check_has_a_test() -> None:
    assert {check.__name__ for check in COVERAGE_CHECKS} == {case[0] for case in CASES}


# ---- what need not be written down


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("Et aussi, ", "", ()),
        ("Art. 3. ", "", ()),
        ("IV.) ", "", ()),
        ("(b) Also ", "", ()),
        ("Deux ", "", ("Deux",)),
        ("Hors ", "", ("Hors",)),
        ("", " 2.", ("2.",)),
        ("", " et", ()),
        ("12 ", "", ("12",)),
    ],
)
def test_link_words_and_item_numbers_are_no_debt(root: Path, before: str, after: str, told: tuple[str, ...]) -> None:
    words = "Celui qui mene reçoit deux jetons de chacun"
    changed(root, "AAA/text.xml", f"{words}.", f"{before}{words}{after}")
    changed(root, "AAA/clauses.yaml", '"Celui qui mene reçoit deux jetons"', f'"{words}"')
    (root / LEDGER).write_text("AAA.s0003:" + AAA.partition("AAA.s0003:")[2], encoding="utf-8")
    line = lines_of(root)["AAA.s0002"]
    assert line.residue == told and bool(line.missing) == bool(told)


def test_a_ledger_may_leave_out_link_words_and_may_state_them(root: Path) -> None:
    changed(root, "AAA/text.xml", "Celui qui mene", "Et celui qui mene")
    changed(root, "AAA/clauses.yaml", '"Celui qui mene', '"celui qui mene')
    for residue in ('"de chacun."', '"Et … de chacun."'):
        (root / LEDGER).write_text(AAA.replace('"de chacun."', residue), encoding="utf-8")
        assert told(root, "the_residue_is_what_no_quotation_covers") == []


def test_a_draft_is_told_nothing_and_its_progress_counts(root: Path) -> None:
    (root / LEDGER).write_text("AAA.s0002:\n  kind: narrative\nAAA.s0003:\n  kind: encoded\n", encoding="utf-8")
    text = (root / "AAA/clauses.yaml").read_text("utf-8")
    assert check_coverage(assembled(root)) != []
    record = root / "AAA/source.yaml"
    record.write_text(record.read_text("utf-8") + "draft: true\n", encoding="utf-8")
    assert check_coverage(assembled(root)) == []
    account = compute_coverage(loaded(root), "AAA")
    assert (account.total, account.quoted, account.left) == (3, 2, 0)
    (root / "AAA/clauses.yaml").write_text(text.partition("- id: AAA.c002")[0], encoding="utf-8")
    account = compute_coverage(loaded(root), "AAA")
    assert (account.total, account.quoted, account.left) == (3, 1, 1)


def test_progress_tells_untouched_sentences_from_those_with_words_that_no_answer_quotes(root: Path) -> None:
    record = root / "AAA/source.yaml"
    record.write_text(record.read_text("utf-8") + "draft: true\n", encoding="utf-8")
    for deal in root.rglob("deals/*.yaml"):
        deal.unlink()  # they are names without cards
    told = CliRunner().invoke(cli, ["check", str(root)], env={"COLUMNS": None}).output
    assert told.endswith("3 sentences: 3 read, 2 of them quoted, 0 untouched\n")
    (root / LEDGER).unlink()
    told = CliRunner().invoke(cli, ["check", str(root)], env={"COLUMNS": None}).output
    assert "0 untouched; 2 have words that no answer quotes: reversis check --coverage AAA\n" in told


def test_a_slip_in_the_ledger_of_a_draft_is_told(root: Path) -> None:
    record = root / "AAA/source.yaml"
    record.write_text(record.read_text("utf-8") + "draft: true\n", encoding="utf-8")
    changed(root, LEDGER, "kind: heading", "kind: hedding")
    assert [one.what for one in check_coverage(assembled(root))] == ["AAA.s0001: kind cannot be 'hedding'"]


def test_a_library_in_order_has_no_problems_with_a_ledger_and_without(root: Path) -> None:
    assert load_library(root)[1] == []
    for siglum in ("AAA", "BBB"):
        (root / siglum / "coverage.yaml").unlink()
    assert load_library(root)[1] == []


@pytest.mark.parametrize("order", ["{questions}{counsel}", "{counsel}{questions}"])
def test_counsel_keeps_its_place_when_questions_are_written_down(root: Path, order: str) -> None:
    counsel, questions = "  counsel: true\n", "  questions: [Q001, Q002]\n"
    changed(root, LEDGER, questions, order.format(questions="  questions: [Q001]\n", counsel=counsel))
    assert update_coverage_ledgers(root) == ["AAA.s0002"]
    assert order.format(questions=questions, counsel=counsel) in (root / LEDGER).read_text(encoding="utf-8")


def test_questions_newly_answered_are_written_down_and_none_is_taken_out(root: Path) -> None:
    text = AAA.replace("[Q003]", "[Q001, Q003]").replace("  questions: [Q001, Q002]\n", "")
    (root / LEDGER).write_text(text, encoding="utf-8")
    assert update_coverage_ledgers(root) == ["AAA.s0002"]
    assert (root / LEDGER).read_text(encoding="utf-8") == AAA.replace("[Q003]", "[Q001, Q003]")
    assert update_coverage_ledgers(root) == []


# ---- on the command line
@pytest.mark.slow
def test_the_command_tells_every_source_and_the_words_left_over() -> None:
    told = CliRunner().invoke(cli, ["check", "--coverage"], terminal_width=120, env={"COLUMNS": None})
    assert told.exit_code == 0, told.output
    for siglum in SIGLA:
        assert next(line for line in told.output.splitlines() if line.startswith(siglum)).split()[2] == "100%"
    assert "PAM.s0003: Le Reversis\n    Names the game.\n" in told.output


def test_the_command_names_a_sentence_that_is_not_yet_accounted_for(root: Path) -> None:
    text = (root / "AAA/clauses.yaml").read_text(encoding="utf-8")
    (root / "AAA/clauses.yaml").write_text(text.partition("- id: AAA.c002")[0], encoding="utf-8")
    told = CliRunner().invoke(cli, ["check", str(root), "--coverage"], env={"COLUMNS": None})
    assert told.exit_code == 1
    assert "AAA.s0003 is not yet accounted for: no clause cites it as grounds" in told.output
    (row,) = (line.split() for line in told.output.splitlines() if line.startswith("AAA "))
    assert row[:3] == ["AAA", "3", "66.6%"]


def test_what_the_account_says_to_write_is_taken_and_accounts_for_the_sentences(root: Path) -> None:
    text = (root / "AAA/clauses.yaml").read_text(encoding="utf-8")
    (root / "AAA/clauses.yaml").write_text(text.partition("- id: AAA.c002")[0], encoding="utf-8")
    (root / LEDGER).unlink()
    account = compute_coverage(loaded(root), "AAA")
    assert [line.id for line in account.missing] == ["AAA.s0002", "AAA.s0003"]
    assert [line.id for line in account.ruleless] == ["AAA.s0003"]  # the other is quoted, and words of it are left over
    told = CliRunner().invoke(cli, ["check", str(root), "--coverage", "AAA", "-q"], env={"COLUMNS": None}).output
    _, said, entries = told.partition("encoded where an answer quotes the sentence in part):\n")
    assert said and "AAA/coverage.yaml, a new file" in told
    (root / LEDGER).write_text(entries, encoding="utf-8")
    assert check_coverage(assembled(root)) == [] and compute_coverage(loaded(root), "AAA").missing == ()


def test_the_account_is_given_of_the_sources_that_are_named(root: Path) -> None:
    def rows(*words: str) -> list[str]:
        told = CliRunner().invoke(cli, ["check", str(root), "--coverage", *words, "-q"], env={"COLUMNS": None})
        assert told.exit_code == 0, told.output
        return [line.split()[0] for line in told.output.splitlines() if line.startswith(("AAA", "BBB"))]

    assert rows() == rows("AAA", "BBB") == ["AAA", "BBB"]
    assert rows("bbb") == ["BBB"]
    told = CliRunner().invoke(cli, ["check", str(root), "--coverage", "AAB"], env={"COLUMNS": None})
    assert told.exit_code == 2
    assert "No source 'AAB'. There are: AAA, BBB. Did you mean AAA?" in told.output
