/* Pages round the table: choosing, the end of a deal, how all stand, guessing, and what is said where none can play. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make, spoken } = globalThis.playingCards;
  const { signed, small, withCards, shownCard, drawDealtHand } = globalThis.reversis.tableCards;
  const { para, bookSign, quotation, ROOT } = globalThis.reversis.tableSlip;
  const { drawChart } = globalThis.reversis.tableChart;

  const button = (words, does, cls = "", attributes = {}) => make("button", cls, words, { type: "button", "data-do": does, ...attributes });
  const key = (name) => [" ", make("kbd", "", name, { "aria-hidden": "true" })];
  const heading = (words) => make("h2", "pl-h2", words);
  const named = (book) => make("span", `pl-book ${book.classes}`, [bookSign(book), " ", book.name]);

  /* Lessons to choose from, with those that are done; nothing where there are none. */
  function lessonList(lessons) {
    const items = lessons.map(({ title, done }, at) => make("li", "", button([make("span", "", `${at + 1} ${title}`), small(done ? "done" : "")], "lesson", "", { "data-lesson": String(at) })));
    return items.length ? [heading("New to the game? Short lessons"), make("ol", "pl-list", items)] : [];
  }

  // ---- choosing --------------------------------------------------------------------------------------------------

  /* Choices of one kind; the form's own name keeps them apart. */
  function segment(name, options, chosen) {
    return make("span", "rv-segment", options.map(([value, words]) => {
      const input = make("input", "", [], { type: "radio", name, value, ...(value === chosen ? { checked: "" } : {}) });
      return make("label", "", [input, words]);
    }));
  }
  const field = (words, content, note = "") => make("fieldset", "pl-field", [make("legend", "pl-h2", words), content, ...(note ? [make("p", "pl-note pl-small", note)] : [])]);

  function bookPick(books, chosen) {
    return make("div", "pl-pick", books.map((book) => {
      const input = make("input", "", [], { type: "radio", name: "source", value: book.id, ...(book.id === chosen ? { checked: "" } : {}) });
      return make("label", book.classes, [input, bookSign(book), book.name]);
    }));
  }

  const unique = (values) => [...new Set(values)].sort();
  function tableFields(choice, book) {
    const players = unique(book.tables.map(([number]) => number));
    const packs = unique(book.tables.filter(([number]) => number === choice.players).map(([, pack]) => pack));
    return [
      ...(players.length > 1 ? [field("Players", segment("players", players.map((one) => [String(one), { 4: "Four", 5: "Five" }[one]]), String(choice.players)), choice.players === 5 ? "Nothing has been learnt for five: the others play with care." : "")] : []),
      ...(packs.length > 1 ? [field("Pack", segment("pack", packs.map((one) => [String(one), `${one} cards`]), String(choice.pack)), choice.pack === 52 ? "With the tens; the others play with care." : "")] : []),
    ];
  }

  /* Sums that the book leaves to the players: what is chosen is an answer like any other wish. */
  function agreedFields(choice, { agreed, counters }) {
    const wished = ({ question }) => choice.wishes.find((one) => one.startsWith(`${question}=`))?.slice(question.length + 1);
    const fields = agreed.map((one) => make("label", "", [small(one.asks),
      make("input", "", [], { type: "number", name: `agreed-${one.question}`, min: "0", max: "999", placeholder: one.own === null ? "none agreed" : String(one.own), value: wished(one) ?? "" })]));
    return fields.length ? [make("fieldset", "pl-agreed", [make("legend", "pl-small", `The book leaves these sums to the players, in ${counters}`), ...fields])] : [];
  }

  function moreFields(choice, settings, readings, book) {
    const wishes = readings.filter((one) => one.source === choice.source);
    const select = make("select", "", [make("option", "", "as the book has it", { value: "" }), ...wishes.map((one) => make("option", "", `${one.id}: ${one.label}`, { value: one.id }))], { name: "wish" });
    const typed = make("input", "", [], { type: "text", name: "wishes", spellcheck: "false", autocomplete: "off", value: choice.wishes.join(" "), "aria-describedby": "pl-wish-help" });
    select.value = choice.wishes.length === 1 && wishes.some((one) => one.id === choice.wishes[0]) ? choice.wishes[0] : "";
    const guess = make("input", "", [], { type: "checkbox", name: "guess", ...(settings.guess ? { checked: "" } : {}) });
    return make("details", "pl-more-fields", [make("summary", "", "More"),
      make("label", "pl-check", [guess, "Guess afterwards what each book pays: the six others stay hidden until then"]),
      ...agreedFields(choice, book),
      ...(wishes.length ? [make("label", "pl-wide-field", [small("Another reading of this book, or an option that it offers"), select])] : []),
      make("label", "pl-wide-field", [small("Or other answers"), typed]),
      make("p", "pl-small", "Q031=3 gives an answer, Q017@ACA borrows one from a book; several with a space between them, as with reversis play --with.", { id: "pl-wish-help" })], choice.wishes.length ? { open: "" } : {});
  }

  /* `dealt`: the hand that waits, or null; `games`: those that can be gone on with, as [id, words, sum]. */
  function choosePage({ books, choice, settings, dealt, day, games, readings, days, lessons, notice }) {
    const book = books.find((one) => one.id === choice.source);
    const archive = make("select", "", days.map(([seed, words]) => make("option", "", words, { value: String(seed) })), { name: "archive", "aria-label": "Day" });
    archive.value = String(choice.seed);
    const cards = [...(choice.same === undefined ? [] : [["same", "The same cards"]]), ["day", "Deal of the day"], ["new", "New cards"], ["archive", "Another day"]];
    const told = { new: "Cards that nobody has seen.", same: `The same cards: no. ${choice.seed}.` }[choice.cards] ?? `No. ${choice.seed}: the same cards for everybody${choice.seed === day ? " today" : ""}.`;
    const form = make("form", "pl-panel", [
      field("Cards", make("span", "pl-cards", [segment("cards", cards, choice.cards), ...(choice.cards === "archive" ? [archive] : [])]), told),
      field("Book", bookPick(books, choice.source), "The other books settle the same cards beside it."),
      ...tableFields(choice, book),
      field("The others", segment("others", [["net", "Skilled"], ["cautious", "Careful"], ["random", "At random"]], choice.others)),
      moreFields(choice, settings, readings, book),
      make("div", "pl-go", [make("button", "rv-primary", ["Sit down", ...key("Enter")], { type: "submit" }), small(dealt ? `Your cards are dealt. You sit South; ${dealt.dealer === "south" ? "you deal" : `${dealt.dealer.charAt(0).toUpperCase()}${dealt.dealer.slice(1)} deals`}.` : "You sit South.")]),
    ], { "aria-label": "What to play" });
    const open = make("input", "", [], { type: "file", accept: ".yaml,.yml", "data-change": "open" });
    const going = games.map(([id, words, sum]) => make("li", "", button([make("span", "", words), make("b", "", sum)], "resume", "", { "data-game": id })));
    return make("div", "pl-page", [
      ...notice,
      make("div", "pl-choose", [form, ...(dealt ? [drawDealtHand(dealt.hand)] : []),
        make("aside", "", [...lessonList(lessons), heading("Go on"), ...(going.length ? [make("ul", "pl-list", going)] : [para("Nothing played yet. Play a deal, and how you stand is kept here, in this browser only.", "pl-small")]),
          make("div", "pl-next", [button("How you stand", "standing"), make("label", "rv-button pl-open", ["Open a saved game", open])])])]),
    ]);
  }

  /* What the browser could not keep, or what an address asked for in vain. */
  function noticePart(words, ways) {
    return make("div", "pl-notice", [para(words), ...(ways.length ? [make("div", "pl-next", ways)] : [])], { role: "alert" });
  }

  function folderPage(source, seed, lessons) {
    return make("div", "pl-page", [make("div", "pl-panel", [
      para("A whole deal needs the engine, and browsers start none for a page on a disk.", "pl-lede"),
      para(["Run ", make("code", "", "reversis serve"), " and open the address that it prints: then this page deals. Or play in a terminal: ", make("code", "", `reversis play --source ${source} --seed ${seed}`)]),
    ], { role: "note" }), ...lessonList(lessons)]);
  }

  // ---- the end of a deal -------------------------------------------------------------------------------------------

  const numbered = (total) => (total.total === null || total.total === undefined ? total.shown ?? "–" : signed(Number(total.total)));
  function sevenTable(books, totals, yours) {
    const most = Math.max(1, ...totals.map((one) => Math.abs(Number(one.total) || 0)));
    const rows = books.map((book) => {
      const one = totals.find((total) => total.source === book.id) ?? { shown: "…" };
      const bar = make("span", "pl-bar", make("span"), { "aria-hidden": "true" }), number = Number(one.total) || 0;
      bar.style.setProperty("--zero", "50%");
      bar.style.setProperty("--from", `${50 + (Math.min(0, number) / most) * 50}%`);
      bar.style.setProperty("--long", `${(Math.abs(number) / most) * 50}%`);
      const reason = [one.reason, ...(one.passed ?? [])].filter(Boolean).join("; ");
      return make("tr", `${book.classes}${book.id === yours ? " pl-yours" : ""}`, [
        make("th", "", [bookSign(book), " ", book.name], { scope: "row" }), make("td", "pl-total", numbered(one)), make("td", "pl-unit", book.counters), make("td", "pl-drawn", bar), make("td", "pl-why", withCards(reason)),
      ], { "data-book": book.id });
    });
    return make("table", "pl-seven", [make("caption", "", "The same cards, by every book: you"), make("tbody", "", rows)]);
  }

  /* What made your sum, book by book. */
  function partsPart(books, totals) {
    const told = books.flatMap((book) => totals.filter((one) => one.source === book.id && one.parts?.length).map((one) => [book, one]));
    const list = (parts) => make("ul", "", parts.map((part) => make("li", "", [make("b", "", signed(part.sum)), " ", ...withCards(part.words)])));
    const items = told.map(([book, one]) => make("li", book.classes, [para([named(book), `: ${numbered(one)}`]), list(one.parts)]));
    return items.length ? [make("details", "pl-ledger", [make("summary", "", "Why, book by book"), make("ol", "", items)], { "data-part": "why" })] : [];
  }

  function dearestPart(dearest) {
    const figure = (card, words) => make("figure", "", [shownCard(card, spoken(card)), make("figcaption", "", words)]);
    return make("section", "pl-costly", [heading("Your costliest card"),
      make("div", "pl-swap", [figure(dearest.card, `trick ${dearest.trick}`), ...(dearest.instead ? [figure(dearest.instead, "instead")] : [])]),
      para(withCards(dearest.words))]);
  }

  function ledgerPart(ledger, seats) {
    const title = (who) => seats.find((one) => one.seat === who)?.title ?? who;
    const rows = ledger.map((one) => make("li", "", [small(one.trick ? `trick ${one.trick}` : "end"), make("div", "", [para(withCards(one.sentence)),
      ...(one.postings ?? []).map((each) => para(`${title(each.payer)} to ${title(each.payee)}: ${each.amount}`, "pl-small")), ...(one.slip ? quotation(one.slip) : [])])]));
    return make("details", "pl-ledger", [make("summary", "", "The whole ledger, with every sentence"), make("ol", "", rows)]);
  }

  /* `review`: null until the engine has it. */
  function endPage({ books, view, review, totals, yours, friend, marks, session, notice }) {
    const book = books.find((one) => one.id === yours), you = view.seats.find((one) => one.seat === view.deal.you);
    const net = you.account;
    const marked = [marks.hints ? "with hints" : "", marks.backs ? "with take-back" : ""].filter(Boolean);
    const tries = [review?.left, review?.par?.words, friend !== null ? `Whoever sent you these cards made ${signed(friend)} of them.` : "", marked.length ? `Played ${marked.join(" and ")}.` : "", review ? review.no_dearest ?? "" : "What else could have been done is being worked out."].filter(Boolean);
    return make("div", "pl-page", [...notice,
      make("h2", "rv-unseen", "What it comes to"),
      make("div", `pl-result ${book?.classes ?? ""}`, [make("strong", "", signed(net)), make("p", "", [`${view.deal.counters} by ${book?.within ?? view.deal.title}. `, ...withCards(review?.headline.words ?? "")])]),
      ...(tries.length ? [para(tries.join(" ").replace(/-(?=\d)/g, "−"), "pl-small")] : []),
      make("div", "pl-endgrid", [
        make("div", "", [sevenTable(books, totals, yours), ...partsPart(books, totals), ...(review?.ledger?.length ? [ledgerPart(review.ledger, view.seats)] : [])]),
        ...(review?.dearest ? [dearestPart(review.dearest)] : []),
      ]),
      make("div", "pl-next", [button(["Next deal", ...key("N")], "next", "rv-primary pl-big"), button("Same cards, another book", "another"), button("Standing", "standing"),
        button("Copy link", "link"), ...(session ? [] : [button("Copy a line to send", "line")]), button("Save file", "save"), button("Leave", "leave")]),
    ]);
  }

  // ---- guessing ----------------------------------------------------------------------------------------------------

  const SIGNS = [["-1", "I lose"], ["0", "0"], ["1", "I win"]];
  function guessPage({ books, yours, view, totals, guesses, shown }) {
    const you = view.seats.find((one) => one.seat === view.deal.you), others = books.filter((one) => one.id !== yours), book = books.find((one) => one.id === yours);
    const truth = (id) => totals.find((one) => one.source === id);
    const isRight = (id) => typeof truth(id)?.total === "number" && Math.sign(truth(id).total) === Number(guesses[id]);
    const rows = others.map((one) => {
      const said = shown ? [make("span", guesses[one.id] === undefined ? "" : isRight(one.id) ? "pl-right" : "pl-wrong", [make("b", "", numbered(truth(one.id) ?? {})), ` ${one.counters}`]), " ", small(withCards(truth(one.id)?.reason ?? ""))] : [];
      return make("li", one.classes, [named(one), segment(`guess-${one.id}`, SIGNS, guesses[one.id]), make("span", "pl-verdict", said)]);
    });
    const right = others.filter((one) => isRight(one.id)).length;
    return make("div", "pl-page", [heading("Guess what each book pays"),
      make("div", `pl-result ${book.classes}`, [make("strong", "", signed(you.account)), make("p", "", `by ${book.within}. And by the others?`)]),
      make("ul", "pl-guess", rows), ...(shown ? [para([make("b", "", `${right} of ${others.length}.`)], "pl-lede")] : []),
      make("div", "pl-next", shown ? [button("All of them, and why", "finish", "rv-primary pl-big")] : [button("Show what they pay", "show", "rv-primary pl-big"), button("Skip", "finish")])]);
  }

  // ---- how all stand -----------------------------------------------------------------------------------------------

  function sessionTable(game, seats, book) {
    const head = ["Deal", ...seats.map((one) => one.title)].map((words) => make("th", "", words, { scope: "col" }));
    const row = (words, sums, cls = "") => make("tr", cls, [make("th", "", words, { scope: "row" }), ...seats.map((one) => make("td", "", sums?.[one.seat] === undefined ? "" : signed(sums[one.seat])))]);
    const { deals, put_in: put, now } = game.standing;
    const name = (one) => seats.find((each) => each.seat === one.dealer)?.title;
    const body = [...deals.map((one) => row(`${one.number} ${one.dealer ? (name(one) === "You" ? "you deal" : `${name(one)} deals`) : ""}`, one.accounts)), ...(put ? [row("put into the pool", put)] : [])];
    return make("table", "pl-standing", [make("caption", "", `By ${book.within}, in ${book.counters}`), make("thead", "", make("tr", "", head)), make("tbody", "", body), ...(now ? [make("tfoot", "", row("Now", now))] : [])]);
  }

  /* You by every book, a column for each deal as it was played. */
  function booksTable(books, ends, yours) {
    const head = ["You, by each book", ...ends.map((one) => String(one.number))].map((words) => make("th", "", words, { scope: "col" }));
    const rows = books.map((book) => make("tr", `${book.classes}${book.id === yours ? " pl-yours" : ""}`, [make("th", "", [bookSign(book), " ", book.name], { scope: "row" }), ...ends.map((one) => make("td", "", numbered((one.totals ?? []).find((total) => total.source === book.id) ?? {})))]));
    return make("table", "pl-standing", [make("thead", "", make("tr", "", head)), make("tbody", "", rows)]);
  }

  /* The same as lines, where there are two deals at least; a book that does not count all of them has none. */
  function sessionChart({ standing }, seats, book) {
    const series = seats.map((one, at) => ({ name: one.title, cls: one.title === "You" ? "pl-you" : "", numbers: standing.deals.map(({ accounts }) => accounts[one.seat]), mark: at }));
    return standing.deals.length > 1 ? [drawChart(series, `How everybody stands by ${book.within} after each deal, without what was put in; the table has the figures`)] : [];
  }
  function booksChart(books, ends, yours) {
    const totals = (book) => ends.map((one) => (one.totals ?? []).find((total) => total.source === book.id)?.total);
    const series = books.map((book, at) => ({ name: book.name, cls: `${book.classes}${book.id === yours ? " pl-you" : ""}`, numbers: totals(book), mark: at })).filter(({ numbers }) => numbers.every((sum) => typeof sum === "number"));
    return ends.length > 1 && series.length ? [drawChart(series, "How you stand by each book after each deal; the table has the figures")] : [];
  }

  function resultsTable(results, books) {
    const rows = results.map((one) => {
      const book = books.find((each) => each.id === one.source);
      return make("tr", book?.classes ?? "", [make("th", "", `No. ${one.seed}`, { scope: "row" }), make("td", "", book?.name ?? one.source), make("td", "", signed(one.net)), make("td", "", one.par === null ? "–" : signed(one.par))]);
    });
    const head = ["Deal", "Book", "You", "Par"].map((words) => make("th", "", words, { scope: "col" }));
    return make("table", "pl-standing", [make("caption", "", "Your last deals; par: what a skilled player made of your hand"), make("thead", "", make("tr", "", head)), make("tbody", "", rows)]);
  }

  /* `game`: the one on the table, or null. */
  function standingPage({ books, game, seats, results, over, notice }) {
    const book = game && books.find((one) => one.id === game.source);
    const parts = [
      ...(book && game.standing ? [...sessionChart(game, seats, book), sessionTable(game, seats, book)] : []),
      ...(book && game.ends?.length ? [...booksChart(books, game.ends, game.source), booksTable(books, game.ends, game.source)] : []),
      ...(results.length ? [resultsTable(results, books)] : []),
    ];
    const back = game ? button(over ? "Back to the deal" : "Play on", "back-to-game", "rv-primary pl-big") : button("Today’s deal", "today", "rv-primary pl-big");
    return make("div", "pl-page", [heading("How you stand"), ...notice,
      ...(parts.length ? parts.map((one) => (one.tagName === "TABLE" ? make("div", "pl-scroll", one, { tabindex: "0", role: "group", "aria-label": "Table" }) : one)) : [para("No deal is finished yet. What each one brings you is kept on this page, in this browser only.", "pl-lede")]),
      make("div", "pl-next", [back, ...(game ? [button("End this table", "end-table"), button("Save file", "save")] : []), button("Choose another game", "leave")])]);
  }

  Object.assign(globalThis.reversis, { tablePages: { ROOT, button, key, choosePage, noticePart, folderPage, endPage, guessPage, standingPage } });
})();
