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

  /* Where the lists stand below each other, one that opens leaves the others: nothing moves under the finger. */
  const fit = () => groups.forEach((group) => { if (inBar()) group.setAttribute("name", "rv-menu"); else group.removeAttribute("name"); });
  matchMedia("(min-width: 64.01rem)").addEventListener("change", fit);
  fit();

  /* As the system, then the other way, then as the system is now, and round again; the button says what it will do. */
  const COMMANDS = { auto: "Use the system’s theme", light: "Use the light theme", dark: "Use the dark theme" };
  const names = ["auto", ...(matchMedia("(prefers-color-scheme: dark)").matches ? ["light", "dark"] : ["dark", "light"])];
  const root = document.documentElement, button = menu.querySelector(".rv-theme");
  const following = () => names[(names.indexOf(root.dataset.theme) + 1) % names.length];
  const show = () => { button.title = button.querySelector(".rv-theme-words").textContent = COMMANDS[following()]; };
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    root.dataset.theme = following();
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
