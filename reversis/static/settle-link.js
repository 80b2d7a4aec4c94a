/* A link to "Settle your own deal" or to the table, touched or pointed at: fetch the engine while the reader clicks.

   Nothing is fetched before that, nothing twice, and nothing for readers who save data or read from a folder. Pages of
   example deals once held the editor: an address with a deal in its fragment goes on to the page that has it now. */
"use strict";
(() => {
  const ROOT = new URL("../", document.currentScript.src);
  const PLAY = new URL("play/", ROOT);
  const NEEDED = ["pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.mjs", "pyodide/pyodide.mjs", "pyodide/python_stdlib.zip"];
  if (/^#deal=[zj]\./.test(location.hash)) return location.replace(new URL(`try.html${location.hash}`, ROOT));
  if (location.protocol === "file:" || navigator.connection?.saveData) return;

  function prefetch({ target }) {
    const link = target.closest?.("a[href]");
    if (!link || !/\/(try|play)\.html$/.test(link.pathname)) return;
    for (const kind of KINDS) removeEventListener(kind, prefetch, true);
    for (const name of NEEDED) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: new URL(name, PLAY).href, as: "fetch", crossOrigin: "anonymous" }));
    }
  }
  const KINDS = ["pointerover", "pointerdown", "focusin"];
  for (const kind of KINDS) addEventListener(kind, prefetch, { capture: true, passive: true });
})();
