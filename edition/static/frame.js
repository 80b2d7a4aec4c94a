/* The frame of every page: the menu, light or dark, and folded parts that open for an address. */
"use strict";
(() => {
  const menu = document.getElementById("rv-menu");
  const groups = [...menu.querySelectorAll("details")];
  const fold = () => groups.forEach((group) => { group.open = false; });
  const inBar = () => getComputedStyle(menu).position !== "fixed";

  /* In the bar one list is open at a time, and a click elsewhere or Escape folds it. */
  document.addEventListener("click", (event) => { if (inBar() && !menu.contains(event.target)) fold(); });
  document.addEventListener("keydown", (event) => {
    const open = groups.find((group) => group.open);
    if (event.key !== "Escape" || !open || !inBar()) return;
    fold();
    if (open.contains(document.activeElement)) open.querySelector("summary").focus();
  });
  menu.addEventListener("toggle", (event) => {
    const here = groups.find((group) => group.classList.contains("rv-here"));
    if (event.target === menu && event.newState === "open" && here) here.open = true;
  });

  /* Light or dark: as the system, light, dark, and round again. */
  const LABELS = { auto: "as the system", light: "light", dark: "dark" };
  const root = document.documentElement, button = menu.querySelector(".rv-theme");
  const show = () => { button.querySelector(".rv-theme-now").textContent = LABELS[root.dataset.theme]; };
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    const names = Object.keys(LABELS);
    root.dataset.theme = names[(names.indexOf(root.dataset.theme) + 1) % names.length];
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* it holds for this page */ }
    show();
  });

  /* An address within something folded opens it. */
  function reveal() {
    let name;
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = name && document.getElementById(name);
    if (!target) return;
    let opened = false;
    for (let at = target.closest("details"); at; at = at.parentElement.closest("details")) {
      if (!at.open) { at.open = true; opened = true; }
    }
    if (opened) target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  reveal();

  /* On wide screens the contents of a page stand open beside it. */
  const contents = document.querySelector(".rv-contents > details"), wide = matchMedia("(min-width: 75rem)");
  if (contents) {
    const fit = () => { contents.open = wide.matches; };
    wide.addEventListener("change", fit);
    fit();
  }
})();
