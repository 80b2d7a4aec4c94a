/* Two small comforts; everything works without them.
   The chosen view of a text is remembered, and the sentence one is reading stays where it is when the view changes. */
"use strict";
(() => {
  const KEY = "reversis-view";
  const buttons = [...document.querySelectorAll('input[name="rv-view"]')];
  if (!buttons.length) return;

  const stored = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const store = (value) => { try { localStorage.setItem(KEY, value); } catch { /* a reader may forbid it */ } };
  const inSight = () => [...document.querySelectorAll(".rv-line")].find((line) => line.getBoundingClientRect().bottom > 80);

  const before = stored();
  for (const button of buttons) {
    if (button.value === before) button.checked = true;
    button.addEventListener("change", () => store(button.value));
  }
  /* the switch stands above the text, so the place only moves for who changes it by keyboard from further down */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "v" || event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const line = inSight();
    const top = line ? line.getBoundingClientRect().top : 0;
    const next = buttons[(buttons.findIndex((button) => button.checked) + 1) % buttons.length];
    next.checked = true;
    store(next.value);
    if (line) window.scrollBy(0, line.getBoundingClientRect().top - top);
  });
})();
