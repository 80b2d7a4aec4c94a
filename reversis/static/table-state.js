/* What the table knows before anything is asked: the books, the cards that are dealt already, the lessons, and its state. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const stage = document.querySelector(".pl");
  const { make, spoken } = globalThis.playingCards;
  const { engine, tableStore: store, tableCards: { capital }, tableSlip: { ROOT } } = globalThis.reversis;
  const BOOKS = JSON.parse(stage.dataset.books);
  const settings = () => store.data.settings;
  const bookOf = (id) => BOOKS.find((one) => one.id === id);

  const state = {
    screen: "choose", choice: null, entry: null, view: null, totals: null, review: null, slip: null, changes: {}, guesses: {}, shown: false,
    chosen: "", asked: "", focus: "", say: "", busy: false, fault: "", retry: null, queued: undefined, parting: null, notice: "", unread: null, warned: "", readings: [], lessons: [],
    run: 0, // whatever answer is on its way belongs to the game of its number
  };

  // ---- deals before the engine is there ----------------------------------------------------------------------------

  const begun = { players: 0, pack: 0, seats: [], deals: new Map() };
  function readBegun() {
    const { players, pack, seats, deals } = globalThis.reversis.begunDeals ?? { players: 0, pack: 0, seats: [], deals: "" };
    const lines = deals.split("\n").filter(Boolean).map((line) => line.split(" "));
    Object.assign(begun, { players, pack, seats, deals: new Map(lines.map(([seed, dealer, hand]) => [Number(seed), { dealer, hand: hand.match(/../g) }])) });
  }
  const loadScript = (name) => new Promise((resolve) => {
    const script = make("script", "", [], { src: new URL(`play/${name}`, ROOT).href });
    script.onload = script.onerror = resolve;
    document.head.append(script);
  });

  const days = () => [...begun.deals.keys()];
  const dayOf = (date) => Math.round((Date.UTC(2000, date.getMonth(), date.getDate()) - Date.UTC(2000, 0, 1)) / 86_400_000); // the year 2000 has every day
  const seedOf = (date) => days()[dayOf(date)] ?? 1;
  const today = () => seedOf(new Date());
  function listDays() {
    const now = new Date();
    return days().map((_, back) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back))
      .map((date, back) => [seedOf(date), `${back ? date.toLocaleDateString("en-GB", { day: "numeric", month: "long" }) : "Today"}: no. ${seedOf(date)}`]);
  }
  const handOf = (cards) => cards.map((card) => ({ card, name: spoken(card), legal: true, suit: card.slice(-1) }));
  function dealt({ seed, players, pack }) {
    const found = players === begun.players && pack === begun.pack ? begun.deals.get(seed) : null;
    return found ? { dealer: found.dealer, hand: handOf(found.hand) } : null;
  }

  /* What can be shown of a deal before the first answer. */
  function waitingView(entry) {
    const book = bookOf(entry.source), known = dealt(entry), seats = begun.seats.length ? begun.seats : ["south"];
    const about = (seat, at) => ({ seat, title: at ? capital(seat) : "You", cards: 0, tricks: 0, points: 0, account: 0, dealer: seat === known?.dealer, leads: false });
    return { phase: "waiting", deal: { you: seats[0], title: book.name, counters: book.counters, number: 1, of: 1 }, seats: seats.map(about), pools: [], stake: "", hand: known?.hand ?? [], keep: true, trick: { number: 1, cards: [] }, last: null, moves: [], say: known ? "Lay one card away? You may choose now." : "The cards are being dealt.", live: [], notes: [], choices: [] };
  }

  const freshChoice = () => ({ cards: "day", seed: today(), source: bookOf(settings().source)?.id ?? stage.dataset.book, wishes: [], players: begun.players, pack: begun.pack, others: "net" });
  const newSeed = () => (engine.ready ? 1 + (crypto.getRandomValues(new Uint32Array(1))[0] % 999_999) : days()[Math.floor(Math.random() * days().length)]);

  // ---- lessons: the engine's answers are there already, so that they can be had from a folder ------------------------

  const lessonOf = (entry) => (entry?.lesson === undefined ? null : state.lessons[entry.lesson]);
  const listLessons = () => state.lessons.map(({ name, title }) => ({ title, done: settings().lessons.includes(name) }));

  Object.assign(globalThis.reversis, { tableState: { stage, BOOKS, bookOf, settings, state, begun, readBegun, loadScript, days, today, listDays, dealt, waitingView, freshChoice, newSeed, lessonOf, listLessons } });
})();
