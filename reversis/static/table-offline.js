/* Keep the table for when there is no network, once its engine runs: sw.js at the site's root does it.

   It is told what this page has loaded itself; what the engine fetches it knows. */
"use strict";
(() => {
  const ROOT = new URL("../", document.currentScript.src);
  if (!navigator.serviceWorker || location.protocol === "file:") return;
  const listLoaded = () => performance.getEntriesByType("resource").map((entry) => entry.name);
  async function keep() {
    const script = new URL("sw.js", ROOT), found = await fetch(script, { method: "HEAD" });
    await found.text(); // an answer that nobody reads is called off, and stands among the failed requests
    if (found.status !== 200) return; // `reversis serve` has none: its pages change
    await navigator.serviceWorker.register(script);
    const { active } = await navigator.serviceWorker.ready;
    const loaded = [location.href.split("#")[0], ...listLoaded()].filter((address) => address.startsWith(ROOT.href));
    active.postMessage({ keep: [...new Set(loaded)] });
  }
  const watch = new PerformanceObserver((list) => {
    if (!list.getEntriesByName("reversis:ready").length) return;
    watch.disconnect();
    keep().catch(() => {});
  });
  watch.observe({ type: "mark", buffered: true });
})();
