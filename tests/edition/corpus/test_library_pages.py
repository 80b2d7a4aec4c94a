"""Pages of a library's own: they take the place of the edition's, and can read no other file."""

from __future__ import annotations

from pathlib import Path

import pytest

from edition.corpus.library_pages import find_page_faults
from edition.game import NO_GAME
from edition.text.handwritten_pages import find_handwritten_page, list_page_folders, read_handwritten_pages
from tests.support.handwritten import PAGE_FOLDERS


@pytest.mark.parametrize(
    "page",
    [
        "```{include} /etc/passwd\n```",
        "> - ```{literalinclude} x.py\n",
        "```{table} Title\n:file: x\n```",
        "```{eval-rst}\n.. include:: x\n```",
        "~~~{raw} html\n~~~",
        "The {download}`file <../../x>`.",
        "![a picture](../../x.png)",
        "![a picture][p]",
        "[a file](../../x.txt)",
        "[a file](%2e%2e/%2e%2e/x.txt)",
        "[a file](/etc/passwd)",
        "[a file](file:///etc/passwd)",
        "[f]: ../../x.txt",
        "<path:../../x.txt>",
        "---\nmyst:\n  enable_extensions: [html_image]\n---\n",
    ],
)
def test_a_page_that_could_read_another_file_is_refused_with_its_place(page: str) -> None:
    (fault, *_) = find_page_faults("lib/pages/a.md", f"{page}\n")
    assert fault.file == "lib/pages/a.md" and fault.what and fault.way_out


@pytest.mark.parametrize(
    "page",
    [
        "---\nhide-toc: true\n---\n# A title\n\nWords, [a page](method.md#how), [the net](https://example.org/../x).",
        "```{toctree}\n:hidden:\n:caption: Read\n\na\n```",
        "```{edition:answers}\n```\n\n{.lede}\nSee {edition:question}`Q001` and {not a role}.",
        "[up](../find.md)",
    ],
)
def test_a_page_of_words_links_and_the_directives_of_the_edition_is_taken(page: str) -> None:
    assert not [*find_page_faults("lib/pages/indices/a.md", page)]


def test_a_page_of_the_library_takes_the_place_of_the_edition_s(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "rights.md").write_text("# Ours\n", encoding="utf-8")
    folders = list_page_folders(NO_GAME, tmp_path)
    pages = read_handwritten_pages(folders)
    assert pages["rights.md"] == "# Ours\n" and "edition:answers" in pages["answers.md"]
    assert find_handwritten_page(folders, "rights.md") == tmp_path / "pages" / "rights.md"
    assert find_handwritten_page(folders, "descent.md") is None and "deals.md" not in pages


def test_a_home_page_of_ones_own_keeps_the_navigation_unless_it_has_its_own(tmp_path: Path) -> None:
    home = tmp_path / "pages" / "index.md"
    home.parent.mkdir()
    for words, trees in (("# Ours\n", 4), ("# Ours\n\n```{toctree}\nanswers\n```\n", 1)):
        home.write_text(words, encoding="utf-8")
        page = read_handwritten_pages(list_page_folders(NO_GAME, tmp_path))["index.md"]
        assert page.startswith(words) and page.count("{toctree}") == trees and page.endswith("```\n")


def test_reversis_has_pages_of_the_edition_of_the_game_and_of_its_own() -> None:
    assert [
        {"proofs.md", "deals.md", "descent.md"} & {path.name for path in folder.glob("*.md")} for folder in PAGE_FOLDERS
    ] == [
        {"proofs.md"},
        {"deals.md"},
        {"descent.md"},
    ]
