/* The search box beside every page: it leads to the page that searches, with the words in the address.

   Control or Command with K goes to the box, and so does the key / alone, unless the reader has switched it off on the
   page of the search. Neither does anything while somebody is writing. */
"use strict";
(() => {
  const box = document.querySelector(".rv-box");
  if (!box) return;
  const field = box.querySelector("input");
  const KEY = "reversis-slash";
  const wanted = () => { try { return localStorage.getItem(KEY) !== "off"; } catch { return true; } };
  const writing = (node) => node.isContentEditable || /^(input|textarea|select)$/i.test(node.tagName);
  const seen = () => field.checkVisibility?.() !== false && field.getBoundingClientRect().right > 0;

  /* The page of the search has a box of its own; where the one beside the page is out of sight, we go there. */
  function ask() {
    const own = document.getElementById("rv-find-q");
    if (!own && !seen()) location.assign(`${box.dataset.find}#q=`);
    (own ?? field).focus();
    (own ?? field).select();
  }

  box.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`${box.dataset.find}#${new URLSearchParams({ q: field.value.trim() })}`);
  });
  field.addEventListener("keydown", (event) => { if (event.key === "Escape") field.value = ""; });
  document.addEventListener("keydown", (event) => {
    const together = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
    const called = together ? event.key.toLowerCase() === "k" : alone && event.key === "/" && wanted();
    if (!called || event.defaultPrevented || writing(event.target)) return;
    event.preventDefault();
    ask();
  });
})();
