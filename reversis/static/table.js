/* A seat at the table: what the visitor does, what is asked of the engine, and what is shown of its answers.

   The state of a game is its record, kept after every card (table-store.js); each request to the engine carries it and
   gets it back. Nothing of the game is decided here: what is legal, every word and every sum is in the answers. */
"use strict";
(() => {
  const stage = document.querySelector(".pl");
  if (!stage) return;
  const { make, spoken } = globalThis.playingCards;
  const { engine, records, yaml, tableStore: store, tableCards, tableSlip, tablePages } = globalThis.reversis;
  const { KEYS, count, capital, small, withCards, drawHand, drawFelt, drawWait } = tableCards;
  const { ROOT, para, drawTotals, clauseSlip, partingSlip, hintSlip, wordsSlip, lastTrickSlip, lessonSlip } = tableSlip;
  const { button, key, choosePage, noticePart, folderPage, endPage, guessPage, standingPage } = tablePages;
  const BOOKS = JSON.parse(stage.dataset.books);
  const NOTE = "Played (saved game 1): reversis play"; // begins the note of every deal in a file
  const LONGEST_LINK = 8000;
  const SEATS = ["south", "east", "north", "west", "fifth"]; // of the largest table
  const TIMES = { card: 350, trick: 900, exchange: 350, give: 350, payment: 0 }; // milliseconds, at the usual speed
  const settings = () => store.data.settings;
  const bookOf = (id) => BOOKS.find((one) => one.id === id);

  const state = {
    screen: "choose", choice: null, entry: null, view: null, totals: null, review: null, slip: null, changes: {}, guesses: {}, shown: false,
    chosen: "", asked: "", focus: "", say: "", busy: false, fault: "", retry: null, queued: undefined, parting: null, notice: "", readings: [],
  };
  let run = 0; // whatever answer is on its way belongs to the game of its number

  // ---- deals before the engine is there ----------------------------------------------------------------------------

  let begun = { players: 0, pack: 0, seats: [], deals: new Map() };
  function readBegun() {
    const { players, pack, seats, deals } = globalThis.reversis.begunDeals ?? { players: 0, pack: 0, seats: [], deals: "" };
    const lines = deals.split("\n").filter(Boolean).map((line) => line.split(" "));
    begun = { players, pack, seats, deals: new Map(lines.map(([seed, dealer, hand]) => [Number(seed), { dealer, hand: hand.match(/../g) }])) };
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

  // ---- a game begins -----------------------------------------------------------------------------------------------

  const freshChoice = () => ({ cards: "day", seed: today(), source: bookOf(settings().source)?.id ?? stage.dataset.book, wishes: [], players: begun.players, pack: begun.pack, others: "net" });
  const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  const newSeed = () => (engine.ready ? 1 + (crypto.getRandomValues(new Uint32Array(1))[0] % 999_999) : days()[Math.floor(Math.random() * days().length)]);
  const plain = ({ source, wishes, seed, players, pack }) => JSON.stringify([source, wishes, seed, players, pack]);

  function sitDown(choice, friend = null) {
    const kept = store.data.games.find((one) => plain(one) === plain(choice) && one.others === choice.others);
    if (kept && !kept.again) return resume(Object.assign(kept, friend === null ? {} : { friend }));
    settings().source = choice.source;
    const entry = { id: newId(), game: null, source: choice.source, wishes: choice.wishes, seed: choice.seed, players: choice.players, pack: choice.pack, others: choice.others, guess: settings().guess, friend, seen: [], ends: [], standing: null };
    take(entry, waitingView(entry));
    request({ do: "table.begin", source: entry.source, wishes: entry.wishes, seed: entry.seed, players: entry.players || null, pack: entry.pack || null, others: entry.others, deals: 1 });
  }

  function resume(entry) {
    take(entry, entry.view ?? waitingView(entry));
    request({ do: "table.view" });
  }

  /* The place is cleared for a game. */
  function take(entry, view) {
    run += 1;
    Object.assign(state, { screen: "game", entry, view, totals: null, review: null, slip: null, changes: {}, guesses: {}, shown: false, chosen: "", asked: "", focus: "", say: view.say, fault: "", queued: undefined, parting: null, notice: "", busy: false });
    history.replaceState(history.state, "", location.pathname + location.search + linkOfCards(entry));
    render();
    focusHand();
  }
  const linkOfCards = ({ seed, source }) => (seed === null ? "" : `#${begun.deals.has(seed) ? "day" : "cards"}=${seed}&s=${source}`);

  // ---- lessons: the engine's answers are there already, so that they can be had from a folder ------------------------

  let lessons = [];
  const lessonOf = (entry) => (entry?.lesson === undefined ? null : lessons[entry.lesson]);
  const listLessons = () => lessons.map(({ name, title }) => ({ title, done: settings().lessons.includes(name) }));

  function beginLesson(at) {
    const { start, title } = lessons[at];
    take({ id: "lesson", lesson: at, game: null, source: start.deal.source, wishes: [], seed: null, guess: false, friend: null, seen: [], ends: [], standing: null }, start);
    state.slip = () => wordsSlip(title, [para("Which card do you play? What comes of it is shown at once.")], false);
    speak(`${title}. ${start.live.join(" ")}`, false);
    render();
  }

  async function answerLesson({ card }) {
    const turn = run, lesson = lessonOf(state.entry), leaf = lesson.leaves[card], best = lesson.leaves[lesson.right];
    if (!leaf) { refuse({ view: lesson.start, refused: lesson.refused[card] }, { card }); return render(); }
    state.busy = true;
    await show(lesson.start, leaf.view, null, turn);
    if (turn !== run) return;
    const isBest = leaf.net === best.net, ending = isBest ? "Right." : `Not the best card: the ${spoken(lesson.right)} makes ${tableCards.signed(best.net)}.`;
    if (isBest && !settings().lessons.includes(lesson.name)) { settings().lessons.push(lesson.name); store.write(); }
    Object.assign(state, { busy: false, view: leaf.view, say: ending, slip: () => lessonSlip(leaf, leaf.view.deal.counters, BOOKS) });
    speak(`${ending} ${leaf.words}`, false);
    render();
    root.querySelector(".pl-acts .rv-primary")?.focus({ preventScroll: true });
  }

  // ---- requests ----------------------------------------------------------------------------------------------------

  /* Ask for a move; only one at a time. A fault is said, and can be tried again. */
  async function request(asked) {
    if (state.busy) return;
    if (lessonOf(state.entry)) return answerLesson(asked);
    const turn = run, { entry } = state, before = state.view;
    Object.assign(state, { busy: true, fault: "", retry: () => request(asked) });
    render();
    try {
      const answer = await engine.ask({ ...(entry.game ? { game: entry.game } : {}), ...asked });
      if (turn !== run) return;
      if (answer.wrong) return ["table.begin", "table.view"].includes(asked.do) ? sendBack(answer.wrong) : speak(answer.wrong);
      await accept(answer, before, asked, turn);
    } catch (fault) {
      if (turn === run) Object.assign(state, { fault: fault.message, view: before });
    } finally {
      if (turn === run) { state.busy = false; render(); followQueue(); }
    }
  }

  async function accept(answer, before, asked, turn) {
    const { entry } = state;
    Object.assign(entry, { game: answer.game, view: { ...answer.view, moves: [] }, seed: entry.seed ?? null });
    store.keepGame(entry);
    if (answer.refused) return refuse(answer, asked);
    const coming = askTotals(turn, answer.game);
    if (before.phase === "waiting" || asked.do === "table.view" || asked.do === "table.back") state.view = answer.view; else await show(before, answer.view, coming, turn);
    if (turn !== run) return;
    Object.assign(state, { view: answer.view, say: answer.view.say, chosen: "", asked: "", focus: "" });
    speak(answer.view.live.join(" "), false);
    if (store.words) state.slip = () => wordsSlip("Nothing is kept", [para(store.words)]);
    if (answer.view.phase === "over") endDeal(turn, answer.view, coming);
    if (answer.view.phase === "over" && (before.phase === "waiting" || asked.do === "table.view")) state.screen = nextScreen();
  }

  function refuse(answer, asked) {
    Object.assign(state, { view: answer.view, slip: () => clauseSlip(answer.refused, BOOKS), asked: asked.card ?? "", focus: asked.card ?? "", say: answer.refused.title });
    speak(`${answer.refused.title}. ${answer.refused.words}`, false);
  }

  /* Running totals by every book; null where the engine does not tell them. */
  async function askTotals(turn, game) {
    const answer = await engine.ask({ do: "table.totals", game }).catch(() => null);
    if (turn !== run || !answer || answer.wrong) return null;
    Object.assign(state, { totals: answer.totals });
    render();
    return answer.parting ?? null;
  }

  /* The result is kept as soon as the totals are there; the review takes a moment more, and play does not wait for it. */
  async function endDeal(turn, view, coming) {
    const { entry } = state, accounts = Object.fromEntries(view.seats.map((one) => [one.seat, one.account]));
    Object.assign(entry, { again: true, standing: view.standing });
    await coming;
    if (turn !== run) return;
    entry.ends = [...entry.ends.filter((one) => one.number !== view.deal.number), { number: view.deal.number, totals: state.totals ?? [] }];
    store.keepGame(entry);
    const answer = await engine.ask({ do: "table.end", game: entry.game }).catch(() => null);
    const isFirst = view.deal.number === 1 && entry.seed !== null && !entry.wishes.length;
    if (isFirst) store.keepResult({ seed: entry.seed, source: entry.source, net: accounts[view.deal.you], par: answer?.review?.par?.net ?? null });
    if (turn !== run || state.view.phase !== "over") return;
    state.review = answer?.review ?? { headline: { words: "" } };
    render();
  }
  const nextScreen = () => (state.entry.guess && !state.entry.guessed ? "guess" : "end");

  /* What was chosen while the engine was starting. */
  function followQueue() {
    if (state.queued === undefined || state.busy || state.fault || !state.entry?.game) return;
    const card = state.queued;
    state.queued = undefined;
    if (state.view.phase === "exchange") request({ do: "table.exchange", card });
    else speak("This book lets you exchange nothing here.");
  }

  // ---- one move after another ----------------------------------------------------------------------------------------

  let wake = null, skipping = false;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const atOnce = () => skipping || settings().speed === 0 || still.matches;
  const rest = (time) => (atOnce() || !time ? null : new Promise((resolve) => { const done = () => { clearTimeout(timer); wake = null; resolve(); }, timer = setTimeout(done, time / settings().speed); wake = done; })); // so that what waits for a word of its own is not skipped
  function skip() {
    if (!wake) return false;
    skipping = true;
    wake();
    return true;
  }

  /* Show what happened between two views; the books that part over a trick are heard before the next one. */
  async function show(before, after, coming, turn) {
    const board = structuredClone({ ...before, phase: "play", moves: [], trick: before.trick ?? { number: 1, cards: [] } });
    Object.assign(state, { slip: null, changes: {}, asked: "", chosen: "", say: "" });
    skipping = false;
    let done = 0;
    for (const move of after.moves) {
      if (turn !== run) return;
      if (move.kind === "card" && done && move.trick > done) { state.view = board; await hearParting(await coming, done, turn); done = 0; state.changes = {}; }
      MOVES[move.kind]?.(board, move);
      if (move.kind === "trick") done = move.trick;
      if (!atOnce()) { state.view = board; render(); }
      await rest(TIMES[move.kind]);
    }
    wake = null;
    if (done && turn === run) { state.view = board; await hearParting(await coming, done, turn); }
    skipping = false;
  }

  const seatOf = (board, seat) => board.seats.find((one) => one.seat === seat);
  const MOVES = {
    exchange: (board, move) => { state.say = move.words; },
    give: (board, move) => { state.say = move.words; },
    card(board, move) {
      const { trick } = board;
      if (trick.number !== move.trick) {
        const taker = trick.cards.find((one) => one.wins)?.seat;
        board.last = trick.cards.length && taker ? { number: trick.number, taker, cards: trick.cards } : board.last;
        board.trick = { number: move.trick, cards: [] };
      }
      for (const one of board.trick.cards) one.fresh = false;
      board.trick.cards.push({ seat: move.seat, card: move.card, fresh: true });
      board.trick.turn = null;
      board.hand = board.hand.filter((one) => one.card !== move.card);
    },
    trick(board, move) {
      for (const one of board.trick.cards) one.wins = one.seat === move.taker;
      const taker = seatOf(board, move.taker);
      taker.tricks += 1;
      taker.points += move.points;
    },
    payment(board, move) {
      for (const { payer, payee, amount } of move.postings) {
        for (const [who, change] of [[payer, -amount], [payee, amount]]) {
          const seat = seatOf(board, who), pool = board.pools.find((one) => one.name === who);
          if (seat) seat.account += change;
          if (pool) pool.amount += change;
          state.changes[who] = (state.changes[who] ?? 0) + change;
        }
      }
      const isYours = move.postings.some((one) => [one.payer, one.payee].includes(board.deal.you));
      state.say = move.words;
      if (isYours || !state.slip) state.slip = () => clauseSlip({ ...move.slip, words: move.slip.words || move.words }, BOOKS);
    },
  };

  /* The first time in a game that the books part over a question, the play waits. */
  async function hearParting(parting, trick, turn) {
    if (!parting || parting.trick !== trick || turn !== run || state.entry.guess) return;
    state.slip = () => partingSlip(parting, BOOKS);
    if (state.entry.seen.includes(parting.question)) return;
    state.entry.seen.push(parting.question);
    const camps = parting.camps.map((camp) => `${camp.sources.map((id) => bookOf(id)?.name ?? id).join(", ")}: ${camp.says}`);
    speak(`${state.say} ${parting.words} ${camps.join(" ")} Space goes on.`, false);
    await new Promise((resolve) => { state.parting = resolve; render(); stage.querySelector("[data-do=go-on]")?.focus({ preventScroll: true }); });
    state.parting = null;
  }

  // ---- what is seen ------------------------------------------------------------------------------------------------

  const live = make("p", "rv-unseen", "", { role: "status", "aria-live": "polite" });
  const root = make("div", "pl-root");

  /* Say it to those who listen, and, unless it stands there anyway, in the line over the hand. */
  function speak(words, seen = true) {
    live.textContent = words;
    if (seen) { state.say = words; render(); }
  }

  function render() {
    const shown = SCREENS[state.screen](), hadFocus = stage.contains(document.activeElement);
    stage.classList.toggle("pl-playing", state.screen === "game");
    stage.classList.toggle("pl-alone", !["choose", "folder"].includes(state.screen));
    stage.dataset.suits = settings().suits ? "four" : "two";
    morph(root, make("div", "pl-root", shown));
    if (hadFocus && (document.activeElement === stage || !stage.contains(document.activeElement))) focusHand(); // the keys stay at the table when what had them is gone
    for (const box of root.querySelectorAll(".pl-slip")) box.tabIndex = box.scrollHeight > box.clientHeight + 1 ? 0 : -1;
  }

  const SCREENS = { choose: drawChoose, game: drawGame, end: () => drawEnd(), guess: () => drawGuess(), standing: () => drawStanding(), folder: () => folderPage(stage.dataset.book, today(), listLessons()) };

  function notices() {
    const parts = [];
    if (state.notice) parts.push(noticePart(state.notice, []));
    const broken = store.trouble === "damaged" || store.trouble === "newer";
    if (store.words) parts.push(noticePart(store.words, broken ? [button("Save it as a file", "save-raw"), button("Begin anew", "forget")] : []));
    return parts;
  }

  const nameOf = (entry) => `${bookOf(entry.source)?.name ?? entry.source}, ${entry.seed === null ? "a saved deal" : `no. ${entry.seed}`}`;
  function describeGame(entry) {
    if (!bookOf(entry.source)) return [entry.id, `A game by ${entry.source}, a book that this edition has not: save it as a file`, ""];
    const { view } = entry, you = view?.seats.find((one) => one.seat === view.deal.you);
    const at = !view || view.phase === "waiting" ? "dealt" : view.phase === "over" ? count(view.deal.number, "deal") : `trick ${view.trick.number} of ${view.deal.cards}`;
    return [entry.id, `${nameOf(entry)}: ${at}`, you && view.phase === "over" ? tableCards.signed(you.account) : ""];
  }
  function drawChoose() {
    return choosePage({ books: BOOKS, choice: state.choice, settings: settings(), dealt: dealt(state.choice), day: today(), games: store.data.games.map(describeGame), readings: state.readings, days: listDays(), lessons: listLessons(), notice: notices() });
  }

  const facts = () => ({ books: BOOKS, view: state.view, review: state.review, totals: state.review?.totals ?? state.totals ?? [], yours: state.entry.source, notice: notices() });
  const drawEnd = () => endPage({ ...facts(), friend: state.entry.friend, marks: state.entry.game.marks ?? {}, session: state.view.deal.number > 1 });
  const drawGuess = () => guessPage({ ...facts(), guesses: state.guesses, shown: state.shown });
  const drawStanding = () => standingPage({ books: BOOKS, game: state.entry, seats: state.view?.seats ?? [], results: store.data.results, over: state.view?.phase === "over", notice: notices() });

  function drawHead() {
    const { entry, view } = state, book = bookOf(entry.source), lesson = lessonOf(entry);
    if (lesson) return make("div", "pl-head", [make("h2", "", `Lesson ${entry.lesson + 1} of ${lessons.length}`), make("p", "", lesson.title), button("Leave", "leave")]);
    const where = view.phase === "play" ? `trick ${view.trick?.number ?? view.deal.cards} of ${view.deal.cards}` : view.phase === "over" ? "the last trick" : "before trick 1";
    const more = view.deal.number > 1 ? `, deal ${view.deal.number}` : "";
    return make("div", "pl-head", [
      make("h2", "", entry.seed === null ? "A saved deal" : `Deal ${entry.seed}`),
      make("p", "", [make("span", `pl-book ${book.classes}`, [tableSlip.bookSign(book), " ", book.name]), ` · ${where}${more}`]),
      button("Rules", "rules", "pl-wide"), button("Standing", "standing", "pl-wide"), button("Leave", "leave", "pl-wide"),
      button("More", "more", "", { popovertarget: "pl-menu", "aria-label": "More: how fast, keys, colours" }), drawMenu(),
    ]);
  }
  function drawMenu() {
    const speeds = [["0", "At once"], ["1", "Usual"], ["2", "Twice"]].map(([value, words]) => make("label", "", [make("input", "", [], { type: "radio", name: "speed", value, ...(settings().speed === Number(value) ? { checked: "" } : {}) }), words]));
    const check = (name, words) => make("label", "pl-check", [make("input", "", [], { type: "checkbox", name, ...(settings()[name] ? { checked: "" } : {}) }), words]);
    return make("div", "pl-menu", [
      make("div", "pl-narrow pl-menu-row", [button("Rules", "rules"), button("Standing", "standing"), button("Leave", "leave")]),
      make("fieldset", "", [make("legend", "pl-small", "How fast the others play"), make("span", "rv-segment", speeds)]),
      check("letters", "Letters as keys"), check("suits", "Suits in four colours"),
      make("div", "pl-menu-row", [button("Copy link", "link"), button("Save file", "save")]),
    ], { id: "pl-menu", popover: "" });
  }

  const isChoosing = () => ["exchange", "give", "waiting"].includes(state.view.phase);
  const legal = () => state.view.hand.filter((one) => state.view.phase === "waiting" || one.legal).map((one) => one.card);

  /* The middle of the table while nobody can play: the engine starts, or did not. */
  function drawMiddle() {
    if (lessonOf(state.entry)) return null;
    if (state.fault) return drawWait("The other three did not come.", [para(`${state.fault} Your cards and your choice are kept.`, "pl-small"), button("Try again", "retry", "rv-primary")], true);
    if (engine.ready || state.entry.game && !state.busy) return null;
    const words = engine.held ? "You save data: the engine (15 MB) starts when you touch a card or press a key." : "Python starts in your browser. Your cards are here: choose now what to lay away.";
    return drawWait("The other three are sitting down.", [...(engine.held ? [] : [make("div", "pl-progress", make("span"), { role: "progressbar", "aria-label": "The engine is starting" })]), para(state.view.phase === "waiting" ? words : "Python starts in your browser.", "pl-small")]);
  }

  function drawActs() {
    const { view, chosen } = state;
    if (lessonOf(state.entry)) return view.phase === "over" && !state.busy ? drawLessonActs(state.entry.lesson) : [];
    if (state.parting) return [button(["Go on", ...key("Space")], "go-on", "rv-primary")];
    if (state.queued !== undefined) return [small(state.queued === null ? "You keep your hand, as soon as the others sit." : ["You lay ", ...withCards(state.queued), " away, as soon as the others sit."]), button("Choose again", "unqueue")];
    if (view.phase === "over") return state.busy ? [] : [button(["What it comes to", ...key("Space")], "finish", "rv-primary")];
    if (isChoosing()) {
      const to = view.phase === "give" ? `Give ${chosen || "a card"} to ${view.seats.find((one) => one.seat === view.offer?.to)?.title ?? "them"}` : `Lay ${chosen || "a card"} away`;
      return [button([...withCards(to), ...key("Enter")], "lay", "rv-primary", chosen ? {} : { "aria-disabled": "true" }), ...(view.keep ? [button(["Keep my hand", ...key("K")], "keep")] : []), ...(view.keep && view.offer?.look ? [button("Keep, and look at the card left", "look")] : []), ...hintButton()];
    }
    const announce = view.choices.filter((one) => one.name === "announce").map((one) => button(one.words, "announce", "", { "aria-pressed": String(one.value) }));
    return [...announce, ...hintButton(), button(["Last trick", ...key("L")], "last", "", view.last ? {} : { "aria-disabled": "true" }), button(["Take back", ...key("Z")], "back", "pl-end")];
  }
  function drawLessonActs(at) {
    const again = button("Again", "lesson", "", { "data-lesson": String(at) });
    if (at + 1 < lessons.length) return [button(`Lesson ${at + 2}: ${lessons[at + 1].title}`, "lesson", "rv-primary", { "data-lesson": String(at + 1) }), again];
    return [button(engine.onDisk ? "All lessons" : "Today’s deal", engine.onDisk ? "leave" : "today", "rv-primary"), again];
  }
  const hintButton = () => (state.entry.game && !state.fault ? [button(["Hint", ...key("H")], "hint")] : []);

  function sixLines() {
    const lines = document.querySelector("#the-game-in-six-lines ol");
    return lines ? [make("ol", "pl-lines", [...lines.children].map((one) => make("li", "", one.textContent)))] : [];
  }

  function drawGame() {
    const { view, entry } = state;
    const marks = { ...(state.chosen ? { [state.chosen]: "pl-chosen" } : {}), ...(state.asked ? { [state.asked]: "pl-asked" } : {}) };
    const [offered] = view.offer?.slips ?? [];
    const slip = state.slip ? [state.slip()] : view.phase === "waiting" ? [wordsSlip("Meanwhile: the game in six lines", sixLines(), false)] : offered ? [clauseSlip(offered, BOOKS)] : [];
    const dot = state.say.search(/[.?!](\s|$)/) + 1 || state.say.length;
    const locked = (view.phase === "over" || (state.busy && view.phase !== "waiting")) && !state.parting;
    return make("div", `pl-game${slip.length ? " pl-close-up" : ""}${view.phase === "waiting" ? " pl-waiting" : ""}`, [
      drawHead(),
      drawFelt(view, { changes: state.changes, wait: drawMiddle() }),
      make("p", "pl-say", [make("b", "", withCards(state.say.slice(0, dot))), ...withCards(state.say.slice(dot))]),
      drawHand(view.hand, { marks, focus: state.focus || state.chosen, free: view.phase === "waiting" || view.phase === "over" || locked }),
      make("div", "pl-acts", drawActs(), { "data-busy": String(state.busy && !state.parting) }),
      make("div", "pl-side", [...(lessonOf(entry) ? [] : [drawTotals(BOOKS, state.totals, entry.source, entry.guess && !entry.guessed)]), ...slip]),
    ]);
  }

  /* Make what is there like what should be there; what is alike stays, with its focus and its pictures. */
  function morph(old, fresh) {
    if (old.isEqualNode(fresh) && !fresh.querySelector("input, select")) return;
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name); // what the visitor has unfolded
    for (const { name, value } of fresh.attributes) if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value); // a page's policy forbids styles as attributes
    if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
    const rest = [...old.childNodes];
    const twins = [...fresh.childNodes].map((node) => { const at = rest.findIndex((one) => isAlike(one, node)); return at < 0 ? [node] : [node, rest.splice(at, 1)[0]]; });
    for (const node of rest) node.remove();
    let next = old.firstChild;
    for (const [node, twin] of twins) {
      if (twin === next && twin) next = next.nextSibling; else old.insertBefore(twin ?? node, next);
      if (twin?.nodeType === Node.ELEMENT_NODE) morph(twin, node); else if (twin && twin.data !== node.data) twin.data = node.data;
    }
    if (old.tagName === "INPUT" && ["radio", "checkbox"].includes(old.type)) old.checked = fresh.checked;
    if ((old.tagName === "SELECT" || old.type === "text") && old !== document.activeElement) old.value = fresh.value;
  }
  const keyOf = (node) => node.dataset.card ?? node.dataset.do ?? node.dataset.book ?? node.firstElementChild?.dataset.card ?? node.classList[0] ?? node.value ?? "";
  const isAlike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName && (one.nodeType !== Node.ELEMENT_NODE || keyOf(one) === keyOf(other));

  const focusHand = () => (root.querySelector(".pl-hand [tabindex='0']") ?? root.querySelector(".pl-acts .rv-primary") ?? stage).focus({ preventScroll: true });
  // ---- what the visitor does -----------------------------------------------------------------------------------------

  function tapCard(card) {
    if (state.busy && state.view.phase !== "waiting") return;
    if (state.parting || state.queued !== undefined || state.view.phase === "over" || state.fault) return;
    state.focus = card;
    if (isChoosing() && legal().includes(card)) { state.chosen = card; return render(); }
    const held = state.view.hand.find((one) => one.card === card);
    if (held.privilege && held.legal && state.asked !== card) return askOnce(card);
    state.slip = null;
    request({ do: isChoosing() ? "table.exchange" : "table.card", card }); // the book says why, where it may not be
  }

  /* A card that may be played by privilege alone is played at the second tap. */
  function askOnce(card) {
    state.asked = card;
    state.slip = () => wordsSlip("You need not follow suit", [...state.view.notes.slice(0, 1).map((words) => para(withCards(words))), para("Choose the card once more to play it.")]);
    speak("You need not follow suit. Choose the card once more to play it.", false);
    render();
  }

  function layAway(card, look = false) {
    if (card === "") return;
    if (state.view.phase === "waiting") { state.queued = card; return render(); }
    state.slip = null;
    request({ do: "table.exchange", card, ...(look ? { look } : {}) });
  }

  async function askHint() {
    const { entry } = state, turn = run;
    const answer = await engine.ask({ do: "table.hint", game: entry.game }).catch(() => null);
    if (turn !== run) return;
    if (!answer?.hint) return speak(answer?.wrong ?? "There is no hint here.");
    const hint = { ...answer.hint, phase: state.view.phase };
    entry.game = { ...entry.game, marks: { ...entry.game.marks, hints: (entry.game.marks?.hints ?? 0) + 1 } };
    store.keepGame(entry);
    Object.assign(state, { slip: () => hintSlip(hint, state.view.deal.counters), focus: hint.card ?? "" });
    speak(`${tableSlip.adviseCard(hint, hint.card ? `the ${spoken(hint.card)}` : "")}. ${hint.why}`, false);
    render();
  }

  function showRules() {
    const { view, entry } = state, book = bookOf(entry.source);
    const rules = make("a", "", `The rules by ${book.within}, in two minutes`, { href: new URL(`howto/${book.id}.html`, ROOT).href, target: "_blank", rel: "noopener" });
    const controls = view.choices.map((one) => make("label", "pl-check", [choiceInput(one), one.words]));
    state.slip = () => wordsSlip("Rules", [...sixLines(), para(rules), ...(entry.wishes.length ? [para(`With ${entry.wishes.join(", ")}.`)] : []), ...view.notes.map((words) => para(withCards(words))), ...controls, para("Revokes, misdeals and cards out of turn do not happen at this table.", "pl-small")]);
    render();
    root.querySelector(".pl-slip")?.focus({ preventScroll: true }); // so that it is heard
  }
  function choiceInput(one) {
    const values = one.values ?? [true, false], plainChoice = values.every((value) => typeof value === "boolean");
    if (plainChoice) return make("input", "", [], { type: "checkbox", name: `choice-${one.name}`, ...(one.value ? { checked: "" } : {}) });
    const select = make("select", "", values.map((value) => make("option", "", String(value), { value: String(value) })), { name: `choice-${one.name}` });
    select.value = String(one.value);
    return select;
  }

  function download(name, text, type) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = make("a", "", "", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    speak(`${name} is saved. On the command line, reversis play --resume ${name} goes on with it.`);
  }
  const withNote = (deal, { options }) => ({ ...deal, note: `${NOTE}${options.startsWith(" ") ? "" : " "}${options}` });
  const writeGame = ({ game }) => game.deals.map((deal) => yaml.writeYaml(withNote(deal, game))).join("---\n");
  const saveFile = (entry = state.entry) => { if (entry?.game) download(`reversis-${entry.seed ?? "deal"}-${entry.source}.yaml`, writeGame(entry), "application/yaml"); };

  async function copy(words, done) {
    const copied = await navigator.clipboard?.writeText(words).then(() => true, () => false);
    state.notice = copied ? done : `Copy it from here: ${words}`;
    speak(state.notice, state.screen === "game");
    render();
  }
  const address = (fragment) => `${location.origin}${location.pathname}${fragment}`;
  const yourNet = () => state.view.seats.find((one) => one.seat === state.view.deal.you).account;
  async function copyLink() {
    const { entry, view } = state;
    if (view.phase !== "over" && entry.seed !== null) return copy(address(linkOfCards(entry)), "The link to these cards is copied.");
    const fragment = await records.link({ record: withNote(entry.game.deals.at(-1), entry.game), sources: [entry.source], wishes: entry.wishes });
    if (fragment.length > LONGEST_LINK) { state.notice = "This deal is too long for a link: save it as a file, and send that."; return render(); }
    return copy(address(fragment), "The link to this deal, as it was played, is copied.");
  }
  function copyLine() {
    const { entry } = state, par = state.review?.par ? ` (par ${tableCards.signed(state.review.par.net)})` : "";
    return copy(`Reversis, deal ${entry.seed} by ${bookOf(entry.source).within}: ${tableCards.signed(yourNet())}${par}. ${address(`${linkOfCards(entry)}&to=${yourNet()}`)}`, "A line is copied: it tells your result, and nothing of the cards.");
  }

  function leave() {
    run += 1;
    wake = null;
    history.replaceState(history.state, "", location.pathname + location.search);
    scrollTo(0, 0);
    Object.assign(state, { screen: engine.onDisk ? "folder" : "choose", choice: { ...freshChoice(), ...(state.entry && bookOf(state.entry.source) ? { source: state.entry.source } : {}) }, entry: null, view: null, notice: "", busy: false, fault: "" });
    render();
  }

  /* A game that cannot be begun: it was asked for in a way that the engine does not know. */
  function sendBack(words) {
    const { source, wishes, seed, players, pack, others } = state.entry;
    leave();
    Object.assign(state.choice, { cards: begun.deals.has(seed) ? "archive" : "new", source, wishes, seed: seed ?? today(), players, pack, others });
    state.notice = words;
    render();
  }

  function anotherBook() {
    const { entry } = state, at = BOOKS.findIndex((one) => one.id === entry.source);
    leave();
    state.choice = { ...state.choice, cards: entry.seed === today() ? "day" : begun.deals.has(entry.seed) ? "archive" : "new", seed: entry.seed ?? today(), source: BOOKS[(at + 1) % BOOKS.length].id, players: begun.players, pack: begun.pack };
    render();
  }

  const toEnd = () => { state.screen = nextScreen(); render(); speak(root.querySelector(".pl-result")?.textContent ?? "", false); root.querySelector(".rv-primary")?.focus({ preventScroll: true }); scrollTo(0, 0); };
  const ACTS = {
    lay: () => layAway(state.chosen), keep: () => layAway(null), look: () => layAway(null, true), announce: () => { const { value } = state.view.choices.find((one) => one.name === "announce"); request({ do: "table.choose", name: "announce", value: !value }); }, unqueue: () => { state.queued = undefined; render(); },
    hint: askHint, back: () => { state.slip = null; request({ do: "table.back" }); },
    last: () => { if (state.view.last) { state.slip = () => lastTrickSlip(state.view); render(); } },
    close: () => { state.slip = null; state.asked = ""; render(); },
    "go-on": () => state.parting?.(), retry: () => state.retry?.(), rules: showRules,
    finish: () => { if (state.screen === "guess") { state.entry.guessed = true; store.keepGame(state.entry); } toEnd(); },
    show: () => { state.shown = true; render(); },
    next: () => { const { view } = state; Object.assign(state, { screen: "game", slip: null, review: null, changes: {}, say: "", notice: "" }); state.view = { ...view, phase: "waiting", hand: [], trick: { number: 1, cards: [] }, last: null }; state.entry.guessed = false; request({ do: "table.next" }); },
    another: anotherBook, link: copyLink, line: copyLine, save: () => saveFile(), leave,
    standing: () => { state.screen = "standing"; state.notice = ""; render(); scrollTo(0, 0); },
    "back-to-game": () => { state.screen = state.view.phase === "over" ? "end" : "game"; render(); focusHand(); },
    today: () => sitDown(freshChoice()), lesson: (node) => beginLesson(Number(node.dataset.lesson)),
    "end-table": () => { store.dropGame(state.entry); leave(); },
    resume: (node) => { const entry = store.data.games.find((one) => one.id === node.dataset.game); if (bookOf(entry.source)) resume(entry); else saveFile(entry); },
    "save-raw": () => download("reversis-kept.json", store.raw ?? "", "application/json"),
    forget: () => { store.forget(); render(); },
    reload: () => { const entry = store.data.games.find((one) => one.id === state.entry?.id) ?? store.data.games[0]; if (entry) resume(entry); },
  };

  root.addEventListener("click", (event) => {
    const does = event.target.closest("[data-do]"), card = event.target.closest(".pl-hand [data-card]");
    if (does?.getAttribute("aria-disabled") === "true") return;
    does?.closest("[popover]")?.hidePopover(); // what it opens lies below
    if (does && ACTS[does.dataset.do]) return ACTS[does.dataset.do](does);
    if (!does && skip()) return;
    if (card && state.screen === "game") tapCard(card.dataset.card);
  });
  root.addEventListener("submit", (event) => { event.preventDefault(); sitDown(state.choice); });

  const CHANGES = {
    cards: (value) => { const { choice } = state; Object.assign(choice, { cards: value, seed: value === "new" ? newSeed() : value === "day" ? today() : days().includes(choice.seed) ? choice.seed : today() }); },
    archive: (value) => { state.choice.seed = Number(value); },
    source: (value) => { const fits = bookOf(value).tables.some(([players, pack]) => players === state.choice.players && pack === state.choice.pack); Object.assign(state.choice, { source: value, wishes: [], ...(fits ? {} : { players: begun.players, pack: begun.pack }) }); },
    players: (value) => { state.choice.players = Number(value); },
    pack: (value) => { state.choice.pack = Number(value); },
    others: (value) => { state.choice.others = value; },
    wish: (value) => { state.choice.wishes = value ? [value] : []; },
    wishes: (value) => { state.choice.wishes = value.split(/\s+/).filter(Boolean); },
    guess: (_, input) => { settings().guess = input.checked; store.write(); },
    letters: (_, input) => { settings().letters = input.checked; store.write(); },
    suits: (_, input) => { settings().suits = input.checked; store.write(); },
    speed: (value) => { settings().speed = Number(value); store.write(); },
  };
  root.addEventListener("change", ({ target }) => {
    if (target.dataset.change === "open") return openFile(target);
    const guessed = /^guess-(.+)/.exec(target.name), chosen = /^choice-(.+)/.exec(target.name);
    if (guessed) state.guesses[guessed[1]] = target.value;
    else if (chosen) return setChoice(chosen[1], target);
    else CHANGES[target.name]?.(target.value, target);
    render();
  });
  function setChoice(name, input) {
    const { values } = state.view.choices.find((one) => one.name === name);
    const value = input.type === "checkbox" ? input.checked : values.find((one) => String(one) === input.value);
    state.slip = null;
    request({ do: "table.choose", name, value });
  }

  // ---- keys: by the place of the key, and only while the table has the focus -------------------------------------------

  const PLACES = Object.fromEntries(KEYS.map((sign, at) => [{ "-": "Minus", "=": "Equal" }[sign] ?? `Digit${sign}`, at]));
  const LETTERS = { KeyK: "keep", KeyH: "hint", KeyL: "last", KeyW: "rules", KeyZ: "back", KeyN: "next" };

  function point(card) {
    if (!card) return;
    state.focus = card;
    if (isChoosing()) state.chosen = card;
    render();
    root.querySelector(`.pl-hand [data-card="${card}"]`)?.focus({ preventScroll: true });
  }
  function step(by) {
    const lit = legal(), at = lit.indexOf(document.activeElement?.dataset?.card);
    point(lit[(at + by + lit.length) % lit.length]);
  }
  const press = (does) => { const node = [...root.querySelectorAll(`[data-do="${does}"]`)].find((one) => one.checkVisibility()); if (!node) return false; node.click(); return true; };

  function pressKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return false;
    if (event.target.closest("input, select, textarea, summary, a, .pl-menu")) return false;
    const { code } = event, inGame = state.screen === "game", onCard = event.target.closest(".pl-hand");
    if (code === "Escape" && inGame && state.slip) return ACTS.close() ?? true;
    if (code === "Space" && (skip() || (inGame && (press("go-on") || press("finish"))))) return true;
    if (code === "Space" && onCard) return true; // whoever skips what is shown does not play a card with the same key
    if (code === "Enter" && inGame && (onCard || event.target === stage) && isChoosing() && state.chosen) return layAway(state.chosen) ?? true;
    if (inGame && code in PLACES) return point(legal()[PLACES[code]]) ?? true;
    if (inGame && onCard && ["ArrowLeft", "ArrowRight"].includes(code)) return step(code === "ArrowLeft" ? -1 : 1) ?? true;
    return Boolean(settings().letters && !event.shiftKey && LETTERS[code] && press(LETTERS[code]));
  }
  stage.addEventListener("keydown", (event) => { if (pressKey(event)) event.preventDefault(); });

  // ---- files, addresses, other windows ---------------------------------------------------------------------------------

  const OPTION = (options, name) => new RegExp(`--${name}[ =](\\S+)`).exec(options)?.[1];

  /* A game from a file or a link: its records, and the command that they keep. */
  function entryOf(deals, source, wishes) {
    const options = String(deals[0]?.note ?? "").match(/reversis play(.*)$/s)?.[1] ?? "";
    const book = OPTION(options, "source") ?? source;
    if (!bookOf(book)) throw new Error(book ? `It is played by ${book}, a book that this edition has not.` : "It is no game that was saved at a table.");
    const seats = records.list(deals[0].seats).map(String), kinds = seats.map((seat, at) => `--${seat} ${at ? "net" : "person"}`).join(" ");
    const asked = options || ` --source ${book}${wishes.map((wish) => ` --with '${wish}'`).join("")} --seed 1 --deals 1 --players ${seats.length} --pack ${deals[0].pack} ${kinds}`;
    const seed = options ? Number(OPTION(options, "seed")) : null;
    const wished = [...asked.matchAll(/--with '([^']*)'/g)].map(([, wish]) => wish);
    return { id: newId(), game: { form: 1, options: asked, deals: deals.map(({ note, ...deal }) => deal), marks: { hints: 0, backs: 0 } }, source: book, wishes: wished, seed, players: seats.length, pack: deals[0].pack, others: OPTION(asked, seats[1]) ?? "net", guess: false, friend: null, seen: [], ends: [], standing: null };
  }

  async function openFile(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      if (file.size > records.LONGEST.record) throw new Error("It is far too large for a game.");
      const deals = (await file.text()).split(/^---\s*$/m).filter((part) => part.trim()).map(records.read);
      resume(entryOf(deals, "", []));
    } catch (fault) {
      state.notice = `${file.name} was not opened. ${fault.message}`;
      render();
    }
  }

  const HASH = /^#(day|cards)(?:=(\d{1,15})&s=(\w{1,20})(?:&to=(-?\d{1,6}))?|=(\d{1,15}))?$/;
  async function follow() {
    const { hash } = location;
    state.choice = freshChoice();
    if (!hash || (!HASH.test(hash) && document.getElementById(hash.slice(1)))) return showChoice();
    if (hash.startsWith(records.MARK)) return followDeal(hash);
    if (EXAMPLE.test(hash)) return followExample(...EXAMPLE.exec(hash).slice(1));
    const [, kind, number, source, to, bare] = HASH.exec(hash) ?? [];
    const seed = Number(number ?? bare ?? today());
    if (!kind) return showChoice("This address asks for nothing that this page knows. Here are today’s cards.");
    if (kind === "day" && !begun.deals.has(seed)) return showChoice(`There is no deal of the day with the number ${seed}. Here is today’s.`);
    if (source && !bookOf(source)) return showChoice(`This edition has no book ${source}. Here are the books that it has.`);
    sitDown({ ...state.choice, cards: "day", seed, ...(source ? { source } : {}) }, to === undefined ? null : Number(to));
  }
  const EXAMPLE = /^#example=([\w-]{1,80})(?:&t=(\d{1,2}))?(?:&s=(\w{1,20}))?$/;

  /* An example deal is played on from a trick; what it was to come to, and what is after that trick, is left behind. */
  async function followExample(id, trick, source = stage.dataset.book) {
    await loadScript("deals.js");
    const { faults, claims, expect, ...deal } = globalThis.reversis.exampleDeals?.[id] ?? {};
    if (!deal.seats) return showChoice(`There is no example deal ${id}. Here are today’s cards.`);
    if (!bookOf(source)) return showChoice(`This edition has no book ${source}. Here are the books that it has.`);
    if (SEATS.slice(0, deal.seats.length).join() !== deal.seats.join()) return showChoice(`“${deal.title}” names its players otherwise than this table does: Settle can play it. Here are today’s cards.`);
    const played = records.list(deal.tricks).slice(0, Math.max(0, Number(trick ?? 1) - 1));
    resume(entryOf([{ ...deal, tricks: played, fragment: true }], source, []));
  }
  async function followDeal(hash) {
    try {
      const found = await records.unlink(hash);
      if (found.example) throw new Error(`“${found.example}” is an example deal: it is not played here.`);
      resume(entryOf([found.record], found.sources[0] ?? "", found.wishes));
    } catch (fault) {
      showChoice(`${fault.message} Here are today’s cards.`);
    }
  }
  function showChoice(notice = "") {
    Object.assign(state, { screen: "choose", entry: null, view: null, notice });
    render();
  }

  store.ontwin = () => { if (state.screen === "game") { state.slip = () => wordsSlip("Two windows", [para("This table is open in another window too. What is played last is kept.")]); } else state.notice = "This table is open in another window too. What is played last is kept."; render(); };
  store.onother = () => {
    const kept = store.data.games.find((one) => one.id === state.entry?.id);
    if (state.screen === "game" && kept && !state.busy) { state.slip = () => wordsSlip("Another window", [para("This game has gone on in another window."), button("Show it as it is there", "reload")]); render(); } else if (state.screen === "choose") render();
  };
  engine.onchange = () => { if (state.screen !== "folder" && begun.players) render(); };

  const fetchData = async (name) => {
    const found = await fetch(new URL(`play/${name}`, ROOT), { cache: "no-cache" }).catch(() => null);
    return found?.ok ? found.json() : null;
  };
  async function fetchRest() {
    state.readings = (await fetchData("play.json"))?.readings ?? [];
    tableSlip.learnEnglish((await fetchData("english.json")) ?? {});
    render();
  }

  stage.tabIndex = -1;
  stage.append(root, live);
  loadScript("lessons.js").then(() => { lessons = globalThis.reversis.lessons ?? []; if (root.hasChildNodes()) render(); });
  loadScript("table.js").then(() => {
    readBegun();
    if (engine.onDisk) { state.screen = "folder"; return render(); }
    addEventListener("hashchange", () => { if (/^#(day|cards|deal|example)\b/.test(location.hash)) follow(); }); // other names are of parts of the page
    follow();
    return fetchRest();
  });
})();
