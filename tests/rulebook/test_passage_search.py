"""`reversis cite`: today's spelling in; the letters of the source, their place and their fingerprint out."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
import yaml

from rulebook.model import Cite, Library
from rulebook.passage_search import Searched, find_passages, fold_with_origins, format_citation_yaml
from rulebook.quotations import count_occurrences, fingerprint_citation
from rulebook.sources.paths import find_sources
from rulebook.spelling import SPELLING, Spelling, modernise_spelling, read_spelling, simplify_letters
from tests.support import commands
from tests.support.library import write_library

run = partial(commands.run, "cite")


@pytest.fixture(scope="module")
def spelling() -> Spelling:
    found, problems = read_spelling(find_sources() / SPELLING)
    assert not problems
    return found


@pytest.mark.release
def test_every_quotation_of_the_edition_is_found_again_without_accents_and_in_todays_spelling(
    library: Library, spelling: Spelling
) -> None:
    tried = 0
    for source in library.sources.values():
        where = Searched(source, spelling)
        for cite in (cite for clause in source.clauses[::7] for cite in clause.cites if cite.exact and source.text):
            for words in (
                simplify_letters(cite.exact),
                modernise_spelling(cite.exact, source.language, spelling).upper(),
            ):
                passages = find_passages(where, words)
                loci = [passage.cite.locus for passage in passages]
                assert not any(passage.near for passage in passages), words
                assert cite.locus in loci or cite.to, (cite, loci)
                tried += 1
    assert tried > 200


@pytest.mark.slow
def test_what_is_offered_stands_there_once_and_bears_its_fingerprint(library: Library, spelling: Spelling) -> None:
    for siglum, words in (("PAM", "le roi"), ("ACA", "le talon"), ("GER", "der quinola"), ("PAM", "jetons")):
        source = library.sources[siglum]
        where = Searched(source, spelling)
        passages = find_passages(where, words)
        assert passages and len({(p.cite.locus, p.cite.prefix, p.cite.suffix) for p in passages}) == len(passages)
        for passage in passages:
            assert count_occurrences(source, passage.cite, passage.cite.view) == 1
            assert passage.cite.seen == fingerprint_citation(source, passage.cite)
            assert (
                fold_with_origins(passage.cite.exact, source.language, spelling).text
                == fold_with_origins(words, source.language, spelling).text
            )


def test_what_is_searched_has_the_way_back_to_every_letter(library: Library, spelling: Spelling) -> None:
    for source in library.sources.values():
        for sentence in source.text.sentences.values() if source.text else ():
            where = fold_with_origins(sentence.diplomatic, sentence.lang, spelling)
            assert len(where.text) == len(where.origins)
            firsts = [first for first, _ in where.origins]
            assert firsts == sorted(firsts) and all(last <= len(sentence.diplomatic) for _, last in where.origins)


def test_words_that_go_over_the_end_of_a_sentence_are_cited_from_the_one_to_the_other(library: Library) -> None:
    source = library.sources["PAM"]
    assert source.text
    first, second = list(source.text.sentences.values())[2:4]
    words = f"{first.diplomatic.split()[-1]} {second.diplomatic.split()[0]} {second.diplomatic.split()[1]}"
    (one,) = find_passages(Searched(source), words)
    assert (one.cite.locus, one.cite.to) == (first.id, second.id)
    assert count_occurrences(source, one.cite, one.cite.view) == 1


def test_of_a_source_in_copyright_the_statement_is_cited_and_none_of_its_words(library: Library) -> None:
    done = run("PAR", "tens are taken out")
    assert done.exit_code == 0
    (cite,) = yaml.safe_load(done.stdout)
    assert set(cite) == {"locus", "seen", "role"} and cite["locus"] == "PAR.n02"


@pytest.mark.slow
def test_a_printed_citation_is_yaml_that_says_the_same(library: Library, spelling: Spelling) -> None:
    source = library.sources["PAM"]
    for words in ("excepte les dix", "le roi", "C'est"):
        for passage in find_passages(Searched(source, spelling), words):
            (data,) = yaml.safe_load(format_citation_yaml(passage.cite))
            assert Cite(**data) == passage.cite


@pytest.mark.slow
def test_several_places_are_all_offered_and_as_many_as_are_wished_are_shown() -> None:
    done = run("PAM", "le", "roi")
    assert done.exit_code == 0 and len(yaml.safe_load(done.stdout)) == 2 and "2 places in PAM" in done.stderr
    done = run("PAM", "le roi", "--most", "1")
    assert len(yaml.safe_load(done.stdout)) == 1 and "--most 2" in done.stderr
    rows = [json.loads(line) for line in run("PAM", "le roi", "-f", "json").stdout.splitlines()]
    assert [row["exact"] for row in rows] == ["le roi", "le roi"]
    frames = [f"{row.get('prefix', '')}/{row.get('suffix', '')}" for row in rows]
    assert len({*frames}) == 2 and all(len(one.split()) == 1 for one in frames), "one word tells them apart"
    assert not any(row["near"] for row in rows) and {row["page"] for row in rows} == {"1"}


@pytest.mark.slow
def test_what_does_not_stand_there_gets_the_nearest_or_a_word_of_advice() -> None:
    done = run("PAM", "sans les dix")
    assert done.exit_code == 1 and "does not stand in PAM" in done.stderr
    assert yaml.safe_load(done.stdout)[0]["exact"] == "les dix"
    nothing = run("PAM", "zzyzx qqq")
    assert nothing.exit_code == 1 and not nothing.stdout and "Try fewer words" in nothing.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [(("PAN", "x"), "No source 'PAN'"), (("PAM", " "), "Which words?"), (("PAM",), "Missing argument")],
)
def test_who_mistypes_is_told_the_way_out(words: tuple[str, ...], told: str) -> None:
    done = run(*words)
    assert done.exit_code == 2 and told in done.output


def test_words_are_looked_for_in_the_folder_that_one_works_in(tmp_path: Path) -> None:
    done = run("AAA", "celui qui mène", "--sources", str(write_library(tmp_path)))
    assert done.exit_code == 0, done.output
    assert [one["exact"] for one in yaml.safe_load(done.stdout)] == ["Celui qui mene"]
    empty = run("AAA", "mene", "--sources", str(tmp_path))
    assert empty.exit_code == 2 and "no folder `questions` in it" in empty.output


def test_stops_alone_find_nothing(library: Library) -> None:
    assert (
        find_passages(Searched(library.sources["PAM"]), "...")
        == ()
        == find_passages(Searched(library.sources["PAM"]), "")
    )


def test_the_place_of_the_table_is_said_once() -> None:
    assert (Path(find_sources()) / SPELLING).is_file()
