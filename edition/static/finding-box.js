/* The search box in the bar of every page. Everything that a search needs is fetched when somebody goes to a box, and
   not before; then the box suggests while one types, and Enter leads to the page of the search.

   Control or Command with K goes to the box, and so does the key / alone, unless the reader has switched it off on the
   page of the search. Neither does anything while somebody is writing. */
"use strict";
(() => {
  const box = document.querySelector(".rv-box");
  if (!box) return;
  const field = box.querySelector("input");
  const HERE = document.currentScript.src;
  const FIND = box.dataset.find === "#" ? "" : box.dataset.find;  // on the page of the search that is the page itself
  const SCRIPTS = ["minisearch.js", "folding.js", "finding-index.js", "finding-suggest.js", "finding-records.js"];
  const KEY = "edition-slash";
  const wanted = () => { try { return localStorage.getItem(KEY) !== "off"; } catch { return true; } };
  const writing = (node) => node.isContentEditable || /^(input|textarea|select)$/i.test(node.tagName);
  const seen = () => field.checkVisibility?.({ visibilityProperty: true }) !== false && field.getBoundingClientRect().right > 0;

  /* A file of the edition, fetched. */
  const fetched = (tag, given) => new Promise((resolve, reject) => {
    const node = Object.assign(document.createElement(tag), given);
    node.addEventListener("load", resolve);
    node.addEventListener("error", () => reject(new Error(given.src ?? given.href)));
    document.head.append(node);
  });

  /* The index of the search, made once for a page. */
  let opening = null;
  globalThis.openEditionIndex = () => {
    const style = { rel: "stylesheet", href: new URL("finding-suggest.css", HERE).href };
    opening ??= Promise.all([fetched("link", style), ...SCRIPTS.map((name) => fetched("script", { src: new URL(name, HERE).href }))])
      .then(() => new globalThis.EditionIndex(globalThis.EDITION_RECORDS));
    return opening;
  };

  /* The page of the search has a field of its own; where the box is out of sight, we go there. */
  function ask() {
    const own = document.getElementById("rv-find-q");
    if (!own && !seen()) location.assign(`${FIND}#q=`);
    (own ?? field).focus();
    (own ?? field).select();
  }

  box.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`${FIND}#${new URLSearchParams({ q: field.value.trim() })}`);
  });
  field.addEventListener("focus", () => {
    globalThis.openEditionIndex().then((index) => globalThis.EditionSuggest.attach(field, index)).catch(() => {});
  }, { once: true });
  document.addEventListener("keydown", (event) => {
    const together = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
    const called = together ? event.key.toLowerCase() === "k" : alone && event.key === "/" && wanted();
    if (!called || event.defaultPrevented || writing(event.target)) return;
    event.preventDefault();
    ask();
  });
})();
