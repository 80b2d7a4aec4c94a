/* A deal on one screen, trick by trick. Everything is read from the page, which says it without a script too: the hands,
   the tricks, who takes each in each book, the ledgers. Nothing is computed here but running sums. The address names the
   trick and the book (#t3-ABC, #end-ABC); one with the trick alone keeps the book that was looked at last. */
"use strict";
(() => {
  const stage = document.querySelector(".rv-stage");
  const slide = stage?.querySelector(".rv-slide input");
  const { make, sign: signOf, face: faceOf, picture } = globalThis.playingCards;
  const KEY = "edition-source";
  const ADDRESS = /^#(?:t(\d+)|(end))(?:-(.+))?$/;
  const PICTURED = window.picturedCards ?? []; // a script of the game names them
  const all = (where, what) => [...where.querySelectorAll(what)];

  // ---- what the page says ------------------------------------------------------------------------------------------

  const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
  const hands = all(stage, ".rv-hand").map((node) => ({ seat: node.dataset.seat, node }));
  const held = new Map(all(stage, ".rv-hand [data-card]").map((node) => [node.dataset.card, node]));
  const placeOf = Object.fromEntries(hands.map(({ seat, node }) => [seat, [...node.classList].find((one) => one.startsWith("rv-at-"))]));
  const tricks = hands.length ? all(document, "table.rv-play tbody tr").map(readTrick) : [];
  const end = tricks.length + 1, start = tricks.length ? 0 : end; // where nobody plays there is the settlement alone, and no controls
  const books = all(stage, ".rv-ledger").map(readBook);
  if (!books.length) return;
  const named = (id) => books.find((one) => one.id === id);

  function readTrick(row) {
    const plays = [...row.cells].slice(1, 1 + hands.length).flatMap((cell, at) => all(cell, "[data-card]").map((card) => ({
      seat: hands[at].seat, card: card.dataset.card, name: card.title,
      marks: all(cell, ".rv-play-mark").map((one) => one.textContent).filter((one) => one !== "takes"),
    })));
    const first = Math.max(0, plays.findIndex((one) => one.marks.includes("leads")));
    return [...plays.slice(first), ...plays.slice(0, first)];
  }

  function readBook(node) {
    const items = all(node, ".rv-item").map((item) => ({
      node: item, ...item.dataset,
      at: { before: 0, end }[item.dataset.step] ?? Number(item.dataset.step),
      paid: all(item, "[data-payer]").map((one) => ({ ...one.dataset, amount: Number(one.dataset.amount), said: one.textContent })),
    }));
    const takers = all(document, `table.rv-play [data-book="${node.dataset.book}"]`).map((one) => one.dataset);
    const name = node.querySelector(".rv-ledger-name").textContent, head = node.querySelector("summary");
    return { id: node.dataset.book, settled: node.dataset.state === "settled", node, name, head, items, takers };
  }

  const strip = stage.querySelector("table.rv-results");
  const rows = [...strip.tBodies[0].rows].map((row, at) => ({ row, book: books[at], cells: [...row.cells].slice(1) }));
  const results = rows.map(({ cells }) => cells.map((cell) => cell.textContent));
  const part = Object.fromEntries(["said", "trick", "ticks", "taken", "ledger-box", "chosen-book", "corner-before"].map((one) => [one, stage.querySelector(`.rv-${one}`)]));
  const buttons = Object.fromEntries(all(stage, ".rv-controls button").map((one) => [one.dataset.does, one]));
  const speed = stage.querySelector(".rv-controls select"), against = stage.querySelector(".rv-ledger-head select");
  const choices = all(stage, "input[name=rv-book]");
  const caption = strip.querySelector(".caption-text") ?? strip.caption;

  // ---- the state, and its address ----------------------------------------------------------------------------------

  const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const remember = (id) => { try { localStorage.setItem(KEY, id); } catch { /* a reader may forbid it */ } };
  const legal = books.filter((one) => one.settled);
  const first = [remembered(), stage.dataset.source].map(named).find((one) => legal.includes(one));
  const state = { at: start, book: first ?? legal[0] ?? books[0], other: null };
  let timer = 0;

  /* What an address asks for: a trick, a ledger, or nothing that is on this screen. */
  function asked(hash) {
    const [, trick, last, id] = ADDRESS.exec(hash) ?? [];
    if (named(hash.slice(1))) return { at: end, book: named(hash.slice(1)) };
    if ((trick ?? last) === undefined || Number(trick ?? 0) >= end || (id && !named(id))) return null;
    return { at: last ? end : Number(trick), book: id ? named(id) : state.book };
  }

  const addressOf = () => `#${state.at === end ? "end" : `t${state.at}`}-${state.book.id}`;

  function go(change, push = true, replace = Boolean(timer)) {
    Object.assign(state, change);
    state.at = Math.min(end, Math.max(start, state.at));
    if (state.other === state.book) state.other = null;
    if (push) {
      if (location.hash !== addressOf()) history[replace ? "replaceState" : "pushState"](null, "", addressOf());
      remember(state.book.id); // what a reader chose, not what the page began with
    }
    if (state.at === end) pause();
    render();
  }

  function follow() {
    const found = asked(location.hash);
    if (found || !location.hash) go(found ?? { at: 0 }, false);
    return Boolean(found);
  }

  // ---- the table ---------------------------------------------------------------------------------------------------

  const takerAt = (at) => state.book.takers[at - 1]?.taker;
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const bold = (words, cls) => make("strong", cls, words);

  function renderHands() {
    const lies = new Map(tricks.flatMap((trick, at) => trick.map((play) => [play.card, at + 1])));
    for (const [card, node] of held) {
      const at = lies.get(card) ?? Infinity;
      node.className = at === state.at ? "rv-now" : at < state.at ? "rv-gone" : "";
      if (at < state.at) node.setAttribute("aria-hidden", "true"); else node.removeAttribute("aria-hidden");
    }
    for (const { seat, node } of hands) {
      const own = state.book.takers.slice(0, state.at).filter((one) => one.taker === seat);
      const points = own.reduce((sum, one) => sum + Number(one.points), 0);
      const known = state.book.takers.length && state.at;
      node.querySelector(".rv-taken").textContent = known ? count(own.length, "trick") : "";
      node.querySelector(".rv-points").textContent = known ? `, ${count(points, stage.dataset.counted ?? "point")}` : "";
      node.classList.toggle("rv-takes", takerAt(state.at) === seat);
    }
  }

  /* One name for what befalls a card: that of the ledger shown. */
  function eventOf(play) {
    const own = state.book.items.filter((one) => one.at === state.at && one.card === play.card && one.event);
    return [...new Set([...own.map((one) => one.event), ...play.marks.filter((one) => one !== "leads")])].join(", ");
  }

  function tile(play) {
    const lead = play.marks.includes("leads") ? ["leads"] : [];
    const note = [...lead, eventOf(play)].filter(Boolean).join(", ").replace(/^leads, led$/, "leads");
    const face = PICTURED.includes(play.card) ? picture(play.card, play.name) : faceOf(play.card, { role: "img", "aria-label": play.name });
    return make("li", `${placeOf[play.seat]}${takerAt(state.at) === play.seat ? " rv-takes" : ""}`, [face, ...(note ? [make("span", "rv-note-on-card", note)] : [])]);
  }

  function renderTrick() {
    if (!tricks.length) return;
    const trick = tricks[state.at - 1];
    const outcome = state.book.items.filter((one) => one.at === end && !one.entry).at(-1)?.node.querySelector("p");
    const ending = state.at ? outcome?.textContent.split(". ").slice(0, 2).join(". ") ?? "The settlement." : `${capital(stage.dataset.dealer)} has dealt. ${capital(tricks[0][0].seat)} leads.`;
    part.trick.replaceChildren(trick ? make("ol", "", trick.map(tile), { "aria-label": `Trick ${state.at}` }) : make("p", "", ending));
    const before = tricks[state.at - 2], taker = takerAt(state.at - 1);
    part["corner-before"].replaceChildren(...(before ? [
      make("p", "", "Last trick"), make("p", "", before.flatMap(({ card }) => [signOf(card), " "])),
      make("p", "", taker ? `to ${capital(taker)}` : ""),
    ] : []));
  }

  function renderSaid() {
    const trick = tricks[state.at - 1], taker = takerAt(state.at);
    const by = taker && trick?.find((one) => one.seat === taker);
    const words = trick
      ? [`Trick ${state.at}: ${capital(trick[0].seat)} leads `, signOf(trick[0].card), ...(by ? [`, ${capital(taker)} takes with `, signOf(by.card)] : []), "."]
      : [state.at ? "After the last trick: the settlement." : "Before the first card."];
    const said = make("p", "", [make("span", "", words, { "aria-hidden": "true" }), make("span", "rv-unseen", spokenStep(trick, taker))]);
    if (part.said.textContent !== said.textContent) part.said.replaceChildren(...said.childNodes);
  }

  /* The same for the ear: every card by its name, who takes the trick, and what is paid by the book shown. */
  function spokenStep(trick, taker) {
    const plays = trick?.map(({ seat, name }, at) => `${capital(seat)} ${at ? "plays" : "leads"} the ${name}`).join(", ");
    const head = trick ? `Trick ${state.at}. ${plays}.${taker ? ` ${capital(taker)} takes it.` : ""}` : state.at ? "The settlement." : "Before the first card.";
    const account = (who) => (who === "pool" ? "the pool" : capital(who));
    const paid = state.book.items.filter((one) => one.at === state.at).flatMap((one) => one.paid)
      .map((one) => `${capital(account(one.payer))} pays ${account(one.payee)} ${one.amount}.`);
    return [head, ...(paid.length ? paid : state.book.settled ? ["Nobody pays."] : [])].join(" ");
  }

  // ---- the sums ----------------------------------------------------------------------------------------------------

  const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
  const standing = (book, account) => book.items.filter((one) => one.at <= state.at).flatMap((one) => one.paid)
    .reduce((sum, one) => sum + (one.payee === account ? one.amount : 0) - (one.payer === account ? one.amount : 0), 0);

  /* Before the first card and at the end the results stand; in between what has been won or lost so far. */
  function renderSums() {
    const whole = state.at === 0 || state.at === end;
    caption.textContent = whole ? "Final result by each book" : `Running totals after trick ${state.at}`;
    rows.forEach(({ row, book, cells }, line) => {
      cells.forEach((cell, at) => {
        const words = whole || !book.settled ? results[line][at] : signed(standing(book, hands[at]?.seat ?? "pool"));
        const node = cell.querySelector("span");
        node.textContent = words;
        node.className = words === "0" || words === "–" ? "rv-nothing" : "";
      });
      row.classList.toggle("rv-chosen", book === state.book);
    });
    choices.forEach((input) => { input.checked = input.value === state.book.id; });
  }

  // ---- the ledger --------------------------------------------------------------------------------------------------

  const reached = (book) => book.items.filter((one) => one.at <= state.at);
  const sums = (paid) => paid.map((one) => `${one.payer}>${one.payee}:${one.amount}`).sort().join();
  const comparable = () => state.book.settled && state.other?.settled;

  function renderLedger() {
    all(stage, ".rv-differs, .rv-no-payments").forEach((one) => one.remove());
    for (const book of books) {
      book.node.open = book === state.book;
      book.node.classList.toggle("rv-aside", book !== state.book);
    }
    for (const one of state.book.items) {
      one.node.classList.toggle("rv-later", one.at > state.at);
      one.node.classList.toggle("rv-fresh", one.at === state.at && state.at > 0);
    }
    const list = state.book.node.querySelector(".rv-items");
    if (state.book.settled && !state.book.items.some((one) => (one.at === state.at || start === end) && one.entry)) list.append(noPayment());
    if (comparable()) compare(list);
    else if (state.other) list.append(make("li", "rv-differs", `${state.other.name}: ${state.other.settled ? "nothing to compare" : "not legal here"}`));
    const fresh = list.querySelector(".rv-fresh"), box = part["ledger-box"];
    const last = all(list, ".rv-item:not(.rv-later)").at(-1);
    const shown = fresh ?? (list.offsetHeight > box.clientHeight && last ? last : list);
    box.scrollTop = shown.offsetTop - list.offsetTop;
    markRest();
  }

  /* What is out of sight in the ledger, above and below; the room under its last line is not counted. */
  function markRest() {
    const box = part["ledger-box"], below = state.book.node.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
    box.classList.toggle("rv-scrolled", box.scrollTop > 0);
    box.classList.toggle("rv-more", below > 12);
  }

  function noPayment() {
    const words = state.at === 0 ? "No payment before the first card" : start === end ? "No payment" : state.at === end ? "No payment in the settlement" : "No payment in this trick";
    const when = make("span", "rv-item-when", state.at === end ? "end" : String(state.at || "deal"));
    return make("li", `rv-no-payments${state.at ? " rv-fresh" : ""}`, [when, make("p", "", words)]);
  }

  /* Marks what the other book pays otherwise, and what it alone pays. */
  function compare(list) {
    const { name } = state.other, theirs = reached(state.other);
    for (const one of reached(state.book).filter((each) => each.entry)) {
      const twin = theirs.find((each) => each.entry === one.entry);
      if (sums(twin?.paid ?? []) === sums(one.paid)) continue;
      one.node.append(make("p", "rv-differs", `≠ ${name}: ${twin?.paid.map((each) => each.said).join(", ") || "nobody pays"}`));
    }
    const own = new Set(state.book.items.map((one) => one.entry));
    for (const one of theirs.filter((each) => each.paid.length && !own.has(each.entry))) {
      const words = one.node.querySelector("p").textContent;
      list.append(make("li", "rv-differs", `≠ Only ${name}: ${words}. ${one.paid.map((each) => each.said).join(", ")}`));
    }
  }

  // ---- the controls ------------------------------------------------------------------------------------------------

  function renderControls() {
    if (slide) renderSteps();
    const changed = part["chosen-book"].dataset.book !== state.book.id;
    if (changed) part["chosen-book"].replaceChildren(...[...state.book.head.cloneNode(true).childNodes]);
    part["chosen-book"].dataset.book = state.book.id;
    for (const option of against.options) option.disabled = option.value === state.book.id;
    against.value = state.other?.id ?? "";
  }

  function renderSteps() {
    for (const does of ["first", "back"]) buttons[does].setAttribute("aria-disabled", String(state.at === 0));
    for (const does of ["next", "last"]) buttons[does].setAttribute("aria-disabled", String(state.at === end));
    buttons.play.textContent = timer ? "Pause" : "Play";
    slide.value = state.at;
    slide.setAttribute("aria-valuetext", state.at === end ? "The settlement" : state.at ? `Trick ${state.at} of ${end - 1}` : "The deal");
    [...part.ticks.children].forEach((tick, at) => {
      tick.classList.toggle("rv-now", at === state.at);
      tick.classList.toggle("rv-paid", state.book.items.some((one) => one.at === at && one.paid.length));
    });
  }

  function render() {
    renderHands();
    renderTrick();
    if (part.said) renderSaid();
    renderSums();
    renderLedger();
    renderControls();
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
  }

  function play() {
    if (timer) { pause(); renderControls(); return; }
    timer = setInterval(() => go({ at: state.at + 1 }), Number(speed.value));
    go({ at: state.at === end ? 0 : state.at + 1 });
  }

  // ---- what a reader does ------------------------------------------------------------------------------------------

  const MOVES = { first: () => 0, back: () => state.at - 1, next: () => state.at + 1, last: () => end };
  const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  const stop = (move) => { pause(); go({ at: move() }); };

  /* Arrows, Home and End, wherever the focus is while the deal is in sight, but in a field that has use for them. */
  function key(event) {
    const move = MOVES[KEYS[event.key]];
    if (!move || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.("input, select, textarea, [contenteditable]")) return;
    const sight = stage.getBoundingClientRect();
    if (sight.top >= innerHeight || sight.bottom <= 0) return;
    event.preventDefault();
    stop(move);
  }

  function click(event) {
    const link = event.target.closest?.('a[href^="#"]');
    const found = link && !event.ctrlKey && !event.metaKey && !event.shiftKey && asked(link.getAttribute("href"));
    if (!found) return;
    event.preventDefault();
    pause();
    go(found);
    show();
  }

  /* The deal is the head of its page: it is brought into sight from there, and not moved where it is in sight. */
  function show() {
    const felt = (stage.querySelector(".rv-felt") ?? stage).getBoundingClientRect();
    const bar = document.querySelector(".rv-bar")?.getBoundingClientRect().bottom ?? 0;
    if (felt.top < bar || felt.bottom > innerHeight) scrollTo(0, 0);
  }

  function listenToControls() {
    for (const [does, move] of Object.entries(MOVES)) buttons[does].addEventListener("click", () => { if (buttons[does].getAttribute("aria-disabled") !== "true") stop(move); });
    buttons.play.addEventListener("click", play);
    speed.addEventListener("change", () => { if (timer) { pause(); play(); } });
    slide.addEventListener("input", () => { pause(); go({ at: Number(slide.value) }, true, true); });
    document.addEventListener("keydown", key);
  }

  if (slide) listenToControls();
  choices.forEach((input) => input.addEventListener("change", () => go({ book: named(input.value) })));
  part["ledger-box"].addEventListener("scroll", markRest, { passive: true });
  part["ledger-box"].addEventListener("toggle", markRest, true); // a citation is opened
  addEventListener("resize", markRest);
  against.addEventListener("change", () => go({ other: named(against.value) ?? null }));
  for (const one of all(document, "[id]")) if (ADDRESS.test(`#${one.id}`)) one.removeAttribute("id"); // the screen is the place now
  const arrived = follow();
  if (arrived) show(); else render();
  if (arrived) for (const moment of ["load", "pageshow"]) addEventListener(moment, show, { once: true });
  addEventListener("popstate", () => { pause(); if (follow()) show(); });
  document.addEventListener("click", click);
})();
