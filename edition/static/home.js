/* The deal on the home page plays itself once, when it comes into view, and can be paused. Whoever asked for less motion,
   and who has no scripts, sees it lying there complete. */
"use strict";
(() => {
  const film = document.querySelector(".rv-film"), button = film?.querySelector(".rv-film-pause");
  if (!film || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const STEP = 450, last = Number(film.dataset.tricks);
  const tiles = [...film.querySelectorAll("[data-trick]")];
  let trick = 0, timer = 0;

  const show = () => tiles.forEach((tile) => tile.classList.toggle("rv-film-later", Number(tile.dataset.trick) > trick));
  function stop() {
    clearInterval(timer);
    timer = 0;
    button.textContent = trick < last ? "Play" : "Play again";
  }
  function step() {
    trick += 1;
    show();
    if (trick >= last) stop();
  }
  function play() {
    if (trick >= last) trick = 0;
    show();
    button.textContent = "Pause";
    timer = setInterval(step, STEP);
  }
  button.hidden = false;
  button.textContent = "Play again";
  button.addEventListener("click", () => (timer ? stop() : play()));
  new IntersectionObserver((seen, watch) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    play();
  }, { threshold: 0.6 }).observe(film);
})();
