/* Start the engine (settle-worker.js) in the background as soon as the page is there, and pass requests to it.

   With Save-Data it starts at the first touch or key; from a folder it cannot start at all. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const WORKER = new URL(document.currentScript.dataset.worker, document.currentScript.src);
  const onDisk = location.protocol === "file:";
  const sparing = Boolean(navigator.connection?.saveData) || matchMedia("(prefers-reduced-data: reduce)").matches;
  const engine = { onDisk, ready: false, held: sparing && !onDisk, ask, onchange: () => {}, onwake: () => {} };
  const waiting = new Map();
  let worker = null, count = 0;

  function start() {
    if (worker || onDisk) return;
    worker = new Worker(WORKER, { type: "module" });
    engine.held = false;
    worker.addEventListener("message", ({ data }) => (data.ready ? mark({ ready: true }) : settleRequest(data)));
    worker.addEventListener("error", (event) => fail(`The engine could not be started${event.message ? `: ${event.message}` : ""}.`));
  }

  function mark(change) {
    Object.assign(engine, change);
    performance.mark(engine.ready ? "reversis:ready" : "reversis:stopped");
    engine.onchange();
  }

  function settleRequest({ id, answer, fault }) {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (fault === undefined) return resolve?.(answer);
    if (!engine.ready) fail(fault); // Python has not started: the next request tries again
    reject?.(new Error(fault));
  }

  function fail(words) {
    worker?.terminate();
    worker = null;
    for (const { reject } of waiting.values()) reject(new Error(words));
    waiting.clear();
    mark({ ready: false });
  }

  /* Ask the engine; the promise fails with words for the reader. */
  function ask(request) {
    start();
    if (!worker) return Promise.reject(new Error("The engine cannot run here."));
    count += 1;
    const id = count;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ask: request });
    });
  }

  globalThis.reversis.engine = engine;
  if (!sparing) return start();
  const wake = () => { start(); engine.onwake(); };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { once: true });
})();
