/* What the engine has answered, laid out as the edition lays out its own ledgers, with links to clauses and sentences.

   Every word comes in as text and goes out as text. What is otherwise than before the change is marked with a word. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { SUITS, card, spoken } = globalThis.reversis.records;

  /* An element with its class, what else is to be known of it, and what it holds. */
  function make(tag, cls = "", content = [], attributes = {}) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...[content].flat(3));
    return made;
  }
  const signed = (number) => (number > 0 ? `+${number}` : String(number));
  const badge = (words, cls = "") => make("span", `rv-badge ${cls}`, words);
  const joined = (pieces, between = ", ") => pieces.flatMap((one, at) => (at ? [between, one] : [one]));
  const para = (content, cls = "") => make("p", cls, content);
  const bullets = (items, cls = "") => make("ul", cls, items.map((one) => make("li", "", para(one))));

  function face(name) {
    const [sign, colour] = SUITS[name[1]];
    return make("span", "rv-card", [name[0] === "T" ? "10" : name[0], make("span", `rv-suit rv-${colour}`, sign)], { role: "img", "aria-label": spoken(name), title: spoken(name) });
  }
  const withCards = (words) => words.split(/(?<!\w)([AKQJT2-9][SHDC])(?!\w)/).map((part) => (/^[AKQJT2-9][SHDC]$/.test(part) ? face(card(part)) : part));

  /* A table as the edition's own: a caption, named columns, and a list of its rows where there is no room. */
  function table(caption, head, rows, cls) {
    const cells = (row) => row.content.map((content, at) => make(at ? "td" : "th", at ? "" : "stub", Array.isArray(content) && content.blocks ? content : [make("p", "", content)],
      { "data-label": head[at], ...(at ? {} : { scope: "row" }) }));
    return make("div", `table-wrapper rv-table ${cls} docutils container`, make("table", `rv-table ${cls} docutils align-default`, [
      make("caption", "", make("span", "caption-text", caption)),
      make("thead", "", make("tr", "row-odd", head.map((one) => make("th", "head", make("p", "", one), { scope: "col" })))),
      make("tbody", "", rows.map((row) => make("tr", row.cls ?? "", cells(row)))),
    ]));
  }
  const blocks = (...parts) => Object.assign(parts.flat(), { blocks: true });

  function details(summary, content, cls = "") {
    return make("details", cls, [make("summary", "", summary), content]);
  }

  // ---- where things are at home ----------------------------------------------------------------------------------

  /* `places`: kind -> page -> name -> anchor; `root`: the address of the edition's first folder. */
  function ways(places, root) {
    const homes = new Map(Object.entries(places).flatMap(([kind, pages]) => Object.entries(pages).flatMap(([page, names]) =>
      Object.entries(names).map(([name, anchor]) => [`${kind} ${name}`, anchor ? `${page}#${anchor}` : page]))));
    return (kind, name, words = name, title = "") => {
      const home = homes.get(`${kind} ${name}`);
      if (!home) return make("span", "xref", words);
      return make("a", "reference internal", words, { href: new URL(home, root).href, ...(title ? { title } : {}) });
    };
  }
  const short = (id) => id.split(".").at(-1);

  // ---- one ledger ------------------------------------------------------------------------------------------------

  function ledger(one, to) {
    const clauses = new Map(one.clauses.map((clause) => [clause.id, clause]));
    const known = new Map([...one.clauses_were, ...one.clauses].map((clause) => [clause.id, clause]));
    const parts = { settled: () => settled(one, known, to), refused: () => refused(one, clauses, to), silent: () => silent(one, to) }[one.state]();
    const was = one.state_was && one.state_was !== one.state ? [para([badge("changed", "rv-warn"), ` ${STATES_WERE[one.state_was]}`], "rv-was")] : [];
    return make("section", `rv-anew-ledger rv-${one.state}`, [
      make("h3", "", `${one.ruleset}: ${one.title}`),
      ...(one.hybrid ? [para("These are not the rules of one source.", "rv-small")] : []),
      ...was,
      ...parts,
      ...expected(one),
      ...(one.passed_over.length ? [bullets(one.passed_over)] : []),
      ...(one.left_out.length ? [bullets(one.left_out.map((words) => `Left out: ${words}`))] : []),
    ], { "data-ruleset": one.ruleset });
  }
  const STATES_WERE = {
    settled: "Before the change this deal was settled by these rules.",
    refused: "Before the change these rules did not allow the deal.",
    silent: "Before the change these rules were silent on something in the deal.",
  };

  function settled(one, clauses, to) {
    const rows = [...one.entries.map((entry) => row(one, entry, clauses, to)), ...one.gone.map((entry) => row(one, { ...entry, mark: "gone" }, clauses, to))];
    const head = ["Trick", "What happened", "Who pays", "Rests on"];
    const facts = [["Pool before", one.pool_before], ["Pool after", one.pool_after]];
    if (one.outcome.length) facts.push(["Outcome", one.outcome.map((words) => para(words))]);
    if (one.open.length) facts.push(["Still open", one.open.map((words) => para(words))]);
    return [
      rows.length ? table(`The ledger by ${one.ruleset}, in ${one.counters}`, head, rows, "rv-entries rv-stack") : para("Nothing is paid."),
      ...(one.clauses.length ? [details(`What these ${one.clauses.length} clauses say`, bullets(one.clauses.map((clause) => clauseLine(clause, to))), "rv-words")] : []),
      make("dl", "rv-facts", facts.flatMap(([name, said]) => [make("dt", "", name), make("dd", "", Array.isArray(said) ? said : para(said))])),
    ];
  }

  const MARKS = { new: "new", changed: "changed", gone: "no longer" };

  function row(one, entry, clauses, to) {
    const when = entry.trick === null ? (["misdeal", "dealt-again"].includes(entry.rule) ? "before the play" : "after the play") : String(entry.trick);
    const mark = entry.mark ? [badge(MARKS[entry.mark], "rv-warn"), " "] : [];
    const before = entry.mark === "changed" ? [para(`≠ before: ${entry.was.map((each) => posting(each, one)).join("; ") || "nobody paid"}`, "rv-was")] : [];
    return {
      cls: entry.mark ? `rv-marked rv-marked-${entry.mark}` : "",
      content: [
        when,
        blocks(para([...mark, entry.sentence]), entry.chosen.length ? para(`by choice of the reader: ${entry.chosen.join(", ")}`) : []),
        blocks(entry.postings.length ? make("ul", "rv-postings simple", entry.postings.map((each) => make("li", "", para(paid(each, one))))) : para("nobody pays"), before),
        blocks(restsOn(one, entry, clauses, to)),
      ],
    };
  }
  const counter = (each, one) => each.amount === 1 ? one.unit : one.counters;
  const posting = (each, one) => `${each.payer} to ${each.payee} ${each.amount} ${counter(each, one)}`;
  const paid = (each, one) => make("span", "rv-posting", [`${each.payer} to ${each.payee} `, make("strong", "", String(each.amount)), ` ${counter(each, one)}`],
    { "data-payer": each.payer, "data-payee": each.payee, "data-amount": String(each.amount) });

  function restsOn(one, entry, clauses, to) {
    const named = entry.clauses.map((id) => {
      const clause = clauses.get(id);
      const place = clause?.locus ? [" (", to("sentence", clause.locus, short(clause.locus)), ")"] : [];
      return [to("clause", id, short(id), clause?.short), ...place];
    });
    const asked = entry.rulings.filter((each) => each.clauses.length).map((each) => to("cell", `${each.id}@${one.source}`, each.id, `${each.slug}: ${each.value}`));
    const mended = entry.emendations.map((id) => to("emendation", id));
    return make("div", "rv-rests", [
      para(joined(named).flat()),
      ...(mended.length ? [para(["by the emendation ", ...joined(mended)], "rv-small")] : []),
      para(["asked: ", ...joined(asked, " ")], "rv-small"),
    ]);
  }

  const KIND = { quotation: "", paraphrase: "in our words", supplied: "supplied by us", reason: "no answer" };

  function clauseLine(clause, to) {
    const said = clause.kind === "quotation" ? make("span", "", ["“", make("span", "", clause.words, { lang: clause.lang }), "”"]) : `(${KIND[clause.kind]}) ${clause.words}`;
    return [to("clause", clause.id), " ", said, ...(clause.locus ? [" ", to("sentence", clause.locus)] : [])];
  }

  function refused(one, clauses, to) {
    const lines = one.refusals.map((each) => make("span", "rv-refusal", [
      ...withCards(each.message), ".",
      ...(each.clauses.length ? [" It rests on ", ...joined(each.clauses.map((id) => to("clause", id))), "."] : []),
    ], { "data-of": each.card }));
    return [
      para([badge("refused", "rv-refused"), " By these rules the deal cannot be played so."]),
      bullets(lines.map((each) => [each])),
      ...(clauses.size ? [bullets([...clauses.values()].map((clause) => clauseLine(clause, to)))] : []),
    ];
  }

  function silent(one, to) {
    const { message, question, asks } = one.silence;
    return [para([badge("silent", "rv-silent"), ` ${message} `, to("question", question), ` ${asks}`])];
  }

  function expected(one) {
    if (!one.expectation) return [];
    const { met, missed, reasoning } = one.expectation;
    const words = met ? "All expected figures came out." : "Not all expected figures came out:";
    return [
      para(badge(words, met ? "rv-good" : "rv-warn"), "rv-expected"),
      ...(missed.length ? [bullets(missed.map((each) => `${each.what}: expected ${each.expected}, found ${each.found}`))] : []),
      ...(reasoning ? [para([make("span", "rv-label", "The arithmetic"), ` ${reasoning}`])] : []),
    ];
  }

  // ---- all of them -----------------------------------------------------------------------------------------------

  const STATE = { settled: "settled", refused: "cannot be played so", silent: "the source is silent" };

  function sums(ledgers) {
    const accounts = [...new Set(ledgers.flatMap((one) => one.net.map(([who]) => who)))];
    if (!accounts.length) return [];
    const rows = ledgers.map((one) => {
      const net = new Map(one.net);
      return { content: [one.ruleset, ...accounts.map((who, at) => sum(net.get(who), one.net_was[one.net.findIndex(([name]) => name === who)])), one.state === "settled" ? one.counters : STATE[one.state]] };
    });
    return [table("Gains and losses", ["Rules", ...accounts, "In"], rows, "rv-results")];
  }
  function sum(now, was) {
    if (now === undefined) return "–";
    return was === undefined || was === now ? signed(now) : blocks(para(signed(now)), para(`≠ before: ${signed(was)}`, "rv-was"));
  }

  /* The answer to `run`: sums, ledgers, and the data as the command line prints it. */
  function results(answer, to) {
    const marked = answer.ledgers.some((one) => one.state_was);
    return [
      ...(marked ? [para("What is otherwise than in the deal as it stands in the edition, by the same rules, is marked: new, changed, no longer.", "rv-small")] : []),
      ...sums(answer.ledgers),
      ...answer.ledgers.map((one) => ledger(one, to)),
      details("The same as data, a line for each source, as the command line prints it (reversis run --format json)", make("pre", "rv-data", answer.results.join("\n"), { tabindex: "0", "aria-label": "The results as JSON", role: "region" })),
    ];
  }

  Object.assign(globalThis.reversis, { make, face, badge, para, details, bullets, ways, results });
})();
