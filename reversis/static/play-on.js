/* "Play on from here" leads to the table at the trick, and by the book, that the address of a deal's page names. */
"use strict";
(() => {
  const links = [...document.querySelectorAll(".rv-play-on")];
  if (!links.length) return;
  const [whole] = links[0].getAttribute("href").split("&");
  const AT = /^#(?:t(\d+)|end)(?:-(\w+))?$/;
  function aim() {
    const [, trick, book] = AT.exec(location.hash) ?? [];
    const aimed = [whole, ...(trick ? [`t=${trick}`] : []), ...(book ? [`s=${book}`] : [])].join("&");
    for (const link of links) link.setAttribute("href", aimed);
  }
  for (const kind of ["pointerover", "focusin", "pointerdown"]) addEventListener(kind, ({ target }) => links.includes(target) && aim()); // the address changes unheard
  aim();
})();
