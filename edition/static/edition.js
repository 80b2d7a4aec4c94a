/* A small comfort; everything works without it: the view of the text that a reader has chosen is remembered. */
"use strict";
(() => {
  const KEY = "reversis-view";
  const read = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const write = (value) => { try { localStorage.setItem(KEY, value); } catch { /* a reader may forbid it */ } };
  const before = read();
  for (const button of document.querySelectorAll('input[name="rv-view"]')) {
    if (button.value === before) button.checked = true;
    button.addEventListener("change", () => write(button.value));
  }
})();
