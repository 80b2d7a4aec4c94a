"""The form for coding a source in a browser: words marked by mouse, an answer chosen, saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.waiting import until

CHECKED = "() => /^reversis check(?!.*being settled)/.test(document.querySelector('.rv-problems-part').textContent)"


def mark_by_mouse(tab: Any, sentence: str, words: str) -> None:
    """Draw the mouse over words of a sentence."""
    box = tab.evaluate(
        """([id, words]) => {
          const whole = document.querySelector(`[data-id="${id}"] .rv-words`), at = whole.textContent.indexOf(words);
          const range = document.createRange(), walk = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT);
          whole.scrollIntoView({ block: "center" });
          for (let node = walk.nextNode(), done = 0; node; done += node.length, node = walk.nextNode()) {
            if (at >= done && at < done + node.length) range.setStart(node, at - done);
            const end = at + words.length;
            if (end > done && end <= done + node.length) range.setEnd(node, end - done);
          }
          const all = [...range.getClientRects()];
          return [all[0].left, all[0].top, all.at(-1).right, all.at(-1).bottom, all[0].height];
        }""",
        [sentence, words],
    )
    left, top, right, bottom, height = box
    tab.mouse.move(left + 2, top + height / 2)
    tab.mouse.down()
    tab.mouse.move(right - 2, bottom - height / 2, steps=6)
    tab.mouse.up()
    until(tab, "words => document.querySelector('.rv-answer [name=words]').value === words", words)


def choose(tab: Any, label: str) -> None:
    tab.locator(f".rv-choice:has(b:text-is('{label}')) input").check()


def save(tab: Any, press: Callable[[], object]) -> str:
    """Save, and wait for what check says; what was told."""
    press()
    until(tab, "() => !/^Saving|^$/.test(document.querySelector('.rv-said').textContent)")
    until(tab, CHECKED)
    return str(tab.locator(".rv-said").inner_text())
