/* Before anything is seen: light or dark as the reader last chose, and the letters of the page asked for early.
   (On a folder of a disk a browser refuses to fetch letters early, and has no need to.) */
"use strict";
(() => {
  const read = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const theme = ["light", "dark"].includes(read()) ? read() : "auto";
  const here = document.currentScript.src;
  const early = (name) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous", href: new URL(`fonts/${name}.woff2`, here) });
    document.head.append(link);
  };
  if (location.protocol.startsWith("http")) ["junicode-regular", "junicode-semibold"].forEach(early);
  new MutationObserver((_, watch) => {
    if (!document.body) return;
    document.body.dataset.theme = theme;
    watch.disconnect();
  }).observe(document.documentElement, { childList: true });
})();
