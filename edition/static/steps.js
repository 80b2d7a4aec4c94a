/* A worked deal, laid on a table and stepped through trick by trick.

   All that is shown here is read from the tables of the page, which say it to those without a script: the hands, the
   play, who takes each trick by each source, and the ledgers. Nothing is reckoned but running sums. The address names
   the trick and the source (#t3-PAM); an address with the trick alone (#t3) opens the source that was looked at last. */
"use strict";
(() => {
  const stage = document.querySelector(".rv-stage");
  const PICTURES = new URL("../cards/", document.currentScript.src);
  const KEY = "reversis-source";
  const ADDRESS = /^#t(\d+)(?:-(.+))?$/;
  const all = (where, what) => [...where.querySelectorAll(what)];
  const copies = (node) => (node ? [...node.cloneNode(true).childNodes] : []);

  /* An element with its class, what else is to be known of it, and what it holds. */
  function make(tag, cls = "", content = [], attributes = {}) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...[content].flat());
    return made;
  }

  // ---- what the page says ----------------------------------------------------------------------------------------

  const cardsIn = (node) => all(node, "[data-card]").map((one) => ({ name: one.dataset.card, words: one.title }));

  function readHands() {
    const rows = all(document, "table.rv-hands tbody tr");
    const held = rows.filter((row) => row.querySelector("[data-seat]"));
    return {
      seats: held.map((row) => row.querySelector("[data-seat]").dataset.seat),
      hands: held.map(cardsIn),
      talon: rows.filter((row) => !held.includes(row)).flatMap(cardsIn),
    };
  }

  function readTricks(seats) {
    return all(document, "table.rv-play tbody tr").map((row) => {
      const cells = [...row.cells].slice(1, 1 + seats.length);
      const plays = cells.map((cell, at) => ({ seat: seats[at], card: cardsIn(cell)[0], marks: marksOf(cell) }));
      const leader = Math.max(0, plays.findIndex((one) => one.marks.includes("leads")));
      const inOrder = [...plays.slice(leader), ...plays.slice(0, leader)];
      return inOrder.filter((one) => one.card);
    });
  }

  const marksOf = (cell) => all(cell, ".rv-play-mark").map((one) => one.textContent);

  function readSource(part) {
    const found = ["settled", "refused", "silent"].find((state) => part.classList.contains(`rv-${state}`));
    return {
      id: part.id,
      title: part.querySelector("h2").firstChild.textContent.trim(),
      state: found,
      part,
      takers: all(document, `table.rv-taken [data-taker][id$="-${part.id}"]`).map((one) => one.dataset),
      entries: all(part, "table.rv-entries tbody tr").map(readEntry),
      refusals: all(part, ".rv-refusal"),
    };
  }

  function readEntry(row) {
    const [when, what, pays, rests] = row.cells;
    const mark = when.querySelector("[data-entry]").dataset;
    const postings = all(pays, "[data-payer]").map((one) => ({ ...one.dataset, said: one.textContent }));
    return { name: mark.entry, when: mark.when, cells: { when, what, pays, rests }, postings };
  }

  // ---- what it comes to ------------------------------------------------------------------------------------------

  const { seats, hands, talon } = readHands();
  const tricks = readTricks(seats);
  const last = tricks.length;
  const sources = all(document, "section.rv-ledger").map(readSource);
  if (!sources.length || !seats.length) return;
  const named = (id) => sources.find((one) => one.id === id);
  const reached = (when, at) => when === "before" || (when === "after" ? at === last : Number(when) <= at);
  const shownOf = (source, at) => source.entries.filter((one) => reached(one.when, at));
  const signed = (number) => (number > 0 ? `+${number}` : String(number));
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const sums = (postings) => postings.map((one) => `${one.payer}>${one.payee}:${one.amount}`).sort().join(" ");

  /* Tricks, points and counters of a seat, or of the pool, when a trick has been played. */
  function standing(source, seat, at) {
    const own = source.takers.slice(0, at).filter((one) => one.taker === seat);
    const points = own.reduce((sum, one) => sum + Number(one.points), 0);
    let net = 0;
    for (const posting of shownOf(source, at).flatMap((one) => one.postings)) {
      if (posting.payee === seat) net += Number(posting.amount);
      if (posting.payer === seat) net -= Number(posting.amount);
    }
    return { tricks: own.length, points, net };
  }

  /* How a seat or the pool stands, in words; the sum comes last. */
  function standingWords(source, seat, at) {
    const { tricks: taken, points, net } = standing(source, seat, at);
    const sum = source.state === "settled" ? [signed(net)] : [];
    const pile = seat === "pool" || !source.takers.length ? [] : [count(taken, "trick"), count(points, "point")];
    return [...pile, ...sum];
  }

  // ---- the state, and its address --------------------------------------------------------------------------------

  const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const remember = (id) => { try { localStorage.setItem(KEY, id); } catch { /* a reader may forbid it */ } };
  const settledOnes = sources.filter((one) => one.state === "settled");
  const first = [remembered(), stage.dataset.source].map(named).find((one) => settledOnes.includes(one));
  const state = { at: 0, source: first ?? settledOnes[0] ?? sources[0], against: null, alone: false };
  const addressOf = (at, source) => `#t${at}-${source.id}`;

  /* What an address asks for; nothing where it is an address of something else. */
  function asked(hash) {
    const [, at, id] = ADDRESS.exec(hash) ?? [];
    if (at === undefined || Number(at) > last || (id && !named(id))) return null;
    return { at: Number(at), source: id ? named(id) : state.source };
  }

  function go(change, push = true) {
    Object.assign(state, change);
    state.at = Math.min(last, Math.max(0, state.at));
    if (state.against === state.source) state.against = null;
    const address = addressOf(state.at, state.source);
    if (push && location.hash !== address) history.pushState(null, "", address);
    if (push) remember(state.source.id); // what a reader chose, not what he came to see
    render();
  }

  function follow() {
    const found = asked(location.hash);
    if (found || !location.hash) go(found ?? { at: 0 }, false);
    return Boolean(found);
  }

  // ---- the table -------------------------------------------------------------------------------------------------

  const PLACES = {
    4: ["bottom", "right", "top", "left"],
    5: ["bottom", "right", "top-right", "top-left", "left"],
  };
  const placeOf = (seat) => (PLACES[seats.length] ?? PLACES[4])[seats.indexOf(seat)] ?? "bottom";

  /* Each card is one element, which moves from the hand to the table. */
  const faces = new Map();
  function face(card) {
    if (!faces.has(card.name)) {
      const [rank, suit] = [card.name.slice(0, -1), card.name.slice(-1)];
      const sign = { S: "♠", H: "♥", D: "♦", C: "♣" }[suit] + "\ufe0e";
      const image = make("img", "", [], { src: new URL(`${card.name}.svg`, PICTURES), alt: card.words, width: 79, height: 123 });
      const corner = make("span", `rv-corner rv-corner-${"HD".includes(suit) ? "red" : "black"}`, [
        make("b", "", rank === "T" ? "10" : rank), sign,
      ], { "aria-hidden": "true" });
      faces.set(card.name, make("span", "rv-face", [image, corner]));
    }
    return faces.get(card.name);
  }

  const fan = (held, label) => make("ul", "rv-fan", held.map((card) => make("li", "", face(card))), { "aria-label": label });
  const tag = (words, cls = "") => make("span", `rv-badge ${cls}`, words);

  function seatBox(seat, held) {
    const trick = tricks[state.at - 1] ?? [];
    const taker = state.source.takers[state.at - 1]?.taker;
    const { tricks: taken } = standing(state.source, seat, state.at);
    return make("div", `rv-seatbox rv-at-${placeOf(seat)}`, [
      make("p", "rv-seat-head", [
        make("strong", "rv-seat-name", seat),
        ...(seat === stage.dataset.dealer ? [" ", tag("dealer")] : []),
        ...(trick[0]?.seat === seat ? [" ", tag("leads")] : []),
        ...(taker === seat ? [" ", tag("takes", "rv-good")] : []),
      ]),
      tally(seat),
      make("span", "rv-pile", Array.from({ length: taken }, () => make("i")), { "aria-hidden": "true" }),
      ...(held.length ? [fan(held, `Hand of ${seat}`)] : []),
    ], { role: "group", "aria-label": seat });
  }

  const comparable = () => state.against?.state === "settled" && state.source.state === "settled";

  /* How a seat stands, and how it would stand by the source compared, where that differs. */
  function tally(seat) {
    const own = standingWords(state.source, seat, state.at);
    const theirs = comparable() ? standingWords(state.against, seat, state.at) : own;
    const other = theirs.slice(0, -1).join() === own.slice(0, -1).join() ? theirs.slice(-1) : theirs;
    const differs = theirs.join() === own.join() ? [] : [" ", make("span", "rv-differs", `≠ ${state.against.id}: ${other.join(", ")}`)];
    const sum = state.source.state === "settled" ? [make("b", "rv-sum", own.pop())] : [];
    return make("p", "rv-tally", [own.join(", "), own.length && sum.length ? ", " : "", ...sum, ...differs]);
  }

  function onTable() {
    const trick = tricks[state.at - 1];
    if (!trick) return make("p", "rv-trick-none", last ? `${stage.dataset.dealer} has dealt; ${tricks[0][0].seat} will lead.` : "No card is led.");
    const taker = state.source.takers[state.at - 1]?.taker;
    const forbidden = refusalsAt((when) => when === String(state.at)).map((one) => one.dataset.of);
    const lies = trick.map(({ seat, card, marks }, at) => make("li", `rv-at-${placeOf(seat)}${seat === taker ? " rv-taking" : ""}`, [
      face(card),
      make("span", "rv-by", [
        make("strong", "", seat),
        [at ? "" : " leads", seat === taker ? " takes" : ""].filter(Boolean).join(","),
        ...marks.filter((one) => !["leads", "takes"].includes(one)).map((one) => make("em", "", one)),
        ...(forbidden.includes(card.name) ? [make("em", "rv-forbidden", `not allowed by ${state.source.id}`)] : []),
      ]),
    ]));
    return make("ol", `rv-trick rv-trick-${seats.length}`, lies, { "aria-label": `Trick ${state.at}` });
  }

  function board() {
    const played = new Set(tricks.slice(0, state.at).flat().map((one) => one.card.name));
    const boxes = seats.map((seat, at) => seatBox(seat, hands[at].filter((card) => !played.has(card.name))));
    const pool = make("div", "", [make("p", "rv-seat-head", make("strong", "rv-seat-name", "pool")), tally("pool")]);
    const lies = make("div", "", [make("p", "rv-seat-head", "the talon"), fan(talon, "The talon")]);
    const aside = make("div", "rv-aside", [pool, ...(talon.length ? [lies] : [])], { role: "group", "aria-label": "Pool and talon" });
    return [make("div", "rv-middle", onTable()), ...boxes, aside];
  }

  // ---- the ledger beside it --------------------------------------------------------------------------------------

  const refusalsAt = (test) => state.source.refusals.filter((one) => test(one.dataset.when));

  function item(entry, more = [], cls = "") {
    const fresh = entry.when === String(state.at) || (entry.when === "after" && state.at === last);
    return make("li", `rv-item${fresh ? " rv-fresh" : ""} ${cls}`, [
      ...(fresh ? [tag("new")] : []),
      ...more.filter((one) => one.tagName === "STRONG"),
      make("div", "rv-item-what", copies(entry.cells.what)),
      make("div", "rv-item-pays", copies(entry.cells.pays)),
      make("div", "rv-item-rests", copies(entry.cells.rests)),
      ...more.filter((one) => one.tagName !== "STRONG"),
    ]);
  }

  /* An entry of the source shown, with what the source compared makes of it. */
  function compared(entry) {
    const other = comparable() && state.against;
    const twin = other && other.entries.find((one) => one.name === entry.name);
    const theirs = twin?.postings ?? [];
    if (!other || sums(theirs) === sums(entry.postings)) return item(entry);
    const said = theirs.map((one) => one.said).join("; ") || (twin ? "nobody pays" : "nothing of the kind is paid");
    return item(entry, [make("p", "rv-differs", `≠ ${other.id}: ${said}.`)], "rv-differing");
  }

  /* What the source compared pays, and the source shown knows nothing of. */
  function missing() {
    if (!comparable()) return [];
    const own = new Set(state.source.entries.map((one) => one.name));
    const found = shownOf(state.against, state.at).filter((one) => one.postings.length && !own.has(one.name));
    return found.map((one) => item(one, [make("strong", "rv-differs", `≠ Only by ${state.against.id}:`)], "rv-differing rv-elsewhere"));
  }

  function ledger() {
    const { source } = state;
    const caption = source.part.querySelector("table.rv-entries .caption-text")?.textContent ?? `The ledger by ${source.id}`;
    const parts = [make("h3", "", caption), make("p", "rv-small", [source.title.replace(/^.*?: /, ""), ". ", ...ways(source)])];
    if (state.against && source.state === "settled") parts.push(comparison());
    parts.push(...({ settled: settledPart, refused: refusedPart, silent: silentPart })[source.state]());
    return parts;
  }

  /* The ways to the whole ledger, to its reasons, and to what is not paid. */
  function ways(source) {
    const found = [["clauses", "what its clauses say"], ["why-not", "what is not paid, and why"]]
      .map(([what, words]) => [`${source.id}-${what}`, words]).filter(([id]) => document.getElementById(id));
    return [[source.id, "The whole ledger"], ...found].flatMap(([id, words], at) => [at ? " · " : "", make("a", "", words, { href: `#${id}` })]);
  }

  function comparison() {
    const words = {
      settled: `What differs by ${state.against.id} is marked with ≠; sums are compared counter for counter, whatever a counter is called.`,
      refused: `By ${state.against.id} the deal cannot be played so, so there are no sums to compare.`,
      silent: `${state.against.id} is silent on something in this deal, so there are no sums to compare.`,
    };
    return make("p", "rv-small", words[state.against.state]);
  }

  function settledPart() {
    const own = shownOf(state.source, state.at).map(compared);
    const items = [...own, ...missing()];
    const closing = state.at === last ? copies(state.source.part.querySelector("dl.rv-facts")) : [];
    return [
      items.length ? make("ol", "rv-items", items) : make("p", "rv-item-none", state.at === last ? "Nothing is paid." : "Nothing has been paid yet."),
      ...(closing.length ? [make("dl", "rv-facts rv-closing", closing)] : []),
    ];
  }

  function refusedPart() {
    const known = refusalsAt((when) => reached(when, state.at));
    const later = state.source.refusals.length - known.length;
    const items = known.map((one) => make("li", `rv-item${one.dataset.when === String(state.at) ? " rv-fresh" : ""}`, copies(one)));
    return [
      make("p", "rv-refusing", [tag("refused", "rv-refused"), " By this source the deal cannot be played so."]),
      ...(items.length ? [make("ul", "rv-items", items)] : []),
      ...(later ? [make("p", "rv-small", `Further on it forbids ${count(later, items.length ? "more play" : "play")}.`)] : []),
    ];
  }

  function silentPart() {
    const said = state.source.part.querySelector("p:not(.rv-expected)");
    return [make("p", "rv-refusing", [tag("silent", "rv-silent"), " ", ...copies(said)])];
  }

  // ---- what is told, for the eye and the ear -----------------------------------------------------------------------

  function told() {
    const trick = tricks[state.at - 1];
    if (!trick) return last ? `Before the first card. ${count(last, "trick")} will be played.` : "No card is led.";
    const cards = trick.map((one, at) => `${one.seat} ${at ? "plays" : "leads"} the ${one.card.words}`).join(", ");
    const found = state.source.takers[state.at - 1];
    const taker = found ? `${found.taker} takes it, ${count(Number(found.points), "point")}` : `who takes it ${state.source.id} does not say`;
    const fresh = state.source.entries.filter((one) => one.when === String(state.at) || (state.at === last && one.when === "after"));
    const paid = fresh.filter((one) => one.postings.length).length;
    const barred = refusalsAt((when) => when === String(state.at)).length;
    const more = barred ? ` ${state.source.id} forbids it.` : paid ? ` ${count(paid, "new line")} in the ledger of ${state.source.id}.` : "";
    return `Trick ${state.at} of ${last}: ${cards}; ${taker}.${more}`;
  }

  // ---- the controls, made once -----------------------------------------------------------------------------------

  function icon(drawn) {
    const name = "http://www.w3.org/2000/svg";
    const [made, path] = [document.createElementNS(name, "svg"), document.createElementNS(name, "path")];
    for (const [key, value] of Object.entries({ viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" })) made.setAttribute(key, value);
    path.setAttribute("d", drawn);
    path.setAttribute("fill", "currentColor");
    made.append(path);
    return made;
  }
  const button = (drawn, label, move) => {
    const made = make("button", "rv-button", icon(drawn), { type: "button", "aria-label": label, title: label });
    made.addEventListener("click", () => { if (made.getAttribute("aria-disabled") !== "true") go({ at: move() }); });
    return made;
  };
  const buttons = {
    start: button("M3 3h3v14H3zM17 3v14L7 10z", "To the start", () => 0),
    back: button("M15 3v14L5 10z", "Trick before", () => state.at - 1),
    on: button("M5 3v14l10-7z", "Next trick", () => state.at + 1),
    end: button("M14 3h3v14h-3zM3 3v14l10-7z", "To the last trick", () => last),
  };
  const where = make("span", "rv-where");
  const words = make("p", "rv-told", [], { "aria-live": "polite" });
  const strip = make("ol", "rv-strip-tricks", [], { "aria-label": "Tricks" });
  const space = make("div", `rv-board rv-board-${seats.length}`);
  const beside = make("div", "rv-beside");

  /* What a newly chosen source is held against: what it was before, or else the source that was left; unless none is wished. */
  function rival(source) {
    const found = [state.against, state.source].find((one) => one && one !== source && one.state === "settled");
    return state.alone ? null : found ?? null;
  }

  function chooser() {
    const choices = sources.map((source) => {
      const input = make("input", "", [], { type: "radio", name: "rv-source", value: source.id });
      input.addEventListener("change", () => go({ source, against: rival(source) }));
      const note = source.state === "settled" ? [] : [" ", make("span", "rv-small", source.state === "refused" ? "(refuses)" : "(silent)")];
      return make("label", "", [input, " ", source.id, ...note], { title: source.title });
    });
    return make("fieldset", "rv-switch rv-sources", [make("legend", "", "By the rules of"), ...choices, comparing()]);
  }

  function comparing() {
    const select = make("select", "", [
      make("option", "", "no other source", { value: "" }),
      ...sources.map((one) => make("option", "", one.id, { value: one.id })),
    ]);
    select.addEventListener("change", () => go({ against: named(select.value) ?? null, alone: !select.value }));
    return make("label", "rv-comparing", ["marking what differs from ", select]);
  }

  function renderControls(fieldset) {
    for (const input of all(fieldset, "input")) input.checked = input.value === state.source.id;
    const select = fieldset.querySelector("select");
    for (const option of select.options) option.hidden = option.disabled = option.value === state.source.id;
    select.value = state.against?.id ?? "";
    for (const [name, made] of Object.entries(buttons)) {
      const stuck = ["start", "back"].includes(name) ? state.at === 0 : state.at === last;
      made.setAttribute("aria-disabled", String(stuck));
    }
    where.textContent = state.at ? `Trick ${state.at} of ${last}` : "Before the play";
    strip.replaceChildren(...Array.from({ length: last + 1 }, (_, at) => stepLink(at)));
  }

  /* An address for every trick, with a dot where something is paid. */
  function stepLink(at) {
    const pays = at > 0 && state.source.entries.some((one) => one.postings.length && (one.when === String(at) || (at === last && one.when === "after")));
    const link = make("a", pays ? "rv-pays" : "", at ? String(at) : "deal", {
      href: addressOf(at, state.source), ...(at === state.at ? { "aria-current": "step" } : {}),
      "aria-label": at ? `Trick ${at}${pays ? ", with payments" : ""}` : "The deal, before the play",
    });
    return make("li", "", link);
  }

  const fieldset = chooser();

  function render() {
    const focused = strip.contains(document.activeElement);
    renderControls(fieldset);
    if (focused) strip.querySelector("[aria-current]").focus();
    const sentence = told();
    if (words.textContent !== sentence) words.textContent = sentence;
    space.replaceChildren(...board());
    beside.replaceChildren(...ledger());
  }

  // ---- what a reader does ----------------------------------------------------------------------------------------

  const MOVES = { ArrowLeft: () => state.at - 1, ArrowRight: () => state.at + 1, Home: () => 0, End: () => last };

  /* Arrows, Home and End: within the deal always, elsewhere only the arrows, while it is in sight and nothing else has the keys. */
  function key(event) {
    const move = MOVES[event.key];
    if (!move || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.("input, select, textarea, [contenteditable]")) return;
    const inside = stage.contains(event.target);
    const sight = stage.getBoundingClientRect();
    const idle = event.target === document.body && event.key.startsWith("Arrow") && sight.top < innerHeight && sight.bottom > 0;
    if (!inside && !idle) return;
    event.preventDefault();
    go({ at: move() });
  }

  /* An address on this page: a trick is gone to here, and what is folded up opens. */
  function click(event) {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const hash = link.getAttribute("href");
    const found = asked(hash);
    if (found && last) {
      event.preventDefault();
      const home = named(link.closest("section.rv-ledger")?.id);
      go({ ...found, source: ADDRESS.exec(hash)[2] ? found.source : home ?? found.source });
      if (!stage.contains(link)) stage.scrollIntoView();
    } else {
      document.getElementById(hash.slice(1))?.querySelector(":scope > details")?.setAttribute("open", "");
    }
  }

  stage.append(
    make("h2", "", "Trick by trick", { id: "steps" }),
    fieldset,
    make("div", "rv-controls", [buttons.start, buttons.back, where, buttons.on, buttons.end]),
    strip,
    words,
    make("div", "rv-play-space", [space, beside]),
  );
  stage.setAttribute("role", "region");
  stage.setAttribute("aria-labelledby", "steps");
  stage.hidden = false;
  const arrived = follow();
  if (!arrived) render();
  if (arrived) for (const moment of ["load", "pageshow"]) addEventListener(moment, () => stage.scrollIntoView(), { once: true });
  addEventListener("popstate", follow);
  document.addEventListener("keydown", key);
  document.addEventListener("click", click);
})();
