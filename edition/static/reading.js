/* Going through a text sentence by sentence. Everything is there without it: the switch between the two views is made
   of buttons and rules of the style sheet, and every sentence has an address. */
"use strict";
(() => {
  const text = document.querySelector(".rv-text");
  if (!text) return;
  const lines = [...text.querySelectorAll(".rv-line")];
  const folds = (line) => [...line.querySelectorAll("details:not(.rv-more)")];
  const link = (line) => line.querySelector(".rv-place a");

  /* ---- what is remembered: the buttons, for this tab and no longer ---- */

  const KEY = "reversis-reading";
  const buttons = () => [...text.querySelectorAll(".rv-bar input, .rv-keys input")];
  const name = (button) => button.type === "radio" ? `${button.name}=${button.value}` : button.name;
  const recall = () => { try { return JSON.parse(sessionStorage.getItem(KEY)) || {}; } catch { return {}; } };
  const remember = () => {
    const state = Object.fromEntries(buttons().map((one) => [name(one), one.checked]));
    try { sessionStorage.setItem(KEY, JSON.stringify({ ...recall(), ...state })); } catch { /* a reader may forbid it */ }
  };

  /* ---- where we are ---- */

  const place = text.querySelector(".rv-position");
  const total = place.textContent;
  const letters = new Map([...document.querySelectorAll(".rv-strip a.rv-letter")].map((one) => [one.hash.slice(1), one]));
  let here = -1;
  const arrive = (at) => {
    if (at === here) return;
    letters.get(lines[here]?.id)?.removeAttribute("aria-current");
    letters.get(lines[at]?.id)?.setAttribute("aria-current", "true");
    here = at;
    place.textContent = at < 0 ? total : `${at + 1} of ${total}`;
  };
  const box = (at) => lines[at].firstElementChild.getBoundingClientRect();
  const target = () => lines.findIndex((one) => `#${one.id}` === decodeURIComponent(location.hash));
  const under = Math.min(200, innerHeight / 3); // the sentence under this line is the one that is read,
  let waiting = false;
  const look = () => {
    waiting = false;
    if (goal >= 0) return arrive(goal);
    const gone = target(); // unless one was gone to by its address, and is still in sight
    if (gone >= 0 && box(gone).bottom > 0 && box(gone).top < innerHeight) return arrive(gone);
    if (box(0).top > innerHeight) return arrive(-1);
    const below = lines.findIndex((_, at) => box(at).bottom > under);
    arrive(below < 0 ? lines.length - 1 : below);
  };
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(look); } }, { passive: true });

  /* ---- unfolding ---- */

  const all = text.querySelector(".rv-shows-unfolded");
  let opened = []; // by us, at the sentence that was gone to
  let goal = -1; // the sentence that was gone to, until the reader moves the page: it may still be scrolling there
  let block = "start"; // where in the window it is to stand
  for (const moved of ["wheel", "touchmove", "pointerdown"]) addEventListener(moved, () => { goal = -1; }, { passive: true });
  const unfold = (line) => {
    for (const fold of opened) fold.open = all.checked;
    opened = line ? folds(line).filter((one) => !one.open) : [];
    for (const fold of opened) fold.open = true;
  };
  const follow = () => {
    const at = target();
    if (at < 0) return;
    [goal, block] = [at, "start"];
    unfold(lines[at]); // which moves what stands below, and may stop a page that is gently scrolling
    stand();
    arrive(at);
  };
  const stand = () => lines[goal].firstElementChild.scrollIntoView({ block, behavior: "instant" });
  addEventListener("hashchange", follow);
  addEventListener("scrollend", () => { if (goal >= 0) stand(); }); // a slow machine gently scrolls on to where it stood before
  all.addEventListener("change", () => { for (const one of lines) for (const fold of folds(one)) fold.open = all.checked; });

  /* ---- to the next and to the one before ---- */

  const step = (by) => {
    if (goal < 0) look();
    const at = Math.min(Math.max((goal < 0 ? here : goal) + by, 0), lines.length - 1);
    [goal, block] = [at, "nearest"];
    location.replace(`#${lines[at].id}`); // an address, but no long history to go back through
    unfold(lines[at]);
    lines[at].firstElementChild.scrollIntoView({ block });
    link(lines[at]).focus({ preventScroll: true });
    arrive(at);
  };
  const make = (tag, attributes, words = "") => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = words;
    return made;
  };
  const stepper = (label, sign, by) => {
    const button = make("button", { type: "button", class: "rv-step", "aria-label": label, title: label }, sign);
    button.addEventListener("click", () => step(by));
    return button;
  };
  place.before(stepper("Sentence before", "↑", -1));
  place.after(stepper("Next sentence", "↓", 1));

  const keys = make("input", { type: "checkbox", name: "rv-keys", checked: "" });
  const label = make("label", {}, " The keys j and k are on");
  label.prepend(keys);
  text.querySelector(".rv-keys").append(label);
  const STEPS = { j: 1, k: -1 };
  const typing = (where) => where instanceof Element && where.closest("input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]");
  addEventListener("keydown", (event) => {
    const plain = !(event.ctrlKey || event.altKey || event.metaKey || event.isComposing);
    if (!(event.key in STEPS)) goal = -1;
    if (!plain || !keys.checked || !(event.key in STEPS) || typing(event.target)) return;
    event.preventDefault();
    step(STEPS[event.key]);
  });

  const before = recall();
  for (const button of buttons()) {
    if (name(button) in before) button.checked = before[name(button)];
    button.addEventListener("change", remember);
  }
  if (all.checked) all.dispatchEvent(new Event("change"));
  look();
  follow();
})();
