"""Pictures of the built edition, as a reader sees it: `python -m reversis.site.screenshots`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_PROJECT_DIR = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: its name in `docs/`, the page, the size of the window, light or dark."""

    name: str
    page: str
    width: int = 1280
    height: int = 860
    scheme: Literal["light", "dark"] = "light"


SHOTS = (
    Shot("home", "index.html"),
    Shot("answers", "answers.html"),
    Shot("topic", "topics/the-quinola.html"),
    Shot("source", "sources/PAM.html#PAM.s0071"),
    Shot("rules", "howto/PAM.html"),
    Shot("costs", "materiality.html"),
    Shot("deal", "deals/pam-quinola-forced-opposite-last.html#t11-PAM", height=768),
    Shot("deal-phone-dark", "deals/pam-quinola-forced-opposite-last.html#t11-PAM", 390, 844, "dark"),
)


def take_screenshots(html: Path, into: Path) -> Iterator[Path]:
    """Take all screenshots of a built edition with Debian's Chromium.

    Yields the path of each file once it is written.
    """
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        sys.exit("no chromium on this machine: install it (Debian: apt-get install chromium)")
    into.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for shot in SHOTS:
            page = browser.new_page(viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.scheme)
            page.emulate_media(reduced_motion="reduce")  # an address is gone to at once
            page.goto(f"{html.as_uri()}/{shot.page}")
            page.wait_for_timeout(1000 if "#" in shot.page else 300)  # scripts find the place
            page.screenshot(path=into / f"{shot.name}.png")
            page.close()
            yield into / f"{shot.name}.png"
        browser.close()


def main() -> None:
    """Take the screenshots of `build/html` into `docs/`."""
    html = _PROJECT_DIR / "build" / "html"
    if not (html / "index.html").is_file():
        sys.exit("there is no edition in build/html yet: `reversis build` makes it")
    for path in take_screenshots(html, _PROJECT_DIR / "docs"):
        print(path.relative_to(_PROJECT_DIR))


if __name__ == "__main__":
    main()
