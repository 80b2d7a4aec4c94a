/* Going through a text sentence by sentence. Everything is there without it: the spelling is chosen with buttons and
   rules of the style sheet, and every sentence has an address. */
"use strict";
(() => {
  const text = document.querySelector(".rv-text");
  if (!text) return;
  const lines = [...text.querySelectorAll(".rv-line")];

  /* ---- what is remembered: the buttons, for this tab and no longer ---- */

  const KEY = "edition-reading";
  const buttons = [...document.querySelectorAll(".rv-text-controls input, .rv-keys-on")];
  const recall = () => { try { return JSON.parse(sessionStorage.getItem(KEY)) || {}; } catch { return {}; } };
  const remember = () => {
    const state = Object.fromEntries(buttons.map((one) => [one.className, one.checked]));
    try { sessionStorage.setItem(KEY, JSON.stringify({ ...recall(), ...state })); } catch { /* a reader may forbid it */ }
  };

  /* ---- clauses: all folds at once ---- */

  const all = document.querySelector(".rv-shows-clauses");
  const unfoldAll = () => { for (const fold of text.querySelectorAll(".rv-fold")) fold.open = all.checked; };
  all.addEventListener("change", unfoldAll);

  /* ---- to the next and to the one before ---- */

  let opened = null; // by us, at the sentence that was gone to
  const unfold = (line) => {
    if (opened && !all.checked) opened.open = false;
    const fold = line.querySelector(".rv-fold");
    opened = fold && !fold.open ? fold : null;
    if (opened) opened.open = true;
  };
  const seen = () => lines.findIndex((one) => one.getBoundingClientRect().bottom > innerHeight / 4);
  const step = (by) => {
    const focused = lines.findIndex((one) => one.contains(document.activeElement) || `#${one.id}` === location.hash);
    const from = focused >= 0 ? focused : seen() - (by > 0 ? 1 : 0);
    const line = lines[Math.min(Math.max(from + by, 0), lines.length - 1)];
    history.replaceState(null, "", `#${line.id}`); // an address, but no long history to go back through
    unfold(line);
    line.scrollIntoView({ block: "nearest" });
    line.querySelector(".rv-sentence-id").focus({ preventScroll: true });
  };
  const keys = document.querySelector(".rv-keys-on");
  const STEPS = { j: 1, k: -1 };
  const typing = (where) => where instanceof Element && where.closest("input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]");
  addEventListener("keydown", (event) => {
    const plain = !(event.ctrlKey || event.altKey || event.metaKey || event.isComposing);
    if (!plain || !keys.checked || !(event.key in STEPS) || typing(event.target)) return;
    event.preventDefault();
    step(STEPS[event.key]);
  });

  /* ---- the minimap: which part of the text is in the window ---- */

  const map = document.querySelector(".rv-source-map");
  const strips = map ? [...map.querySelectorAll("a")].map((link) => [link, link.querySelector("svg"), document.getElementById(link.hash.slice(1))]) : [];
  const onMap = (y, top) => {
    const at = strips.findLastIndex(([, , chapter]) => chapter.getBoundingClientRect().top <= y);
    if (at < 0) return strips[0][1].getBoundingClientRect().top - top;
    const [strip, chapter] = strips[at].slice(1).map((one) => one.getBoundingClientRect());
    return strip.top - top + strip.height * Math.min(1, (y - chapter.top) / (chapter.height || 1));
  };
  const look = () => {
    waiting = false;
    const list = map.firstElementChild, { top } = list.getBoundingClientRect();
    const from = onMap(0, top), to = onMap(innerHeight, top);
    list.style.setProperty("--rv-seen-from", `${from}px`);
    list.style.setProperty("--rv-seen", `${Math.max(to - from, 0)}px`);
    const here = strips.findLastIndex(([, , chapter]) => chapter.getBoundingClientRect().top <= innerHeight / 3);
    for (const [at, [link]] of strips.entries()) at === here ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  };
  let waiting = false;
  const soon = () => { if (!waiting) { waiting = true; requestAnimationFrame(look); } };
  if (strips.length) for (const moved of ["scroll", "resize"]) addEventListener(moved, soon, { passive: true });

  const before = recall();
  for (const button of buttons) {
    if (button.className in before) button.checked = before[button.className];
    button.addEventListener("change", remember);
  }
  if (all.checked) unfoldAll();
  if (strips.length) look();
})();
