/* The table as a whole: the screen that its state asks for, drawn anew after every change, and what is said to listeners.

   What is alike stays as it is, with its focus and its pictures. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make } = globalThis.playingCards;
  const { engine, tableStore: store, tableState, tableCards, tableSlip, tablePages } = globalThis.reversis;
  const { stage, BOOKS, bookOf, settings, state, today, listDays, dealt, lessonOf, listLessons } = tableState;
  const { capital, count, small, withCards, drawHand, drawFelt, drawWait } = tableCards;
  const { para, drawTotals, clauseSlip, wordsSlip } = tableSlip;
  const { button, key, choosePage, noticePart, folderPage, endPage, guessPage, standingPage } = tablePages;
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

  /* What keeps a game from being kept, or who else plays here, and what can be done about it. */
  function troubles() {
    const broken = store.trouble === "damaged" || store.trouble === "newer", twin = "The table is open in another window too. If you go on with one game in both, both are kept.";
    const ways = broken ? [["Save it as a file", "save-raw"], ["Begin anew", "forget"]] : state.screen === "game" ? [["Save file", "save"]] : [];
    return [...(store.words ? [{ title: "Not kept", words: store.words, ways }] : []), ...(store.hasTwin ? [{ title: "Two windows", words: twin, ways: [] }] : [])];
  }
  const notices = () => [...(state.notice ? [{ words: state.notice, ways: state.unread ? [["Save it as a file", "save-unread"]] : [] }] : []), ...troubles()].map(({ words, ways }) => noticePart(words, ways.map((way) => button(...way))));

  const nameOf = (entry) => `${bookOf(entry.source)?.name ?? entry.source}, ${entry.seed === null ? "a saved deal" : `no. ${entry.seed}`}`;
  function describeGame(entry) {
    if (!bookOf(entry.source)) return [entry.id, `A game by ${entry.source}, a book that this edition has not: save it as a file`, ""];
    const { view } = entry, you = view?.seats.find((one) => one.seat === view.deal.you);
    const which = view?.deal.number > 1 ? `deal ${view.deal.number}, ` : "";
    const at = !view || view.phase === "waiting" ? `${which}dealt` : view.phase === "over" ? count(view.deal.number, "deal") : `${which}trick ${view.trick?.number ?? 1} of ${view.deal.cards}`;
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
    if (lesson) return make("div", "pl-head", [make("h2", "", `Lesson ${entry.lesson + 1} of ${state.lessons.length}`), make("p", "", lesson.title), button("Leave", "leave")]);
    const where = view.phase === "play" ? `trick ${view.trick?.number ?? view.deal.cards} of ${view.deal.cards}` : view.phase === "over" ? "the last trick" : "before trick 1";
    const more = view.deal.number > 1 ? `, deal ${view.deal.number}` : "";
    return make("div", "pl-head", [
      make("h2", "", entry.seed === null ? "A saved deal" : `Deal ${entry.seed}`),
      make("p", "", [make("span", `pl-book ${book.classes}`, [tableSlip.bookSign(book), " ", book.name]), make("span", "pl-wide", " · "), make("span", "", `${where}${more}`)]),
      button("Rules", "rules", "pl-wide"), button("Standing", "standing", "pl-wide"), button("Leave", "leave", "pl-wide"),
      button("More", "more", "", { popovertarget: "pl-menu", "aria-label": "More: how fast, colours, files" }), drawMenu(),
    ]);
  }
  function drawMenu() {
    const speeds = [["0", "At once"], ["1", "Usual"], ["2", "Twice as fast"]].map(([value, words]) => make("label", "", [make("input", "", [], { type: "radio", name: "speed", value, ...(settings().speed === Number(value) ? { checked: "" } : {}) }), words]));
    const check = (name, words, cls = "") => make("label", `pl-check ${cls}`.trim(), [make("input", "", [], { type: "checkbox", name, ...(settings()[name] ? { checked: "" } : {}) }), words]);
    return make("div", "pl-menu", [
      make("div", "pl-narrow pl-menu-row", [button("Rules", "rules"), button("Standing", "standing"), button("Leave", "leave")]),
      make("fieldset", "", [make("legend", "pl-small", "How fast the others play"), make("span", "rv-segment", speeds)]),
      check("letters", "Letters as keys", "pl-keys"), check("suits", "Suits in four colours"),
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
    const words = engine.held ? "You save data: the rules (15 MB) are loaded when you touch a card or press a key." : "The rules are being loaded. Your cards are here: choose meanwhile what to lay away.";
    return drawWait("The other three are sitting down.", [...(engine.held ? [] : [make("div", "pl-progress", make("span"), { role: "progressbar", "aria-label": "The rules are being loaded" })]), para(state.view.phase === "waiting" ? words : "The rules are being loaded.", "pl-small")]);
  }

  function drawActs() {
    const { view, chosen } = state;
    if (lessonOf(state.entry)) return view.phase === "over" && !state.busy ? drawLessonActs(state.entry.lesson) : [];
    if (state.parting) return [button(["Go on", ...key("Space")], "go-on", "rv-primary")];
    if (state.queued !== undefined) return [small(state.queued === null ? "You keep your hand, as soon as the others sit." : ["You lay ", ...withCards(state.queued), " away, as soon as the others sit."]), button("Choose again", "unqueue")];
    if (view.phase === "over") return state.busy ? [] : [button(["What it comes to", ...key("Space")], "finish", "rv-primary")];
    if (isChoosing()) {
      const to = view.phase === "give" ? `Give ${chosen || "a card"} to ${view.seats.find((one) => one.seat === view.offer?.to)?.title ?? "them"}` : `Lay ${chosen || "a card"} away`;
      return [button([...withCards(to), ...key("Enter")], "lay", "rv-primary", chosen ? {} : { "aria-disabled": "true" }), ...(view.keep ? [button([...byWidth("Keep my hand", "Keep"), ...key("K")], "keep")] : []), ...(view.keep && view.offer?.look ? [button(byWidth("Keep, and look at the card left", "Keep and look"), "look")] : []), ...(view.offer?.why ? [button("Why?", "why", "pl-wide")] : []), ...hintButton()];
    }
    const announce = view.choices.filter((one) => one.name === "announce").map((one) => button(one.words, "announce", "", { "aria-pressed": String(one.value) }));
    return [...announce, ...hintButton(), button(["Last trick", ...key("L")], "last", "", view.last ? {} : { "aria-disabled": "true" }), button(["Take back", ...key("Z")], "back", "pl-end")];
  }
  function drawLessonActs(at) {
    const again = button("Again", "lesson", "", { "data-lesson": String(at) });
    if (at + 1 < state.lessons.length) return [button(`Lesson ${at + 2}: ${state.lessons[at + 1].title}`, "lesson", "rv-primary", { "data-lesson": String(at + 1) }), again];
    return [button(engine.onDisk ? "All lessons" : "Today’s deal", engine.onDisk ? "leave" : "today", "rv-primary"), again];
  }
  const byWidth = (words, few) => [make("span", "pl-wide", words), make("span", "pl-narrow", few)];
  const hintButton = () => (state.entry.game && !state.fault ? [button(["Hint", ...key("H")], "hint")] : []);

  /* The game in six lines, with the points, the aim and what doubles by the book that is played; five where nothing does. */
  function sixLines() {
    const lines = document.querySelector("#the-game-in-six-lines ol"), { points, aim, doubling } = bookOf(state.entry.source);
    const byBook = (words) => words.replace(/(?<=: )ace \d.*(?=\.)/, (most) => points || most).replace(/^Fewest points(?= wins)/, (most) => capital(aim) || most).replace(/^Payments for cards double.*/, doubling);
    return lines ? [make("ol", "pl-lines", [...lines.children].map((one) => byBook(one.textContent)).filter(Boolean).map((words) => make("li", "", words)))] : [];
  }

  function drawGame() {
    const { view, entry } = state;
    const marks = { ...(state.chosen ? { [state.chosen]: "pl-chosen" } : {}), ...(state.asked ? { [state.asked]: "pl-asked" } : {}) };
    const [offered] = view.offer?.slips ?? [];
    const slip = state.slip ? [state.slip()] : view.phase === "waiting" ? [wordsSlip("Meanwhile: the game in a few lines", sixLines(), false)] : offered ? [clauseSlip(offered, BOOKS)] : [];
    const dot = state.say.search(/[.?!](\s|$)/) + 1 || state.say.length;
    const locked = (view.phase === "over" || (state.busy && view.phase !== "waiting")) && !state.parting;
    return make("div", `pl-game${slip.length ? " pl-close-up" : ""}${view.phase === "waiting" ? " pl-waiting" : ""}${isChoosing() ? " pl-choosing" : ""}`, [
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

  const focusHand = () => ((state.parting && root.querySelector("[data-do=go-on]")) || root.querySelector(".pl-hand [tabindex='0']") || root.querySelector(".pl-acts .rv-primary") || stage).focus({ preventScroll: true });

  Object.assign(globalThis.reversis, { tableScreen: { root, live, speak, troubles, render, isChoosing, legal, sixLines, focusHand } });
})();
