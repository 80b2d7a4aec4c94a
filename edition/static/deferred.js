/* Content that is not in the page: it lies in a script file beside it and is fetched when its fold is opened.
   Without this script, or without that file, a link stands in its place. */
"use strict";
(() => {
  let folds, asked;
  globalThis.editionFolds = (found) => { folds = found; };
  const load = (file) => asked ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: file, onload: () => resolve(folds), onerror: reject });
    document.head.append(script);
  });

  async function fill(place) {
    const { fold, folds: file } = place.dataset;
    if (!fold) return;
    delete place.dataset.fold;
    try {
      const found = (await load(file))[fold];
      if (found) place.innerHTML = found;
    } catch { /* the link stays */ }
  }
  const fillOpen = (within) => {
    for (const place of within.querySelectorAll("[data-fold]")) if (!place.closest("details:not([open])")) fill(place);
  };
  document.addEventListener("toggle", (event) => { if (event.target.open) fillOpen(event.target); }, true);
  /* The page has waited for what its address leads to: deferred-first.js */
  async function reveal() {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* no such place */ }
    const place = target?.closest("details")?.querySelector("[data-fold]");
    const show = () => document.documentElement.classList.remove("rv-unfolding");
    if (!place) return show();
    await fill(place);
    requestAnimationFrame(() => requestAnimationFrame(show)); // laid out once while nobody sees it
  }
  reveal();
  fillOpen(document);
})();
