/* A seat at the table: what the visitor does, and what is asked of the engine.

   The state of a game is its record, kept after every card (table-store.js); each request to the engine carries it and
   gets it back. Nothing of the game is decided here: what is legal, every word and every sum is in the answers. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make, spoken } = globalThis.playingCards;
  const { engine, records, tableStore: store, tableState, tableScreen, tableMoves, tableFiles, tableCards, tableSlip, tablePages } = globalThis.reversis;
  const { stage, BOOKS, bookOf, settings, state, begun, readBegun, loadScript, days, today, waitingView, freshChoice, newSeed, lessonOf } = tableState;
  const { root, live, speak, troubles, render, isChoosing, legal, sixLines, focusHand } = tableScreen;
  const { show, skip, stop } = tableMoves;
  const { newId, linkOfCards, download, saveFile, copyLink, copyLine } = tableFiles;
  const { KEYS, withCards } = tableCards;
  const { ROOT, para, clauseSlip, hintSlip, wordsSlip, lastTrickSlip, lessonSlip } = tableSlip;
  const { button } = tablePages;

  // ---- a game begins -----------------------------------------------------------------------------------------------

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
    state.run += 1;
    Object.assign(state, { screen: "game", entry, view, totals: null, review: null, slip: null, changes: {}, guesses: {}, shown: false, chosen: "", asked: "", focus: "", say: view.say, fault: "", queued: undefined, parting: null, notice: "", unread: null, warned: "", busy: false });
    history.replaceState(history.state, "", location.pathname + location.search + linkOfCards(entry));
    render();
    focusHand();
    fetchRest();
  }

  // ---- lessons: the engine's answers are there already, so that they can be had from a folder ------------------------

  async function beginLesson(at) {
    const turn = ++state.run;
    if (!state.lessons[at].start) await loadScript(`lesson-${state.lessons[at].name}.js`);
    const { start, title } = state.lessons[at];
    if (turn !== state.run) return;
    if (!start) return Object.assign(state, { notice: "This lesson could not be loaded. Try it again." }), render();
    take({ id: "lesson", lesson: at, game: null, source: start.deal.source, wishes: [], seed: null, guess: false, friend: null, seen: [], ends: [], standing: null }, start);
    state.slip = () => wordsSlip(title, [para("Which card do you play? The rest is then played for you, and you see what came of it.")], false);
    speak(`${title}. ${start.live.join(" ")} After your card the rest is played for you.`, false);
    render();
    scrollTo(0, 0);
  }

  async function answerLesson({ card }) {
    const turn = state.run, lesson = lessonOf(state.entry), leaf = lesson.leaves[card], best = lesson.leaves[lesson.right];
    if (!leaf) { refuse({ view: lesson.start, refused: lesson.refused[card] }, { card }); return render(); }
    state.busy = true;
    const shown = show(lesson.start, leaf.view, null, turn);
    speak("The rest is played for you.");
    await shown;
    if (turn !== state.run) return;
    const isBest = leaf.net === best.net, ending = isBest ? "Right." : `Not the best card: the ${spoken(lesson.right)} makes ${tableCards.signed(best.net)}.`;
    if (isBest && !settings().lessons.includes(lesson.name)) { settings().lessons.push(lesson.name); store.write(); }
    Object.assign(state, { busy: false, view: leaf.view, say: ending, slip: () => lessonSlip(leaf, leaf.view.deal.counters, BOOKS) });
    speak([ending, leaf.words, leaf.reason].filter(Boolean).join(" "), false);
    render();
    root.querySelector(".pl-acts .rv-primary")?.focus({ preventScroll: true });
  }

  // ---- requests ----------------------------------------------------------------------------------------------------

  /* Ask for a move; only one at a time. A fault is said, and can be tried again. */
  async function request(asked) {
    if (state.busy) return;
    if (lessonOf(state.entry)) return answerLesson(asked);
    const { run: turn, entry } = state, before = state.view;
    Object.assign(state, { busy: true, fault: "", retry: () => request(asked) });
    render();
    try {
      const answer = await engine.ask({ ...(entry.game ? { game: entry.game } : {}), ...asked });
      if (turn !== state.run) return;
      if (answer.wrong) return ["table.begin", "table.view"].includes(asked.do) ? sendBack(answer.wrong) : speak(answer.wrong);
      await accept(answer, before, asked, turn);
    } catch (fault) {
      if (turn === state.run) Object.assign(state, { fault: fault.message, view: before });
    } finally {
      if (turn === state.run) { state.busy = false; render(); takeUpCards(before); followQueue(); }
    }
  }

  /* The keys are at a card that may be played once it is one's turn, unless the visitor is at something else. */
  function takeUpCards(before) {
    const { activeElement } = document, isDealt = before.phase === "waiting" && activeElement?.closest(".pl-acts");
    if (activeElement === stage || isDealt || activeElement?.closest(".pl-hand")) focusHand();
  }

  async function accept(answer, before, asked, turn) {
    const { entry } = state;
    Object.assign(entry, { game: answer.game, view: { ...answer.view, moves: [] }, seed: entry.seed ?? null });
    store.keepGame(entry);
    if (answer.refused) return refuse(answer, asked);
    const coming = askTotals(turn, answer.game);
    if (before.phase === "waiting" || asked.do === "table.view" || asked.do === "table.back") state.view = answer.view; else await show(before, answer.view, coming, turn);
    if (turn !== state.run) return;
    Object.assign(state, { view: answer.view, say: answer.view.say, chosen: "", asked: "", focus: "" });
    speak(answer.view.live.join(" "), false);
    warn();
    if (answer.view.phase === "over") endDeal(turn, answer.view, coming);
    if (answer.view.phase === "over" && (before.phase === "waiting" || asked.do === "table.view")) state.screen = nextScreen();
  }

  /* What troubles the store is said once in a game, beside the table. */
  function warn() {
    const some = troubles(), words = some.map((one) => one.words).join(" ");
    if (words === state.warned) return;
    state.warned = words;
    if (!words) return;
    state.slip = () => wordsSlip(some[0].title, some.flatMap((one) => [para(one.words), ...one.ways.map((way) => button(...way))]));
    live.textContent += ` ${words}`;
  }

  function refuse(answer, asked) {
    Object.assign(state, { view: answer.view, slip: () => clauseSlip(answer.refused, BOOKS), asked: asked.card ?? "", focus: asked.card ?? "", say: answer.refused.title });
    speak(`${answer.refused.title}. ${answer.refused.words}`, false);
  }

  /* Running totals by every book; null where the engine does not tell them. */
  async function askTotals(turn, game) {
    const answer = await engine.ask({ do: "table.totals", game }).catch(() => null);
    if (turn !== state.run || !answer || answer.wrong) return null;
    Object.assign(state, { totals: answer.totals });
    render();
    return answer.parting ?? null;
  }

  /* The result is kept as soon as the totals are there; the review takes a moment more, and play does not wait for it. */
  async function endDeal(turn, view, coming) {
    const { entry } = state, accounts = Object.fromEntries(view.seats.map((one) => [one.seat, one.account]));
    Object.assign(entry, { again: true, standing: view.standing });
    await coming;
    if (turn !== state.run) return;
    entry.ends = [...entry.ends.filter((one) => one.number !== view.deal.number), { number: view.deal.number, totals: state.totals ?? [] }];
    store.keepGame(entry);
    const answer = await engine.ask({ do: "table.end", game: entry.game }).catch(() => null);
    const isFirst = view.deal.number === 1 && entry.seed !== null && !entry.wishes.length;
    if (isFirst) store.keepResult({ seed: entry.seed, source: entry.source, net: accounts[view.deal.you], par: answer?.review?.par?.net ?? null });
    if (turn !== state.run || state.view.phase !== "over") return;
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
    const { entry, run: turn } = state;
    const answer = await engine.ask({ do: "table.hint", game: entry.game }).catch(() => null);
    if (turn !== state.run) return;
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
    const rules = make("a", "", `The rules by ${book.within}`, { href: new URL(`howto/${book.id}.html`, ROOT).href, target: "_blank", rel: "noopener" });
    const controls = view.choices.map((one) => make("label", "pl-check", [choiceInput(one), one.words]));
    state.slip = () => wordsSlip("Rules", [...sixLines(), para(rules), ...(view.stake ? [para(view.stake)] : []), ...(view.offer?.why ? [para(view.offer.why.words), ...tableSlip.quotation(view.offer.why)] : []), ...(entry.wishes.length ? [para(`With ${entry.wishes.join(", ")}.`)] : []), ...view.notes.map((words) => para(withCards(words))), ...controls, para("“…” beside a book: its sum depends on cards that you have not seen, and is shown when the deal is over.", "pl-small")] );
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

  /* Tapped where there is no room for names: the totals in words. */
  function showTotals() {
    state.slip = () => tableSlip.totalsSlip(BOOKS, state.totals, state.entry.source, state.entry.guess && !state.entry.guessed);
    render();
  }

  function leave() {
    state.run += 1;
    stop();
    history.replaceState(history.state, "", location.pathname + location.search);
    scrollTo(0, 0);
    Object.assign(state, { screen: engine.onDisk ? "folder" : "choose", choice: { ...freshChoice(), ...(state.entry && bookOf(state.entry.source) ? { source: state.entry.source } : {}) }, entry: null, view: null, notice: "", busy: false, fault: "" });
    render();
  }

  /* A game that cannot be begun: it was asked for in a way that the engine does not know. */
  function sendBack(words) {
    const { entry } = state, { game, source, wishes, seed, players, pack, others } = entry;
    leave();
    Object.assign(state.choice, { ...sameCards(seed), source, wishes, players, pack, others });
    Object.assign(state, { notice: words, unread: game ? entry : null });
    render();
  }

  /* The cards of a game once more; those of the day where it has no number. */
  const sameCards = (seed) => (seed === null || seed === undefined ? { cards: "day", seed: today() } : { cards: "same", same: seed, seed });

  function anotherBook() {
    const { entry } = state, at = BOOKS.findIndex((one) => one.id === entry.source);
    leave();
    state.choice = { ...state.choice, ...sameCards(entry.seed), source: BOOKS[(at + 1) % BOOKS.length].id, players: begun.players, pack: begun.pack };
    render();
  }

  const toEnd = () => { state.screen = nextScreen(); render(); speak(root.querySelector(".pl-result")?.textContent ?? "", false); root.querySelector(".rv-primary")?.focus({ preventScroll: true }); scrollTo(0, 0); };
  const ACTS = {
    lay: () => layAway(state.chosen), keep: () => layAway(null), look: () => layAway(null, true), announce: () => { const { value } = state.view.choices.find((one) => one.name === "announce"); request({ do: "table.choose", name: "announce", value: !value }); }, unqueue: () => { state.queued = undefined; render(); },
    hint: askHint, back: () => { state.slip = null; request({ do: "table.back" }); },
    last: () => { if (state.view.last) { state.slip = () => lastTrickSlip(state.view); render(); } },
    why: () => { const { why } = state.view.offer; state.slip = () => clauseSlip(why, BOOKS); speak(`${why.title} ${why.words}`, false); render(); }, // Hint is the next stop of Tab
    close: () => { state.slip = null; state.asked = ""; render(); focusHand(); },
    "go-on": () => state.parting?.(), retry: () => state.retry?.(), rules: showRules,
    finish: () => { if (state.screen === "guess") { state.entry.guessed = true; store.keepGame(state.entry); } toEnd(); },
    show: () => { state.shown = true; render(); },
    next: () => { const { view } = state; Object.assign(state, { screen: "game", slip: null, review: null, changes: {}, say: "", notice: "" }); state.view = { ...view, phase: "waiting", hand: [], trick: { number: 1, cards: [] }, last: null }; state.entry.guessed = false; request({ do: "table.next" }); scrollTo(0, 0); },
    another: anotherBook, link: copyLink, line: copyLine, save: () => saveFile(), leave,
    standing: () => { state.screen = "standing"; state.notice = ""; render(); scrollTo(0, 0); },
    "back-to-game": () => { state.screen = state.view.phase === "over" ? "end" : "game"; render(); focusHand(); },
    today: () => sitDown(freshChoice()), lesson: (node) => beginLesson(Number(node.dataset.lesson)),
    "end-table": () => { store.dropGame(state.entry); leave(); },
    resume: (node) => { const entry = store.data.games.find((one) => one.id === node.dataset.game); if (bookOf(entry.source)) resume(entry); else saveFile(entry); },
    "save-raw": () => download("reversis-kept.json", store.raw ?? "", "application/json"),
    "save-unread": () => saveFile(state.unread),
    forget: () => { store.forget(); if (state.entry?.game) store.keepGame(state.entry); state.slip = null; state.warned = ""; render(); },
    reload: () => { const entry = store.data.games.find((one) => one.id === state.entry?.id) ?? store.data.games[0]; if (entry) resume(entry); },
  };

  root.addEventListener("click", (event) => {
    const does = event.target.closest("[data-do]"), card = event.target.closest(".pl-hand [data-card]");
    if (does?.getAttribute("aria-disabled") === "true") return;
    does?.closest("[popover]")?.hidePopover(); // what it opens lies below
    if (does && ACTS[does.dataset.do]) return ACTS[does.dataset.do](does);
    if (!does && skip()) return;
    if (!does && state.totals && event.target.closest(".pl-books")) return showTotals();
    if (card && state.screen === "game") tapCard(card.dataset.card);
  });
  root.addEventListener("focusout", ({ target, relatedTarget }) => { const menu = target.closest("[popover]"); if (menu && relatedTarget && !menu.contains(relatedTarget)) menu.hidePopover(); });
  root.addEventListener("submit", (event) => { event.preventDefault(); sitDown(state.choice); });

  const CHANGES = {
    cards: (value) => { const { choice } = state; Object.assign(choice, { cards: value, seed: value === "new" ? newSeed() : value === "same" ? choice.same : value === "day" ? today() : days().includes(choice.seed) ? choice.seed : today() }); },
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
    const guessed = /^guess-(.+)/.exec(target.name), chosen = /^choice-(.+)/.exec(target.name), agreed = /^agreed-(.+)/.exec(target.name);
    if (guessed) state.guesses[guessed[1]] = target.value;
    else if (agreed) setAgreed(agreed[1], target.value);
    else if (chosen) return setChoice(chosen[1], target);
    else CHANGES[target.name]?.(target.value, target);
    render();
  });
  /* A sum that players agree on, with the answers that it needs; without one the book's own stands. */
  function setAgreed(question, sum) {
    const { agreed } = bookOf(state.choice.source), { besides } = agreed.find((one) => one.question === question);
    const others = state.choice.wishes.filter((wish) => !wish.startsWith(`${question}=`) && !besides.includes(wish));
    state.choice.wishes = sum === "" ? others : [...others, ...besides, `${question}=${sum}`];
  }
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
    const { code } = event, inGame = state.screen === "game", onCard = event.target.closest(".pl-hand");
    if (code === "Escape" && inGame && state.slip && !event.target.closest(".pl-menu")) return ACTS.close() ?? true;
    if (event.target.closest("input, select, textarea, summary, a, .pl-menu")) return false;
    if (code === "Space" && (skip() || (inGame && (press("go-on") || press("finish"))))) return true;
    if (code === "Space" && onCard) return true; // whoever skips what is shown does not play a card with the same key
    if (code === "Enter" && inGame && (onCard || event.target === stage) && isChoosing() && state.chosen) return layAway(state.chosen) ?? true;
    if (inGame && code in PLACES) return point(legal()[PLACES[code]]) ?? true;
    if (inGame && onCard && ["ArrowLeft", "ArrowRight"].includes(code)) return step(code === "ArrowLeft" ? -1 : 1) ?? true;
    return Boolean(settings().letters && !event.shiftKey && LETTERS[code] && press(LETTERS[code]));
  }
  stage.addEventListener("keydown", (event) => { if (pressKey(event)) event.preventDefault(); });

  // ---- files, addresses, other windows ---------------------------------------------------------------------------------

  async function openFile(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      resume(await tableFiles.readFile(file));
    } catch (fault) {
      Object.assign(state, { notice: `${file.name} was not opened. ${fault.message}`, unread: null });
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

  async function followExample(id, trick = 1, source = stage.dataset.book) {
    await loadScript("deals.js");
    const example = globalThis.reversis.exampleDeals?.[id];
    if (!example) return showChoice(`There is no example deal ${id}. Here are today’s cards.`);
    if (!bookOf(source)) return showChoice(`This edition has no book ${source}. Here are the books that it has.`);
    return openGame(() => tableFiles.readExample(example, Number(trick), source));
  }
  const followDeal = (hash) => openGame(() => tableFiles.readLink(hash));
  async function openGame(read) {
    try {
      resume(await read());
    } catch (fault) {
      showChoice(`${fault.message} Here are today’s cards.`);
    }
  }
  function showChoice(notice = "") {
    Object.assign(state, { screen: "choose", entry: null, view: null, notice, unread: null });
    render();
  }

  const isDealing = () => state.screen === "game" && (state.busy || !state.entry.game);
  store.ontwin = () => { if (!begun.players || isDealing()) return; if (state.screen === "game") warn(); render(); }; // else it is said with the answer
  store.onother = () => {
    const isElsewhere = state.entry?.game && store.isElsewhere(state.entry);
    if (state.screen === "game" && isElsewhere && !state.busy) { state.slip = () => wordsSlip("Another window", [para("This game has gone on in another window."), button("Show it as it is there", "reload")]); render(); } else if (state.screen === "choose") render();
  };
  engine.onchange = () => { if (state.screen !== "folder" && begun.players) render(); };

  const fetchData = async (name) => {
    const found = await fetch(new URL(`play/${name}`, ROOT), { cache: "no-cache" }).catch(() => null);
    return found?.ok ? found.json() : null;
  };
  /* Other readings and English sentences, which the first screen does not need: fetched once, when something is touched or begun. */
  let hasAsked = false;
  async function fetchRest() {
    if (hasAsked || engine.onDisk) return;
    hasAsked = true;
    state.readings = (await fetchData("readings.json"))?.readings ?? [];
    const english = await fetchData("english.json");
    if (english) tableSlip.learnEnglish(english);
    render();
  }

  stage.tabIndex = -1;
  stage.append(root, live);
  loadScript("lessons.js").then(() => { state.lessons = globalThis.reversis.lessons ?? []; if (root.hasChildNodes()) render(); });
  loadScript("table.js").then(() => {
    readBegun();
    if (engine.onDisk) { state.screen = "folder"; return render(); }
    addEventListener("hashchange", () => { if (/^#(day|cards|deal|example)\b/.test(location.hash)) follow(); }); // other names are of parts of the page
    follow();
    root.addEventListener("focusin", fetchRest, { once: true });
    root.addEventListener("pointerdown", fetchRest, { once: true });
  });
})();
