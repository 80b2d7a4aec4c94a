/* What the engine has answered: a table of totals, and the payments by one book with the sentences they rest on.

   Every word comes in as text and goes out as text. What differs from the example deal is marked with a word. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make, spoken, sign: cardSign } = globalThis.playingCards;
  const { card } = globalThis.reversis.records;

  const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
  const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
  const badge = (words) => make("span", "rv-badge", words);
  const joined = (pieces, between = ", ") => pieces.flatMap((one, at) => (at ? [between, one] : [one]));
  const para = (content, cls = "") => make("p", cls, content);
  const bullets = (items, cls = "") => make("ul", cls, items.map((one) => make("li", "", one)));
  const details = (summary, content, cls = "") => make("details", cls, [make("summary", "", summary), content]);
  const short = (id) => id.split(".").at(-1);

  const face = (name) => cardSign(name, { role: "img", "aria-label": spoken(name) });
  const withCards = (words) => words.split(/(?<!\w)([AKQJT2-9][SHDC])(?!\w)/).map((part) => (/^[AKQJT2-9][SHDC]$/.test(part) ? face(card(part)) : part));

  /* `places`: kind -> page -> its things in a row, "name" or "name=anchor"; `root`: the address of the edition's first folder. */
  function makeLinks(places, root) {
    const homes = new Map(Object.entries(places).flatMap(([kind, pages]) => Object.entries(pages).flatMap(([page, names]) =>
      names.split(" ").map((word) => word.split("=")).map(([name, anchor = name]) => [`${kind} ${name}`, anchor ? `${page}#${anchor}` : page]))));
    return (kind, name, words = name, title = "") => {
      const home = homes.get(`${kind} ${name}`);
      if (!home) return make("span", "xref", words);
      return make("a", "", words, { href: new URL(home, root).href, ...(title ? { title } : {}) });
    };
  }

  // ---- totals ----------------------------------------------------------------------------------------------------

  const sign = (book) => make("span", `rv-sign ${book.classes}`, [], { "aria-hidden": "true" });
  const STATES = { refused: "not legal here", silent: "the book does not say" };

  /* A row for each book; `ledgers` by book, or none yet. `choose(id)` shows the payments by a book. */
  function totals(books, ledgers, seats, shown, choose) {
    const accounts = [...seats, "pool"];
    const rows = books.map((book) => {
      const ledger = ledgers.get(book.id);
      const pick = make("button", "rv-book", [sign(book), make("span", "", [book.name, " ", make("span", "rv-small", book.counters)])], { type: "button", "aria-pressed": String(book.id === shown), title: `Show the payments by ${book.name}` });
      pick.addEventListener("click", () => choose(book.id));
      const cells = !ledger ? accounts.map(() => make("td", "rv-zero", "–"))
        : ledger.state === "settled" ? accounts.map((who) => total(ledger, who))
          : [make("td", `rv-state rv-${ledger.state}`, STATES[ledger.state], { colspan: String(accounts.length) })];
      return make("tr", `${book.classes} ${book.id === shown ? "rv-shown" : ""}`, [make("th", "", [pick, make("span", "rv-book-plain", [sign(book), make("span", "", book.name)])], { scope: "row" }), ...cells], { "data-book": book.id });
    });
    const head = ["Book", ...accounts].map((one) => make("th", "", capital(one), { scope: "col" }));
    return make("table", "rv-sums", [make("caption", "rv-unseen", "Gains and losses by each book"), make("thead", "", make("tr", "", head)), make("tbody", "", rows)]);
  }

  function total(ledger, who) {
    const net = new Map(ledger.net).get(who) ?? 0;
    const was = ledger.net_was[ledger.net.findIndex(([name]) => name === who)];
    const before = was === undefined || was === net ? [] : [make("small", "rv-was", ` was ${signed(was)}`)];
    return make("td", net ? "" : "rv-zero", [signed(net), ...before]);
  }

  /* How many results there are, in a sentence. */
  function summary(ledgers) {
    const settled = ledgers.filter((one) => one.state === "settled");
    const kinds = new Set(settled.map((one) => JSON.stringify(one.net))).size;
    const count = (state) => ledgers.filter((one) => one.state === state).length;
    const others = [count("refused") && `not legal by ${count("refused")}`, count("silent") && `${count("silent")} silent`].filter(Boolean);
    if (!settled.length) return "No ticked book settles this deal.";
    const first = settled.length === 1 ? "One result" : kinds === 1 ? `The same result by ${settled.length} books` : `${settled.length} books, ${kinds} different results`;
    return `${[first, ...others].join("; ")}.`;
  }

  // ---- payments by one book --------------------------------------------------------------------------------------

  const TITLES = {
    settled: (book, { counters }) => [`Payments by ${book.name}`, make("span", "rv-small", ` in ${counters}`)],
    refused: (book) => `Not legal by ${book.name}`,
    silent: (book) => `${book.name} does not say`,
  };
  const MARKS = { new: "new", changed: "changed", gone: "no longer" };
  const STATES_WERE = { settled: "The example deal was settled by this book.", refused: "This book did not allow the example deal.", silent: "On the example deal this book did not say." };

  /* Our words with capitals for the players, and at their head. */
  const isLetter = (one) => /[\p{L}\p{N}_]/u.test(one ?? "");
  function capitalizePlayers(words) {
    let said = words;
    for (const seat of about.seats.filter(Boolean)) {
      said = said.split(seat).reduce((before, after) => `${before}${isLetter(before.at(-1)) || isLetter(after[0]) ? seat : capital(seat)}${after}`);
    }
    return capital(said);
  }
  let about = { seats: [], english: null };

  /* `to(kind, id, words)` makes a link; `ways`: buttons that play on from a trick and record a revoke; `facts`: the
     players, and the English of sentences, by their ids. */
  function payments(ledger, book, to, ways, facts) {
    about = facts;
    const body = { settled: settledParts, refused: refusedParts, silent: silentParts }[ledger.state](ledger, to, ways);
    const was = ledger.state_was && ledger.state_was !== ledger.state ? [para([badge("changed"), ` ${STATES_WERE[ledger.state_was]}`], "rv-was")] : [];
    return make("section", `rv-book-ledger rv-${ledger.state} ${book.classes}`, [
      make("h3", "", TITLES[ledger.state](book, ledger)),
      ...(ledger.hybrid ? [para("With the answers that are chosen these are no longer the rules of one book.", "rv-small")] : []),
      ...was, ...body, ...notes(ledger),
    ], { "data-ruleset": ledger.ruleset });
  }

  function settledParts(ledger, to) {
    const clauses = new Map([...ledger.clauses_were, ...ledger.clauses].map((one) => [one.id, one]));
    const entries = [...ledger.entries, ...ledger.gone.map((one) => ({ ...one, mark: "gone" }))];
    const lines = (some) => make("ol", "rv-payments-list", some.map((one) => entryLine(ledger, one, clauses, to)));
    const paying = entries.filter((one) => one.postings.length || one.mark), free = entries.filter((one) => !paying.includes(one));
    return [
      paying.length ? lines(paying) : para("No payments."),
      ...(free.length ? [details(`Nobody pays: ${free.length === 1 ? "1 event" : `${free.length} events`}`, lines(free), "rv-free-events")] : []),
    ];
  }

  const counter = (each, ledger) => (each.amount === 1 ? ledger.unit : ledger.counters);
  const described = (each, ledger) => `${capital(each.payer)} to ${each.payee === "pool" ? "pool" : capital(each.payee)} ${each.amount} ${counter(each, ledger)}`;
  const paid = (each) => make("li", "rv-posting", [`${capital(each.payer)} to ${each.payee === "pool" ? "pool" : capital(each.payee)} `, make("strong", "", String(each.amount))],
    { "data-payer": each.payer, "data-payee": each.payee, "data-amount": String(each.amount) });

  function entryLine(ledger, entry, clauses, to) {
    const when = entry.trick ?? (["misdeal", "dealt-again"].includes(entry.rule) ? "first" : "end");
    const before = entry.mark === "changed" ? [para(`was: ${entry.was.map((each) => described(each, ledger)).join("; ") || "nobody paid"}`, "rv-was")] : [];
    return make("li", entry.mark ? `rv-marked rv-marked-${entry.mark}` : "", [
      make("span", "rv-when", String(when), { title: entry.trick === null ? "" : `Trick ${entry.trick}` }),
      make("div", "", [
        para([...(entry.mark ? [badge(MARKS[entry.mark]), " "] : []), ...withCards(capitalizePlayers(entry.sentence.replace(/^[\w ]{1,20}: /, "")))]),
        ...(entry.postings.length ? [make("ul", "rv-who", entry.postings.map(paid))] : []),
        ...before,
        ...(entry.chosen.length ? [para(`by your choice: ${entry.chosen.join(", ")}`, "rv-small")] : []),
        evidence(ledger, entry, clauses, to),
      ]),
    ]);
  }

  const quoted = (clause) => (clause.kind === "supplied" ? [KIND.supplied] : clause.kind === "quotation" ? ["“", make("span", "", clause.words, { lang: clause.lang }), "”"] : [`(${KIND[clause.kind]}) ${clause.words}`]);
  const KIND = { paraphrase: "our summary", supplied: "our assumption", reason: "no answer" };
  const hint = (clause) => (clause.kind === "quotation" ? make("span", "", `“${clause.short}”`, { lang: clause.lang }) : KIND[clause.kind]);

  /* The sentences that an entry rests on: one in short, all when unfolded. */
  function evidence(ledger, entry, clauses, to) {
    const found = entry.clauses.map((id) => clauses.get(id)).filter(Boolean);
    if (!found.length) return "";
    const main = found.find((one) => one.kind === "quotation") ?? found[0];
    const asked = entry.rulings.filter((each) => each.clauses.length).map((each) => to("cell", `${each.id}@${ledger.source}`, each.id, `${each.slug}: ${each.value}`));
    return details([hint(main), " ", make("span", "rv-locus", short(main.locus || main.id)), translated(main)], [
      bullets(found.map((one) => clauseLine(one, to)), "rv-clauses"),
      para(["Questions: ", ...joined(asked, " ")], "rv-small"),
      ...(entry.emendations.length ? [para(["Corrected misprint: ", ...joined(entry.emendations.map((id) => to("emendation", id)))], "rv-small")] : []),
    ], "rv-evidence");
  }
  const translated = ({ kind, locus }) => {
    const sentence = kind === "quotation" && about.english?.sentences?.[locus], words = about.english?.words?.[locus];
    return sentence ? make("span", "rv-english", [sentence, ...(words ? [make("span", "rv-small", ` ${words}.`)] : [])], { lang: "en" }) : "";
  };
  const clauseLine = (clause, to) => [...quoted(clause), translated(clause), " ", make("span", "rv-locus", [...(clause.locus ? [to("sentence", clause.locus, short(clause.locus)), ", "] : []), to("clause", clause.id, short(clause.id))])];

  /* What is not legal in a plain sentence. */
  function describeRefusal(one) {
    if (one.card && one.legal.length) return [`Trick ${one.trick}: ${capital(one.seat)} cannot play `, face(card(one.card)), ". Legal: ", ...joined(one.legal.map((name) => face(card(name))), " "), "."];
    return [...withCards(capitalizePlayers(one.message)), "."];
  }

  function refusedParts(ledger, to, ways) {
    const clauses = new Map(ledger.clauses.map((one) => [one.id, one]));
    const items = ledger.refusals.map((one) => [
      make("span", "rv-refusal", describeRefusal(one), { "data-of": one.card }),
      ...(one.revokes ? [" ", ways.revoke(one)] : []),
      ...one.clauses.map((id) => para(clauses.has(id) ? clauseLine(clauses.get(id), to) : to("clause", id), "rv-refused-because")),
    ]);
    const trick = Math.min(...ledger.refusals.map((one) => one.trick ?? Infinity));
    return [bullets(items, "rv-refusals"), ...(Number.isFinite(trick) ? [ways.replay(trick)] : [])];
  }

  function silentParts(ledger, to) {
    const { message, question, asks } = ledger.silence;
    return [para([`${message} `, to("question", question), ` ${asks}`])];
  }

  function notes(ledger) {
    const facts = ledger.state !== "settled" ? [] : [["Pool before", [ledger.pool_before]], ["Pool after", [ledger.pool_after]], ["Outcome", ledger.outcome], ["Still open", ledger.open]];
    const rows = [...facts, ["Not simulated", [...ledger.passed_over, ...ledger.left_out]]].filter(([, said]) => said.length);
    if (!rows.length) return [];
    return [details("Pool and outcome", make("dl", "rv-facts", rows.flatMap(([name, said]) => [make("dt", "", name), make("dd", "", said.map((words) => para(capitalizePlayers(words))))])))];
  }

  /* The same as data, as the command line prints it. */
  const dataPart = (answer) => details("Result as data (reversis run --format json)", make("pre", "rv-data", answer.results.join("\n"), { tabindex: "0", "aria-label": "Result as JSON", role: "region" }));

  Object.assign(globalThis.reversis, { face, badge, para, details, bullets, capital, sign, makeLinks, totals, summary, payments, describeRefusal, dataPart });
})();
