/* "Play on from here" leads to the table at the trick, and by the book, that the address of a deal's page names. */
"use strict";
(() => {
  const link = document.querySelector(".rv-play-on");
  if (!link) return;
  const [whole] = link.getAttribute("href").split("&");
  const AT = /^#(?:t(\d+)|end)(?:-(\w+))?$/;
  function aim() {
    const [, trick, book] = AT.exec(location.hash) ?? [];
    link.setAttribute("href", [whole, ...(trick ? [`t=${trick}`] : []), ...(book ? [`s=${book}`] : [])].join("&"));
  }
  for (const kind of ["pointerover", "focusin", "pointerdown"]) link.addEventListener(kind, aim); // the address changes unheard
  aim();
})();
