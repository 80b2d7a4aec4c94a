/* The deal on the home page plays itself once, when it comes into view, and can be paused; the totals count with it.
   Whoever asked for less motion, and who has no scripts, sees it lying there complete. */
"use strict";
(() => {
  const film = document.querySelector(".rv-film"), button = film?.querySelector(".rv-film-pause");
  if (!film || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const STEP = 450, last = Number(film.dataset.tricks) + 1; // after the last trick comes the settlement
  const tiles = [...film.querySelectorAll("[data-trick]")];
  const list = document.querySelector(".rv-home-results"), most = Number(list.dataset.most) || 1;
  const totals = [...list.querySelectorAll("[data-running]")].map((number) => ({
    number, bar: number.closest("li").querySelector(".rv-home-gain"), running: number.dataset.running.split(",").map(Number),
  }));
  const signed = (number) => `${number > 0 ? "+" : number < 0 ? "−" : ""}${Math.abs(number)}`;
  const caption = film.querySelector(".rv-film-caption"), ends = caption.textContent;
  const says = [...film.querySelectorAll("[data-says]")].map((number) => number.dataset.says);
  let trick = 0, timer = 0;

  function show() {
    for (const tile of tiles) tile.classList.toggle("rv-film-later", Number(tile.dataset.trick) > trick);
    for (const { number, bar, running } of totals) {
      const total = running[trick], long = (100 * Math.abs(total)) / most;
      number.textContent = signed(total);
      bar.setAttribute("x", total < 0 ? 100 - long : 100);
      bar.setAttribute("width", long);
      bar.ownerSVGElement.classList.toggle("rv-home-nought", !total);
    }
    caption.textContent = says[trick - 1] ?? (trick ? ends : "");
    list.classList.toggle("rv-film-open", trick < last);
  }
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
  button.textContent = "Play";
  button.addEventListener("click", () => (timer ? stop() : play()));
  addEventListener("beforeprint", () => { trick = last; show(); stop(); });
  show(); // nothing is told before it has happened
  new IntersectionObserver((seen, watch) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    if (!timer && !trick) play();
  }, { threshold: 0.6 }).observe(film);
})();
