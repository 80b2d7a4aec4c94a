/* Pages with folds that are fetched, before anything is drawn: one that the address leads to is filled first, which may
   take a second, so that nothing moves. */
"use strict";
(() => {
  const root = document.documentElement, show = () => root.classList.remove("rv-unfolding");
  if (!location.hash) return;
  root.classList.add("rv-unfolding");
  setTimeout(show, 1_000);
})();
