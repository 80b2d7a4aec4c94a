/* Keep the table for when there is no network, once its engine runs: sw.js at the site's root does it.

   It is told what this page has loaded itself; what the engine fetches it knows. */
"use strict";
(() => {
  const ROOT = new URL("../", document.currentScript.src);
  if (!navigator.serviceWorker || location.protocol === "file:") return;
  const listLoaded = () => performance.getEntriesByType("resource").map((entry) => entry.name);
  async function keep() {
    await navigator.serviceWorker.register(new URL("sw.js", ROOT)); // fails where it is not served: nothing is kept then
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
