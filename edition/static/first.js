/* Before the first paint: light or dark as the reader last chose; and the page waits for its fonts and for
   what its own scripts set first, up to 400 ms, so that nothing moves when they arrive. Without scripts nothing waits. */
"use strict";
(() => {
  const root = document.documentElement, FACES = ["400 1em Junicode", "italic 400 1em Junicode", "600 1em Junicode"];
  const read = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  root.dataset.theme = ["light", "dark"].includes(read()) ? read() : "auto";
  const late = new Promise((done) => { setTimeout(done, 400); });
  const scripts = new Promise((done) => { document.addEventListener("DOMContentLoaded", done); });
  root.classList.add("rv-waiting");
  Promise.race([late, Promise.allSettled([scripts, ...FACES.map((face) => document.fonts.load(face))])])
    .then(() => root.classList.remove("rv-waiting"));
})();
