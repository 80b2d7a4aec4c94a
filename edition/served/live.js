// The live preview, in a page that `serve` hands out: it asks whether it is still the page, and what is wrong.
"use strict";
(() => {
  const EVERY = 700; // milliseconds
  const ASK = "/-live/state?page=";
  let known = null; // what the page was when it was fetched
  let shown = "";

  const made = (name, words, cls) => {
    const one = document.createElement(name);
    one.textContent = words;
    if (cls) one.className = cls;
    return one;
  };
  const strip = document.createElement("div");
  strip.className = "rv-live";
  strip.hidden = true;
  strip.setAttribute("role", "status");

  const problem = (one) => {
    const item = document.createElement("li");
    item.append(made("span", one.place, "rv-live-place"), `: ${one.what}`, made("span", one.out, "rv-live-out"));
    return item;
  };
  const say = (told) => {
    const wrong = told.problems.length + told.warnings.length;
    const now = JSON.stringify([told.problems, told.warnings]);
    if (now === shown) return;
    shown = now;
    strip.hidden = !wrong;
    const list = document.createElement("ul");
    list.append(...told.problems.map(problem), ...told.warnings.map((one) => made("li", one)));
    const many = `${wrong} ${wrong === 1 ? "problem" : "problems"}`;
    strip.replaceChildren(made("p", `${many}. Below stands what was last in order.`), list);
  };
  const offer = (address) => { // on the page of a source: the form, which only this server has
    const title = document.querySelector("h1");
    if (!address || !title || document.querySelector(".rv-live-code")) return;
    const link = made("a", "Code this source", "rv-button rv-live-code");
    link.href = address;
    const line = made("p", "", "rv-live-line"); // a page may lay out what stands in it as wide as itself
    line.append(link);
    title.after(line);
  };
  const ask = async () => {
    try {
      const answer = await fetch(ASK + encodeURIComponent(location.pathname), { cache: "no-store" });
      const told = await answer.json();
      if (known === null) known = told.state;
      if (told.state && told.state !== known) return location.reload();
      say(told);
      const progress = document.querySelector(".rv-live-progress");
      if (progress && told.working) progress.textContent = `At work for ${told.seconds} seconds.`;
      offer(told.code);
    } catch {
      // the server has ended, or begins anew: the page stays as it is
    }
    setTimeout(ask, EVERY);
  };
  document.body.prepend(strip);
  ask();
})();
