/* Before the first paint: light or dark as the reader last chose, and early requests for the fonts of the page.
   (From a folder on a disk a browser refuses to fetch fonts early, and has no need to.) */
"use strict";
(() => {
  const read = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  document.documentElement.dataset.theme = ["light", "dark"].includes(read()) ? read() : "auto";
  const here = document.currentScript.src;
  const preload = (name) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous", href: new URL(`fonts/${name}.woff2`, here) });
    document.head.append(link);
  };
  if (location.protocol.startsWith("http")) ["junicode-regular", "junicode-semibold"].forEach(preload);
})();
