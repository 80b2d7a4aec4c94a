/* What stands beside the table: how you stand by each book, and one slip on which a book, a hint or the house speaks. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make, spoken, sign } = globalThis.playingCards;
  const { signed, small, withCards, shownCard } = globalThis.reversis.tableCards;
  const ROOT = new URL("../", document.currentScript.src);
  const para = (content, cls = "", attributes = {}) => make("p", cls, content, attributes);
  const bookSign = (book) => make("span", `rv-sign ${book.classes}`, "", { "aria-hidden": "true" });
  const numberOf = (total) => (typeof total === "string" ? Number(total.replace("−", "-").replace("+", "")) || 0 : total ?? 0);

  /* A total as it is shown, and why there is none or what was passed over. */
  const wordTotal = (one, isHidden) => ({ shown: isHidden ? "?" : (one?.shown ?? "…").replace("-", "−"), why: isHidden ? "" : [one?.reason, ...(one?.passed ?? [])].filter(Boolean).join("; ") });

  /* Running totals, a row for each book; `hidden`: all but yours are, until you have guessed. */
  function drawTotals(books, totals, yours, hidden) {
    const bySource = new Map((totals ?? []).map((one) => [one.source, one]));
    const sums = [...bySource.values()].map((one) => numberOf(one.total));
    const low = Math.min(0, ...sums), wide = Math.max(0, ...sums) - low || 1;
    const rows = books.map((book) => {
      const one = bySource.get(book.id), isHidden = hidden && book.id !== yours, { shown, why } = wordTotal(one, isHidden);
      const bar = make("span", "pl-bar", make("span"), { "aria-hidden": "true" });
      const number = isHidden ? 0 : numberOf(one?.total);
      bar.style.setProperty("--zero", `${(-low / wide) * 100}%`);
      bar.style.setProperty("--from", `${((Math.min(0, number) - low) / wide) * 100}%`);
      bar.style.setProperty("--long", `${(Math.abs(number) / wide) * 100}%`);
      return make("li", `${book.classes}${book.id === yours ? " pl-yours" : ""}`, [
        bookSign(book), make("span", "pl-name", book.name), bar,
        make("span", "pl-total", [make("span", "rv-unseen", `${book.name}: `), shown, make("span", "rv-unseen", ` ${book.counters}${why ? `: ${why}` : ""}`)]),
      ], { "data-book": book.id, ...(why ? { title: why } : {}) });
    });
    return make("section", "pl-books", [make("h2", "", make("span", "", "You so far, in each book’s own counters")), make("ul", "", rows)], { "aria-label": "You so far, by each book" });
  }

  /* The same in words, for whoever taps it where there is no room for names. */
  const totalsSlip = (books, totals, yours, hidden) => box("pl-words", [closeButton(), make("h2", "", "You so far"), make("ul", "pl-lines", books.map((book) => {
    const { shown, why } = wordTotal(totals?.find((one) => one.source === book.id), hidden && book.id !== yours);
    return make("li", book.classes, [bookSign(book), " ", make("b", "", book.name), `: ${shown} `, small([book.counters, why].filter(Boolean).join("; "))]);
  }))]);

  const closeButton = () => make("button", "pl-close", "×", { type: "button", "aria-label": "Close", "data-do": "close" });

  /* The English of whole sentences by their ids, and words to be explained in them, come in a file of their own. */
  let english = { sentences: {}, words: {} };
  const learnEnglish = (file) => { english = { ...english, ...file }; };

  function quotation(slip) {
    const inEnglish = slip.english || (slip.lang === "en" ? "" : english.sentences[slip.locus]);
    const place = slip.assumption || slip.place;
    const link = slip.href ? make("a", "", place, { href: new URL(slip.href, ROOT).href }) : place;
    return [
      ...(slip.quote ? [para(["“", ...withCards(slip.quote), "”"], "pl-quote", { lang: slip.lang })] : []),
      ...(inEnglish ? [para(slip.quote ? [...(slip.english ? [] : [small("The whole sentence: ")]), "“", inEnglish, "”"] : inEnglish, "pl-english")] : []),
      ...(english.words[slip.locus] && slip.quote ? [para(`${english.words[slip.locus]}.`, "pl-small pl-gloss")] : []),
      ...(place ? [para(link, "pl-place")] : []),
    ];
  }

  const box = (cls, content) => make("section", `pl-slip ${cls}`.trim(), content, { "aria-label": "In words", tabindex: "-1" });
  const title = (words) => make("h2", "", withCards(words));

  /* One book speaks: a payment, or a card that may not be played. */
  const clauseSlip = (slip, books) => box(books.find((one) => one.id === slip.source)?.classes ?? "", [closeButton(), title(slip.title), ...(slip.words ? [para(withCards(slip.words))] : []), ...quotation(slip)]);

  /* What the person wins or loses by the books of a camp: "You win 5 fiches by the Pamphlet, ...". */
  function describeSums({ sources, sums }, books) {
    const within = (ids) => ids.map((id) => books.find((one) => one.id === id)?.within ?? id);
    const list = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
    const words = sums.map((one, at) => `${at ? one.words.replace(/^You /, "") : one.words}${one.sources.length < sources.length ? ` by ${list(within(one.sources))}` : ""}`);
    return `${words.join("; ")}.`;
  }

  /* `heard`: what has just been paid, where the slip lies over the line that says it. */
  function partingSlip(parting, books, heard = "") {
    const signsOf = (ids) => ids.map((id) => books.find((one) => one.id === id)).filter(Boolean)
      .flatMap((book) => [make("span", book.classes, bookSign(book), { title: book.name }), make("span", "rv-unseen", book.name)]);
    const camps = parting.camps.map((camp) => make("li", "", [
      para([make("b", "", withCards(camp.says)), make("span", "pl-signs", signsOf(camp.sources))]),
      ...(camp.sums.length ? [para(describeSums(camp, books))] : []),
      ...(camp.slip.words ? [para(withCards(camp.slip.words))] : []), ...quotation(camp.slip),
    ]));
    const others = [...parting.others, ...parting.besides ?? []].map((one) => para([...signsOf([one.source]), " ", ...withCards(one.words)], "pl-small"));
    return box("pl-parting", [...(heard ? [para(withCards(heard), "pl-heard")] : []), title(parting.words), make("ul", "pl-two", camps), ...others]);
  }

  const HOW = { exchange: "lay away", give: "give", play: "play" };
  /* The advice in a sentence; without a card it is to keep the hand. */
  const adviseCard = ({ phase }, words) => (words ? `A skilled player would ${HOW[phase] ?? "play"} ${words}` : "A skilled player would keep the hand");

  function hintSlip(hint, unit) {
    const rows = hint.cards.map((one) => make("li", "", [
      one.card ? shownCard(one.card, spoken(one.card), { cls: "pl-mini" }) : small("keep"),
      make("span", "pl-how", one.card === hint.card ? "best" : one.behind < 1 ? "under 1" : String(Math.round(one.behind))),
    ]));
    const by = { net: "The guess of a program that has learnt from many deals; it sees only what you see", caution: "A careful player’s choice" }[hint.by] ?? hint.by;
    const worths = rows.length ? [para(`How many ${unit} worse than the best, by the end of the deal:`), make("ul", "pl-worth", rows)] : [];
    return box("pl-hint", [closeButton(), title(adviseCard(hint, hint.card)), ...(hint.why ? [para(withCards(hint.why))] : []), ...worths, para(`${by}.`, "pl-place")]);
  }

  function wordsSlip(words, content, closes = true) {
    return box("pl-words", [...(closes ? [closeButton()] : []), make("h2", "", words), ...content]);
  }

  function lastTrickSlip(view) {
    const title = (seat) => view.seats.find((one) => one.seat === seat)?.title ?? seat;
    const rows = view.last.cards.map((one) => make("li", "", [shownCard(one.card, spoken(one.card), { cls: `pl-mini${one.seat === view.last.taker ? " pl-took" : ""}` }), small(`${title(one.seat)}${one.seat === view.last.taker ? " took it" : ""}`)]));
    const own = view.own?.length ? [para("Your own tricks, which this book lets you look at:"), make("ol", "pl-own", view.own.map((row) => make("li", "", row.map((card) => [sign(card, { role: "img", "aria-label": spoken(card) }), " "]))))] : [];
    return wordsSlip(`Trick ${view.last.number}`, [make("ol", "pl-row", rows), ...own]);
  }

  /* What came of a card in a lesson, and the sentence on which it rests. */
  const lessonSlip = (leaf, unit, books) => box(books.find((one) => one.id === leaf.slip.source)?.classes ?? "", [title(`You: ${signed(leaf.net)} ${unit}`), para(withCards(leaf.words)), ...(leaf.reason ? [para(withCards(leaf.reason))] : []), ...quotation(leaf.slip)]);

  Object.assign(globalThis.reversis, { tableSlip: { ROOT, para, bookSign, learnEnglish, drawTotals, totalsSlip, quotation, clauseSlip, describeSums, partingSlip, adviseCard, hintSlip, wordsSlip, lastTrickSlip, lessonSlip, signed } });
})();
