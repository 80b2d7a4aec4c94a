/* Old addresses: a page that is gone leads to the one that took its place, with the fragment; a place that is no longer
   on a page leads to where it is now. The rules come from edition/site/moved.py. */
"use strict";
(() => {
  const rules = JSON.parse(document.currentScript.dataset.rules);
  const gone = document.querySelector(".rv-moved");
  const go = () => {
    let name;
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { name = ""; }
    if (!gone && (!name || document.getElementById(name))) return;
    const rule = rules.find(([ask]) => new RegExp(ask, "u").test(name));
    if (rule) location.replace(name.replace(new RegExp(rule[0], "u"), rule[1]));
    else if (gone) location.replace(gone.dataset.to.includes("#") ? gone.dataset.to : gone.dataset.to + location.search + location.hash);
  };
  if (!gone) addEventListener("hashchange", go);
  go();
})();
