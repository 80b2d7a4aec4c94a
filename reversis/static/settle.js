/* Settle your own deal: the reader changes cards, and every ticked book settles the deal at once.

   The record is the one thing that is kept; cards, fields and text are views of it. Each change asks the engine
   (settle-engine.js); only the answer to the last request is shown. */
"use strict";
(() => {
  const stage = document.querySelector(".rv-settle");
  if (!stage) return;
  const ROOT = new URL("../", document.currentScript.src);
  const PLAY = new URL("play/", ROOT);
  const { make, spoken } = globalThis.playingCards;
  const { records, engine, face, para, details, capital, sign, makeLinks, totals, summary, payments, dataPart, makeForm, makeButton, makeOption } = globalThis.reversis;
  const { isTable, list, wordsOf, card, sorted } = records;
  const BOOKS = JSON.parse(stage.dataset.books);
  const START = JSON.parse(stage.dataset.record);
  const all = (where, what) => [...where.querySelectorAll(what)];

  const state = {
    record: START, opened: START, before: "", sources: BOOKS.map(({ id }) => id), shown: BOOKS[0]?.id ?? "", wishes: [],
    chosen: null, pointed: "", next: null, led: null, undo: [], arrange: false, problems: [], answer: null, places: null, choices: null, readings: null, turn: 0,
    size: 11, // places of a hand, while it is being dealt
  };
  const seats = () => list(state.record.seats).map(String);
  const hand = (seat) => wordsOf(isTable(state.record.hands) ? state.record.hands[seat] : "");
  const tricks = () => list(state.record.tricks).map(wordsOf);

  // ---- changes of the record -------------------------------------------------------------------------------------

  const deal = {
    record: () => state.record,
    put: (key, value) => { state.record = { ...state.record, [key]: value }; },
    drop: (key) => { const { [key]: gone, ...kept } = state.record; state.record = kept; },
    say,
    replaceRecord: (record) => { state.record = record; },
    edit,
    get choices() { return state.choices; },
    get readings() { return state.readings; },
    async fetchReadings() { state.readings ??= (await fetchData("readings.json")) ?? { readings: [], questions: [] }; return state.readings; },
    get wishes() { return state.wishes; },
    changeWishes: (wishes) => { state.wishes = wishes; settleSoon(); },
  };
  const form = makeForm(deal);

  /* A change by the reader; the state before can be had again. `arrange`: tricks are to be led by whoever leads them. */
  function edit(change, node = null, arrange = false) {
    const before = remember(node), written = JSON.stringify(state.record), built = form.shape();
    change();
    if (JSON.stringify(state.record) === written) return;
    if (!node || state.undo.at(-1)?.node !== node) state.undo.push(before);
    state.arrange = arrange;
    rename();
    show(form.shape() !== built);
    settleSoon(node ? 250 : 0);
  }
  const remember = (node = null) => ({ record: state.record, opened: state.opened, before: state.before, node });

  /* A changed deal is no longer the one that was opened: it has a name of its own, and neither its note nor its source. */
  function rename() {
    const { opened, record } = state;
    if (record.deal !== opened.deal || opened.deal === "my-deal" || JSON.stringify(record) === JSON.stringify(opened)) return;
    const { cites, note, expect, ...kept } = record;
    state.record = { ...kept, deal: `${opened.deal}-changed`, title: opened.title ? `${opened.title}, changed` : "", provenance: "constructed" };
  }

  /* Another deal takes the place of the one that is shown. `before`: an example deal to mark changes against. */
  function open(record, words, before = "") {
    state.undo.push(remember());
    Object.assign(state, { record, opened: record, before, arrange: false, chosen: null, pointed: "", next: null, led: null });
    show(true);
    say(words);
    settleSoon();
  }

  function undo() {
    const last = state.undo.pop();
    if (!last) return say("There is nothing to undo.");
    const { node, ...was } = last;
    Object.assign(state, was, { arrange: false, chosen: null, pointed: "", next: null, led: null });
    show(true);
    say("Undone.");
    settleSoon();
  }

  // ---- the cards -------------------------------------------------------------------------------------------------

  const board = make("div", "rv-board", [], { role: "group", "aria-label": "The cards, in the order in which they are played; arrow keys go from card to card", "data-way": "hands" });
  const aside = make("div", "rv-side-cards");
  const notes = make("ul", "rv-board-notes");
  const notice = make("p", "rv-notice", [], { role: "status" });
  const replayPart = make("div", "rv-replay");

  /* Cards of each player by trick, then those not played; free places last. */
  function layOut() {
    const rows = Object.fromEntries(seats().map((seat) => [seat, []]));
    const holder = Object.fromEntries(seats().flatMap((seat) => hand(seat).map((word) => [card(word), seat])));
    const played = new Set(), strays = [];
    tricks().forEach((row, at) => row.forEach((word, place) => {
      const name = card(word), seat = holder[name];
      if (!seat || rows[seat][at] || played.has(name)) return strays.push({ word, trick: at });
      played.add(name);
      rows[seat][at] = { name, trick: at, leads: place === 0 };
    }));
    for (const seat of seats()) {
      const rest = hand(seat).map(card).filter((name) => name && !played.has(name));
      for (let at = tricks().length; rest.length; at += 1) rows[seat][at] = { name: rest.shift() };
    }
    const most = Math.max(...seats().map((seat) => Math.max(rows[seat].length, hand(seat).length)), tricks().length);
    const dealt = isTable(state.record.hands) && !records.undealt(state.record).length;
    if (dealt) state.size = most;
    return { rows, strays, size: (dealt ? most : Math.max(most, state.size)) || 1 };
  }

  const shownLedger = () => state.answer?.ledgers.find((one) => one.source === state.shown) ?? state.answer?.ledgers[0];

  function showBoard() {
    const focused = document.activeElement?.dataset?.place;
    const { rows, strays, size } = layOut();
    const ledger = shownLedger(), takers = ledger?.takers ?? [];
    const refused = new Set((ledger?.refusals ?? []).map((one) => card(one.card ?? "")));
    const numbers = Array.from({ length: size }, (_, at) => make("span", "rv-number", String(at + 1), { "data-way": `tricks/${at}` }));
    const next = isTable(state.record.hands) && records.undealt(state.record).length ? nextPlace() : null;
    const hands = seats().map((seat) => {
      const places = Array.from({ length: size }, (_, at) => {
        const one = rows[seat][at];
        return one ? cardButton(one.name, `${capital(seat)}, ${one.trick === undefined ? "not played" : `trick ${at + 1}`}`, [one.leads && "rv-leads", one.trick !== undefined && takers[at] === seat && "rv-takes", one.trick === undefined && "rv-held", one.name === state.pointed && "rv-pointed", refused.has(one.name) && "rv-not-legal"]) : freePlace(seat, `${capital(seat)}’s hand`, at, seat === next && at === count(seat));
      });
      return make("div", "rv-seat", [make("div", "rv-seat-name", [capital(seat), ...(state.record.dealer === seat ? [make("small", "", " deals")] : [])]), ...places], { "data-way": `hands/${seat}`, role: "group", "aria-label": capital(seat) });
    });
    board.replaceChildren(make("div", "rv-seat rv-numbers-row", [make("span", "rv-number-name", "Trick"), ...numbers], { "data-way": "tricks" }), ...hands);
    board.classList.toggle("rv-long", size > 11);
    showSideCards(strays);
    rove(focused);
    if (focused) all(stage, "[data-place]").find((one) => one.dataset.place === focused)?.focus({ preventScroll: true });
  }

  /* One stop of the tab key for all cards; arrow keys go from there to the nearest in their direction. */
  function rove(place) {
    const places = all(stage, "[data-place]"), at = places.find((one) => one.dataset.place === place) ?? places[0];
    for (const one of places) one.tabIndex = one === at ? 0 : -1;
  }
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function moveFocus(event) {
    const [across, down] = ARROWS[event.key] ?? [], from = event.target.closest?.("[data-place]");
    if (across === undefined || !from || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const middle = (node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(from);
    const found = all(stage, "[data-place]").filter((one) => one !== from && one.checkVisibility()).map((node) => {
      const [dx, dy] = middle(node).map((value, axis) => value - [x, y][axis]);
      return { node, ahead: dx * across + dy * down, aside: Math.abs(dx * down) + Math.abs(dy * across) };
    }).filter(({ ahead, aside }) => ahead > 5 && aside < 3 * ahead);
    found.sort((one, other) => one.ahead + 4 * one.aside - other.ahead - 4 * other.aside);
    found[0]?.node.focus();
  }

  function cardButton(name, where, marks = []) {
    const classes = ["rv-place", ...marks.filter(Boolean)].join(" ");
    const illegal = marks.includes("rv-not-legal");
    const heard = [where, illegal && "not legal here", marks.includes("rv-leads") && "leads", marks.includes("rv-takes") && "takes the trick", marks.includes("rv-pointed") && "the card in question"].filter(Boolean).join(", ");
    return makeButton([face(name), make("span", "rv-unseen", `, ${heard}`), ...(illegal ? [make("span", "rv-illegal", "illegal", { "aria-hidden": "true" })] : [])], () => choose({ name }), classes, { "data-card": name, "data-place": name, "aria-pressed": String(state.chosen === name) });
  }
  const freePlace = (to, words, at, next = false) => makeButton(make("span", "rv-unseen", `free place, ${words}${next ? ", next" : ""}`), () => choose({ to }), `rv-place rv-free ${next ? "rv-next" : ""}`, { "data-place": `${to} ${at}` });

  function showSideCards(strays) {
    const talon = wordsOf(state.record.talon), left = isTable(state.record.hands) ? records.undealt(state.record) : [];
    const rest = Math.max(0, Number(state.record.pack) - seats().length * layOut().size - talon.length) || 0;
    const talonPlaces = [...talon.map((word) => (card(word) ? cardButton(card(word), "talon") : make("span", "rv-stray", word))), ...Array.from({ length: Math.min(rest, 8) }, (_, at) => freePlace("talon", "talon", at))];
    const exchanges = list(state.record.exchange).filter((one) => isTable(one) && !one.gives);
    const exchangers = (taking) => exchanges.filter((one) => Boolean(one.in) === taking).map((one) => capital(String(one.seat ?? "?"))).join(", ");
    const said = [["Exchanged a card: ", exchangers(true)], ["Only discarded: ", exchangers(false)]].filter(([, who]) => who).map(([words, who]) => `${words}${who}.`);
    aside.replaceChildren(
      make("div", "rv-talon", [make("div", "rv-seat-name", "Talon"), ...talonPlaces, para([...said, "▸ leads, framed: takes the trick."].join(" "), "rv-legend")], { "data-way": "talon" }),
      ...(left.length ? [undealtPart(left)] : []),
      ...(strays.length ? [para(`Played, but held by nobody: ${strays.map(({ word, trick }) => `${word} (trick ${trick + 1})`).join(", ")}`, "rv-problem")] : []),
    );
  }

  /* A card is chosen, and then another card or a free place: they change places, in the hands and in the play. */
  function choose({ name, to }) {
    const first = state.chosen;
    if (!first && !name) return chooseNext(to);
    if (!first && nextPlace() && records.undealt(state.record).includes(name)) return fillNext(name);
    if (!first || first === name) {
      state.chosen = first || !name ? null : name;
      showChosen();
      return say(state.chosen ? `${capital(spoken(name))}: now choose the card or place to swap it with.` : "No card is chosen.");
    }
    state.chosen = null;
    edit(() => { state.record = name ? records.swap(state.record, first, name) : records.move(state.record, first, to); }, null, true);
    showChosen();
    say(name ? `${capital(spoken(first))} and ${spoken(name)} swapped.` : `${capital(spoken(first))} moved.`);
  }

  // ---- dealing: a card that is tapped fills the next free place, column by column

  const count = (seat) => hand(seat).length;
  const shortest = () => Math.min(...seats().map(count));

  /* The player who gets the next card: whoever the reader has chosen, or else the first with the fewest. */
  function nextPlace() {
    if (!isTable(state.record.hands)) return null;
    const open = seats().filter((seat) => count(seat) < layOut().size);
    return open.includes(state.next) ? state.next : open.find((seat) => count(seat) === shortest()) ?? null;
  }
  function chooseNext(to) {
    state.next = to;
    showBoard();
    say(to === "talon" ? "Choose a card first, then its place in the talon." : `The next card goes to ${capital(to)}.`);
  }
  function fillNext(name) {
    const seat = nextPlace(), at = count(seat);
    if (state.led?.at !== shortest() || seats().every((one) => count(one) <= at)) state.led = { at, suit: name[1] };
    edit(() => {
      state.record = records.move(state.record, name, seat);
      state.next = null;
      if (!nextPlace()) for (const rest of records.undealt(state.record)) state.record = records.move(state.record, rest, "talon");
    });
    const next = nextPlace();
    say(`${capital(spoken(name))} to ${capital(seat)}. ${next ? `Next: ${capital(next)}.` : "All hands are full; the other cards are the talon."}`);
    stage.querySelector(".rv-undealt .rv-place")?.focus({ preventScroll: true });
  }

  /* Cards that are not dealt; while a trick is begun, those of its suit first. */
  function undealtPart(left) {
    const suit = state.led?.at === shortest() && seats().some((seat) => count(seat) > state.led.at) ? state.led.suit : "";
    const buttons = (some) => some.map((name) => cardButton(name, "not dealt"));
    const following = left.filter((name) => name[1] === suit), others = left.filter((name) => name[1] !== suit);
    return make("div", "rv-undealt", [
      make("div", "rv-seat-name", `Not dealt: ${left.length}`),
      ...(following.length ? [...buttons(following), details("Other suits", make("div", "rv-undealt", buttons(others)))] : buttons(left)),
    ]);
  }

  function showChosen() {
    for (const one of all(stage, ".rv-place[data-card]")) one.setAttribute("aria-pressed", String(one.dataset.card === state.chosen));
  }

  /* Cards that are dealt but not played, or a play that is to change: play the rest at random. */
  function showReplay() {
    const count = tricks().length, size = Math.max(layOut().size, 1);
    const wanted = unplayed() ? count + 1 : Number(replayPart.querySelector("select")?.value ?? 1);
    const from = make("select", "", Array.from({ length: Math.min(count + 1, size) }, (_, at) => makeOption([String(at + 1), String(at + 1)])), { "aria-label": "from trick" });
    from.value = String(Math.min(wanted, from.options.length));
    replayPart.replaceChildren(
      make("span", "", "Play the rest at random from trick"), from, makeButton("Play", () => replay(Number(from.value))),
      ...(unplayed() ? [makeButton("Play in this order", playInOrder)] : []),
      makeButton("Play on from here, at the table", () => playOn(Number(from.value))),
    );
    replayPart.hidden = engine.onDisk || (isTable(state.record.hands) && records.undealt(state.record).length > 0);
  }
  /* The deal as far as it is played before a trick goes on at the table, by the first ticked book. */
  async function playOn(from) {
    const { faults, claims, expect, ...record } = state.record;
    const begun = { ...record, tricks: list(record.tricks).slice(0, from - 1), fragment: true };
    const sources = state.sources.slice(0, 1);
    location.assign(new URL(`play.html${await records.link({ record: begun, sources, wishes: state.wishes })}`, ROOT));
  }
  const unplayed = () => hand(seats()[0] ?? "").length > tricks().length && !state.record.fragment && !records.undealt(state.record).length;

  /* Every column of cards that are not played becomes a trick; who leads it is arranged by the engine. */
  function playInOrder() {
    const { rows, size } = layOut();
    const columns = Array.from({ length: size }, (_, at) => seats().map((seat) => rows[seat][at]?.name ?? "").filter(Boolean).join(" "));
    edit(() => deal.put("tricks", [...list(state.record.tricks), ...columns.slice(tricks().length)]), null, true);
  }

  // ---- settling --------------------------------------------------------------------------------------------------

  const status = make("p", "rv-status-line", [], { role: "status" });
  const sums = make("div", "rv-sums-part");
  const ledgerPart = make("div", "rv-ledger-part");
  let timer = 0;

  /* Whatever answer is on its way is of the deal before. */
  function turnOver() {
    state.turn += 1;
    performance.mark("reversis:changed", { detail: state.turn });
  }

  function settleSoon(delay = 0) {
    turnOver();
    clearTimeout(timer);
    timer = setTimeout(settle, delay);
  }

  async function settle() {
    turnOver();
    const turn = state.turn, left = isTable(state.record.hands) ? records.undealt(state.record).length : 0;
    state.problems = [];
    if (!state.sources.length) return showAnswer(null, "Tick at least one book.");
    if (left && state.opened.deal === "my-deal") return showAnswer(null, `Deal the other ${left} cards: each one that you choose fills the next free place. Or choose Random deal.`);
    if (unplayed() && !tricks().length) return showAnswer(null, "The cards are dealt but not played: choose Play in this order below them, or Play at random.");
    const stored = engine.ready ? null : await findStoredAnswer();
    if (turn !== state.turn) return;
    if (!engine.ready) showAnswer(stored, stored ? summary(stored.ledgers) : waitingWords());
    if (engine.onDisk || engine.held) return;
    try {
      const answer = await engine.ask({ do: "run", record: records.write(state.record), sources: state.sources, wishes: state.wishes, name: `${fileName()}.json`, before: state.before, arrange: state.arrange });
      if (turn !== state.turn) return;
      if (answer.wrong) return showAnswer(null, answer.wrong, true);
      if (answer.problems) return showProblems(answer.problems);
      if (answer.tricks) { deal.put("tricks", answer.tricks); form.sync(); }
      showAnswer(answer, summary(answer.ledgers));
      performance.mark("reversis:settled", { detail: turn });
    } catch (fault) {
      if (turn === state.turn) showAnswer(stored, `${fault.message} Change a card to try again.`, true);
    }
  }
  const waitingWords = () => (engine.onDisk || engine.ready ? "" : engine.held ? "You save data: the engine (15 MB) starts when you touch a card or press a key." : "Starting Python (15 MB the first time) …");

  /* The engine's answer on a deal that the page opened, as the edition was built; nothing where anything is changed. */
  async function findStoredAnswer() {
    const id = String(state.record.deal), written = JSON.stringify(state.record);
    const known = [START, globalThis.reversis.exampleDeals?.[id]].some((record) => record && JSON.stringify(record) === written);
    if (!known || state.wishes.length) return null;
    if (!globalThis.reversis.storedResults?.[id]) await loadScript(`results/${id}.js`);
    const stored = globalThis.reversis.storedResults?.[id];
    if (!stored) return null;
    const expand = ({ rulings, clauses, ...ledger }) => ({ ...ledger, clauses: clauses.map((one) => ({ short: one.words, ...one })), entries: ledger.entries.map((entry) => ({ ...entry, rulings: entry.rulings.map((at) => rulings[at]) })) });
    return { ledgers: stored.filter(({ source }) => state.sources.includes(source)).map(expand) };
  }
  function loadScript(name) {
    const script = make("script", "", [], { src: new URL(name, PLAY).href });
    return new Promise((resolve) => { script.onload = script.onerror = resolve; document.head.append(script); });
  }
  engine.onwake = () => settleSoon();

  function showStatus(words, bad = false) {
    status.className = `rv-status-line ${bad ? "rv-problem" : ""}`;
    if (status.textContent !== words) status.textContent = words;
  }

  function showAnswer(answer, words, bad = false) {
    state.answer = answer;
    showStatus(words, bad);
    showBoard();
    showReplay();
    showResult();
  }

  function showResult() {
    const ledgers = new Map((state.answer?.ledgers ?? []).map((one) => [one.source, one]));
    const books = BOOKS.filter(({ id }) => state.sources.includes(id));
    if (!state.sources.includes(state.shown)) state.shown = state.sources[0] ?? "";
    sums.replaceChildren(totals(books, ledgers, seats(), state.shown, (id) => { showBook(id); sums.querySelector(`[data-book="${id}"] button`).focus({ preventScroll: true }); }));
    const ledger = ledgers.get(state.shown);
    const links = makeLinks(state.places ?? {}, ROOT);
    const ways = { replay: (trick) => makeButton(`Play on at random from trick ${trick}`, () => replay(trick)), revoke: (one) => makeButton("Record as a revoke", () => recordRevoke(one)) };
    ledgerPart.replaceChildren(...(ledger ? [bookChoice(books), payments(ledger, books.find(({ id }) => id === ledger.source), links, ways, { seats: seats(), english: state.english }), ...(state.answer.results ? [dataPart(state.answer)] : [])] : problemList()));
    beside();
  }

  function showBook(id) {
    state.shown = id;
    showBoard();
    showResult();
  }
  /* For windows in which the rows of the totals are too low to be touched. */
  function bookChoice(books) {
    const select = make("select", "", books.map(({ id, name }) => makeOption([id, name])));
    select.value = state.shown;
    select.addEventListener("change", () => { showBook(select.value); ledgerPart.querySelector("select").focus({ preventScroll: true }); });
    return make("label", "rv-book-choice", ["Payments by", select]);
  }

  // ---- problems, beside what they are about ----------------------------------------------------------------------

  const PARTS = { hands: (seat) => `${capital(seat)}’s hand`, tricks: (at) => `Trick ${Number(at) + 1}`, exchange: (at) => `Exchange ${Number(at) + 1}`, faults: (at) => `Irregularity ${Number(at) + 1}`, announced: (at) => `Announcement ${Number(at) + 1}` };
  const placeName = (way) => { const [key, ...rest] = way.split("/"); return rest.length && PARTS[key] ? PARTS[key](...rest) : capital(key); };
  const sentence = (one) => [one.way ? `${placeName(one.way)}: ` : "", `${one.what}. `, make("span", "rv-way-out", capital(one.way_out))];

  function showProblems(problems) {
    state.problems = problems.map((one) => (one.what.startsWith("missing from hands") ? { ...one, way: "hands" } : one)); // not about its name
    const many = problems.length === 1 ? "One thing" : `${problems.length} things`;
    showAnswer(null, `${many} must be corrected before the deal can be settled.`, true);
  }
  const problemList = () => (state.problems.length ? [make("ul", "rv-problems", state.problems.map((one) => make("li", "", sentence(one))))] : []);

  function beside() {
    for (const old of all(stage, ".rv-beside-field")) old.remove();
    for (const node of all(stage, "[aria-invalid]")) { node.removeAttribute("aria-invalid"); node.removeAttribute("aria-describedby"); }
    notes.replaceChildren();
    state.problems.forEach((one, at) => {
      const id = `rv-problem-${at}`, nodes = fieldsOf(one.way);
      const input = nodes.find((node) => node.matches("input, select, textarea") && node.closest("details")?.open);
      if (input) input.closest("label").after(make("p", "rv-problem rv-beside-field", sentence(one), { id }));
      else if (nodes.length) notes.append(make("li", "rv-problem", sentence(one), { id }));
      for (const node of nodes) { node.setAttribute("aria-invalid", "true"); node.setAttribute("aria-describedby", id); }
    });
  }
  /* Fields of a place in the record, or of what it is part of. */
  function fieldsOf(way) {
    for (let steps = way.split("/"); steps.length && steps[0]; steps = steps.slice(0, -1)) {
      const found = all(stage, "[data-way]").filter((one) => one.dataset.way === steps.join("/"));
      if (found.length) return found;
    }
    return [];
  }

  function recordRevoke({ seat, trick, card: name }) {
    edit(() => deal.put("faults", [...list(state.record.faults), { kind: "revoke", seat, trick }]));
    say(`${capital(seat)}’s ${spoken(name)} in trick ${trick} is recorded as a revoke.`);
  }

  // ---- random deals ----------------------------------------------------------------------------------------------

  const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
  async function askFor(request, done) {
    if (!state.sources.length) return say("Tick at least one book.", true);
    if (!engine.ready) say(waitingWords());
    try {
      const answer = await engine.ask({ sources: state.sources, wishes: state.wishes, seed: seed(), ...request });
      if (answer.wrong) return say(answer.wrong, true);
      if (answer.problems) return showProblems(answer.problems);
      done(answer.record);
    } catch (fault) {
      say(fault.message, true);
    }
  }
  const dealAtRandom = () => askFor({ do: "random", ...([4, 5].includes(seats().length) ? { players: seats().length } : {}) }, (record) => open(record, `A random, legal deal: ${record.deal}.`));
  const replay = (from) => askFor({ do: "finish", record: records.write(state.record), kept: from - 1 }, (record) => {
    edit(() => { state.record = record; });
    say(`From trick ${from} on played at random, as the ticked books allow.`);
  });

  // ---- files and links -------------------------------------------------------------------------------------------

  const fileName = () => String(state.record.deal ?? "").replace(/[^\w.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80) || "my-deal";

  function download() {
    const address = URL.createObjectURL(new Blob([globalThis.reversis.yaml.writeYaml(state.record)], { type: "application/yaml" }));
    const link = make("a", "", "", { href: address, download: `${fileName()}.yaml` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    say(`${fileName()}.yaml is saved. On the command line, reversis run ${fileName()}.yaml settles it.`);
  }

  async function openFile(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    try {
      if (file.size > records.LONGEST.record) throw new Error(`${file.name} is far too large for a deal.`);
      open(records.read(await file.text()), `${file.name} is opened.`);
    } catch (fault) {
      say(`${file.name} was not opened. ${fault.message}`, true);
    }
  }

  async function copyLink() {
    const fragment = await records.link({ record: state.record, sources: state.sources, wishes: state.wishes });
    if (fragment.length > records.LONGEST.link) return say("This deal is too long for a link; send the file.", true);
    history.replaceState(history.state, "", fragment);
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    say(copied ? "The link is copied; it is also the address of this page." : "The link is now the address of this page: copy it from there.");
  }

  /* An example deal or a shared deal in the address. */
  async function follow() {
    try {
      const found = await records.unlink(location.hash);
      if (found?.example) return await openExample(found.example);
      if (!found) return;
      const known = found.sources.filter((one) => BOOKS.some(({ id }) => id === one));
      if (known.length) state.sources = known;
      state.wishes = found.wishes;
      showBooks();
      const trick = found.card ? 1 + list(found.record.tricks).findIndex((row) => wordsOf(row).map(card).includes(found.card)) : 0;
      open(found.record, trick ? `The deal of this link; marked is the ${spoken(found.card)} in trick ${trick}, the card in question.` : "The deal of this link.");
      state.pointed = trick ? found.card : "";
      showBoard();
    } catch (fault) {
      say(fault.message, true);
    }
  }

  async function openExample(id) {
    if (!globalThis.reversis.exampleDeals) await loadScript("deals.js");
    const record = globalThis.reversis.exampleDeals?.[id];
    if (!record) throw new Error(`There is no example deal “${id}”.`);
    const cited = String(list(record.cites)[0] ?? "").split(".")[0];
    if (state.sources.includes(cited)) state.shown = cited;
    open(record, `Example deal: ${record.title || id}. Whatever you change is marked in the result.`, JSON.stringify(record));
  }

  // ---- all together ----------------------------------------------------------------------------------------------

  function say(words, bad = false) {
    notice.className = `rv-notice ${bad ? "rv-problem" : ""}`;
    notice.textContent = words;
  }

  function toolbar() {
    return make("div", "rv-tools", [
      makeButton("Enter your cards", () => { open(records.blank(state.record), "An empty table. Every card that you choose below fills the next free place, trick by trick; choose a place first to begin with another player."); }, "rv-primary"),
      ...(engine.onDisk ? [] : [makeButton("Random deal", dealAtRandom)]),
      makeButton("Starting deal", () => open(START, "The starting deal: legal by every book.")),
      makeButton("Undo", undo),
      makeButton("Copy link", copyLink),
    ]);
  }
  function fileTools() {
    const file = make("input", "", [], { type: "file", accept: ".yaml,.yml,.json" });
    file.addEventListener("change", openFile);
    return [make("label", "rv-button rv-open-file", ["Open file", file]), makeButton("Save file", download)];
  }

  const bookPart = make("fieldset", "rv-books");
  function showBooks() {
    bookPart.replaceChildren(make("legend", "rv-unseen", "Settle by"), ...BOOKS.map((book) => {
      const box = make("input", "", [], { type: "checkbox", name: "rv-book", value: book.id });
      box.checked = state.sources.includes(book.id);
      box.addEventListener("change", () => { state.sources = all(bookPart, "input:checked").map((one) => one.value); settleSoon(); });
      return make("label", book.classes, [box, sign(book), make("span", "", book.name)]);
    }));
  }

  const folded = make("div", "rv-folded");
  function show(rebuild) {
    if (rebuild) {
      const opened = new Set(all(folded, "details[open]").map((one) => one.className));
      folded.replaceChildren(...form.parts(fileTools()).filter(Boolean));
      for (const one of all(folded, "details")) one.open ||= opened.has(one.className);
    }
    form.sync();
    showBoard();
    showReplay();
  }

  const onDisk = () => make("div", "rv-on-disk", [
    para(["This page was opened from a folder, and browsers start no engine there. Run ", make("code", "", "reversis serve"), " and open the address that it prints: then every change is settled at once."]),
    para(["Or save the deal, and settle it on the command line: ", make("code", "", "reversis run my-deal.yaml"), "."]),
  ], { role: "note" });

  async function fetchData(name) {
    const found = await fetch(new URL(name, PLAY), { cache: "no-cache" }).catch(() => null);
    return found?.ok ? found.json() : null;
  }

  async function fetchRest() {
    if (engine.onDisk) return;
    [state.choices, state.places, state.english] = await Promise.all([fetchData("play.json"), fetchData("places.json"), fetchData("english.json")]);
    show(true);
    if (state.answer) showResult();
  }

  stage.append(
    ...(engine.onDisk ? [onDisk()] : []),
    make("div", "rv-settle-grid", [
      make("div", "rv-cards-part", [toolbar(), notice, bookPart, board, aside, notes, replayPart, folded]),
      make("aside", "rv-result-part", [make("div", "rv-sums-box", [make("h2", "", "Result"), status, sums]), ledgerPart], { "aria-label": "Result" }),
    ]),
  );
  stage.addEventListener("keydown", (event) => { if (event.key === "Escape" && state.chosen) choose({ name: state.chosen }); });
  stage.addEventListener("keydown", moveFocus);
  stage.addEventListener("focusin", ({ target }) => { if (target.dataset.place) rove(target.dataset.place); });
  addEventListener("hashchange", follow);
  showBooks();
  show(true);
  showResult();
  say("Choose a card, then another: they change places.");
  if (location.hash.startsWith(records.MARK)) follow().then(() => { if (!state.undo.length) settleSoon(); }); else settleSoon();
  fetchRest();
})();
