/* Content that is not in the page: it lies in a script file beside it and is fetched when its fold is opened.
   Without this script, or without that file, a link stands in its place. */
"use strict";
(() => {
  let folds, asked;
  globalThis.reversisFolds = (found) => { folds = found; };
  const load = (file) => asked ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: file, onload: () => resolve(folds), onerror: reject });
    document.head.append(script);
  });

  async function fill(place) {
    const { fold, folds: file } = place.dataset;
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
  fillOpen(document);
})();
