/* A link to "Settle your own deal" that is touched or pointed at: fetch what the engine needs while the reader clicks.

   Nothing is fetched before that, nothing twice, and nothing for readers who save data or read from a folder. */
"use strict";
(() => {
  const PLAY = new URL("../play/", document.currentScript.src);
  const NEEDED = ["pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.mjs", "pyodide/pyodide.mjs", "pyodide/python_stdlib.zip"];
  if (location.protocol === "file:" || navigator.connection?.saveData) return;

  function prefetch({ target }) {
    const link = target.closest?.("a[href]");
    if (!link || !link.pathname.endsWith("/try.html")) return;
    for (const kind of KINDS) removeEventListener(kind, prefetch, true);
    for (const name of NEEDED) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: new URL(name, PLAY).href, as: "fetch", crossOrigin: "anonymous" }));
    }
  }
  const KINDS = ["pointerover", "pointerdown", "focusin"];
  for (const kind of KINDS) addEventListener(kind, prefetch, { capture: true, passive: true });
})();
