/* A reader changes a deal, and the engine of the edition settles it anew in his browser.

   The record is the one thing that is kept; form, cards and text are three views of it and always in step. The engine
   runs in a thread of its own (anew-worker.js) and is fetched when a reader asks for it, not before. Without a script,
   or before the button is pressed, nothing of this is seen. */
"use strict";
(() => {
  const stage = document.querySelector(".rv-anew");
  if (!stage) return;
  const HERE = document.currentScript.src;
  const ROOT = new URL("../", HERE);
  const PLAY = new URL("play/", ROOT);
  const { records, make, face, badge, para, details, ways, results } = globalThis.reversis;
  const { isTable, list, lineOf, wordsOf, card, spoken, sorted } = records;
  const OWN = "own" in stage.dataset;
  const ON_DISK = location.protocol === "file:";
  const ORIGINAL = stage.dataset.record;
  const first = () => JSON.parse(ORIGINAL);
  const all = (where, what) => [...where.querySelectorAll(what)];

  const state = {
    record: first(), sources: stage.dataset.source ? [stage.dataset.source] : [], wishes: [],
    chosen: null, undo: [], settled: "", problems: [], choices: null, places: null,
  };

  // ---- small parts -----------------------------------------------------------------------------------------------

  function button(words, act, cls = "", attributes = {}) {
    const made = make("button", `rv-do ${cls}`, words, { type: "button", ...attributes });
    made.addEventListener("click", act);
    return made;
  }

  /* Fields show the record; the one that is being written into is left alone. */
  const fields = [];
  function field(label, show, keep, { way = "", kind = "text", cls = "", ...attributes } = {}) {
    const node = make(kind === "area" ? "textarea" : "input", "", [], { ...(kind === "area" ? {} : { type: kind }), spellcheck: "false", autocomplete: "off", ...(way ? { "data-way": way } : {}), ...attributes });
    node.addEventListener("input", () => edit(() => keep(kind === "checkbox" ? node.checked : node.value), node));
    fields.push({ node, show });
    const words = make("span", "rv-field-name", label);
    return make("label", `rv-field ${kind === "checkbox" ? "rv-field-check" : ""} ${cls}`, kind === "checkbox" ? [node, words] : [words, node]);
  }
  function select(label, options, show, keep, { way = "", cls = "" } = {}) {
    const node = make("select", "", options().map(option), way ? { "data-way": way } : {});
    node.addEventListener("change", () => edit(() => keep(node.value)));
    fields.push({ node, show: () => {
      const wanted = String(show() ?? "");
      const known = options();
      const shown = known.some(([value]) => value === wanted) ? known : [[wanted, wanted || "–"], ...known];
      node.replaceChildren(...shown.map(option));
      return wanted;
    } });
    return make("label", `rv-field ${cls}`, [make("span", "rv-field-name", label), node]);
  }
  const option = ([value, words]) => make("option", "", words, { value });
  const group = (legend, content, cls = "") => make("fieldset", `rv-group ${cls}`, [make("legend", "", legend), content]);

  // ---- the record ------------------------------------------------------------------------------------------------

  const seats = () => list(state.record.seats).map(String);
  const hands = () => (isTable(state.record.hands) ? state.record.hands : {});
  const tricks = () => list(state.record.tricks);
  const put = (key, value) => { state.record = { ...state.record, [key]: value }; };
  const shape = () => JSON.stringify([seats(), tricks().length, ...LISTS.map(({ key }) => list(state.record[key]).length), claims().length, manyPools(), records.shown(state.record), state.choices !== null]);
  const claims = () => Object.entries(isTable(state.record.claims) ? state.record.claims : {});
  const manyPools = () => isTable(state.record.pool) && Object.values(state.record.pool).some(isTable);

  /* A change of the record: what it was can be had again; a worked deal that is changed is no longer that deal. */
  function edit(change, node = null) {
    const before = JSON.stringify(state.record);
    const built = shape();
    change();
    if (JSON.stringify(state.record) === before) return;
    if (state.undo.length === 0 || !node || state.undo.at(-1).node !== node) state.undo.push({ record: before, node });
    ownName();
    if (shape() !== built) build();
    sync();
  }

  function ownName() {
    const was = first();
    if (OWN || state.record.deal !== was.deal || JSON.stringify(state.record) === ORIGINAL) return;
    const { cites, note, expect, ...kept } = state.record;
    state.record = { ...kept, deal: `${was.deal}-changed`, title: was.title ? `${was.title}, changed` : "", provenance: "constructed" };
  }

  function undo() {
    const last = state.undo.pop();
    if (!last) return;
    open(JSON.parse(last.record), "Taken back.");
  }

  /* Another record takes the place of the one that is shown. */
  function open(record, words) {
    state.record = record;
    state.chosen = null;
    state.problems = [];
    build();
    sync();
    say(words);
  }
  function replace(record, words) {
    state.undo.push({ record: JSON.stringify(state.record), node: null });
    open(record, words);
  }

  // ---- cards -----------------------------------------------------------------------------------------------------

  /* A card that can be chosen; when another is chosen too, the two change places. */
  function pick(word, where) {
    const name = card(word);
    if (!name) return make("span", "rv-unknown", [word, make("span", "rv-unseen", " (no card)")]);
    const heard = make("span", "rv-unseen", `, ${where}`); // its name is what is seen, and where that lies
    return button([face(name), heard], () => choose(name, where), "rv-pick", { "data-card": name, "data-where": where, "aria-pressed": String(state.chosen === name) });
  }

  function choose(name, where) {
    const other = state.chosen;
    state.chosen = other === null || other === name ? (other === name ? null : name) : null;
    if (other && other !== name) {
      edit(() => { state.record = records.swap(state.record, other, name); });
      say(`The ${spoken(other)} and the ${spoken(name)} have changed places, in the hands and in the play.`);
      focusOn(other, where);
    } else {
      say(state.chosen ? `The ${spoken(name)} is chosen. Choose the card with which it is to change places; Escape lets it go.` : "No card is chosen.");
    }
    for (const one of all(editor, ".rv-pick")) one.setAttribute("aria-pressed", String(one.dataset.card === state.chosen));
  }
  const focusOn = (name, where) => (all(editor, ".rv-pick").find((one) => one.dataset.card === name && one.dataset.where === where) ?? all(editor, ".rv-pick").find((one) => one.dataset.card === name))?.focus();

  const rows = []; // rows of cards that follow the record
  function cardRow(content) {
    const made = make("span", "rv-picks");
    rows.push(() => made.replaceChildren(...content()));
    return made;
  }

  function handPart(seat) {
    const words = () => hands()[seat];
    return make("div", "rv-hand", [
      make("p", "rv-hand-name", [make("strong", "", seat), dealerMark(seat), countOf(words)]),
      cardRow(() => sorted(wordsOf(words()).map(card).filter(Boolean)).map((name) => pick(name, `hand of ${seat}`)).concat(strangers(words()))),
      field(`Hand of ${seat}`, () => lineOf(words()), (text) => put("hands", { ...hands(), [seat]: text }), { way: `hands/${seat}` }),
    ]);
  }
  const strangers = (raw) => wordsOf(raw).filter((word) => !card(word)).map((word) => pick(word, ""));
  function dealerMark(seat) {
    const made = make("span");
    rows.push(() => made.replaceChildren(...(state.record.dealer === seat ? [" ", badge("dealer")] : [])));
    return made;
  }
  function countOf(words) {
    const made = make("span", "rv-small");
    rows.push(() => { made.textContent = ` ${wordsOf(words()).length} cards`; });
    return made;
  }

  function talonPart() {
    const words = () => state.record.talon;
    return make("div", "rv-hand", [
      make("p", "rv-hand-name", [make("strong", "", "the talon"), countOf(words)]),
      cardRow(() => wordsOf(words()).map((word) => pick(word, "the talon"))),
      field("The talon", () => lineOf(words()), (text) => put("talon", text), { way: "talon" }),
    ]);
  }

  function trickPart(at) {
    const words = () => tricks()[at];
    const change = (row) => put("tricks", tricks().map((one, other) => (other === at ? row : one)));
    const turn = () => edit(() => { const row = wordsOf(words()); change([...row.slice(1), ...row.slice(0, 1)].join(" ")); });
    return make("li", "rv-trick-row", [
      make("span", "rv-trick-name", `Trick ${at + 1}`),
      cardRow(() => wordsOf(words()).map((word) => make("span", "rv-lies", [pick(word, `trick ${at + 1}`), make("span", "rv-by-seat", records.holder(state.record, card(word)) || "?")]))),
      field(`Trick ${at + 1}, the leader's card first`, () => lineOf(words()), change, { way: `tricks/${at}`, cls: "rv-bare" }),
      button("next leads", turn, "rv-slight", { "aria-label": `next leads, in trick ${at + 1}` }),
    ]);
  }

  // ---- what else a record tells ----------------------------------------------------------------------------------

  const named = (values) => values.map((one) => [one, one]);
  const KINDS = {
    seat: () => [["", "–"], ...named(seats())],
    what: () => [["", "–"], ...named(state.choices?.announced ?? ["espagnolette", "reversis"])],
    kind: () => [["", "–"], ...Object.entries(state.choices?.faults ?? {}).map(([name, { says }]) => [name, `${name}: ${says}`])],
    noticed: () => [["", "–"], ...named(state.choices?.noticed ?? [])],
  };
  const LISTS = [
    { key: "exchange", title: "Exchanges, in order", one: "an exchange", parts: { seat: "seat", out: "card", in: "card", looked: "flag" } },
    { key: "announced", title: "Announced", one: "an announcement", parts: { what: "what", seat: "seat", before: "number" } },
    { key: "faults", title: "Faults", one: "a fault", parts: { kind: "kind", seat: "seat", trick: "number", noticed: "noticed", redeemed: "flag", accepted: "flag" } },
  ];
  const CALLED = { out: "lays out", in: "takes", looked: "looked at the card left", before: "before trick", trick: "in trick", noticed: "noticed", redeemed: "bought back", accepted: "let stand by all", what: "what", kind: "fault", seat: "seat" };

  function listPart({ key, title, one, parts }) {
    const entries = list(state.record[key]);
    const set = (changed) => { if (changed.length) put(key, changed); else { const { [key]: gone, ...kept } = state.record; state.record = kept; } };
    const items = entries.map((_, at) => make("li", "rv-entry", [
      ...Object.entries(parts).map(([part, kind]) => entryField(key, at, part, kind)),
      button("take out", () => edit(() => set(list(state.record[key]).filter((_, other) => other !== at))), "rv-slight", { "aria-label": `take out ${one}, number ${at + 1}` }),
    ]));
    const fresh = () => edit(() => set([...list(state.record[key]), { [Object.keys(parts)[0]]: "" }]));
    return make("div", "rv-list", [make("p", "rv-list-name", title), ...(items.length ? [make("ul", "rv-entries-list", items)] : []), button(`Add ${one}`, fresh, "rv-slight")]);
  }

  function entryField(key, at, part, kind) {
    const entry = () => { const found = list(state.record[key])[at]; return isTable(found) ? found : {}; };
    const keep = (value) => {
      const { [part]: gone, ...kept } = entry();
      const changed = value === "" || value === false ? kept : { ...entry(), [part]: value };
      put(key, list(state.record[key]).map((one, other) => (other === at ? changed : one)));
    };
    const way = `${key}/${at}`;
    const show = () => entry()[part] ?? "";
    if (KINDS[kind]) return select(CALLED[part], KINDS[kind], show, keep, { way });
    if (kind === "flag") return field(CALLED[part], () => entry()[part] === true, keep, { way, kind: "checkbox" });
    return field(CALLED[part], () => String(show()), (text) => keep(kind === "number" ? whole(text) : text), { way, cls: "rv-short" });
  }
  const whole = (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text);

  function claimsPart() {
    const set = (pairs) => { const { claims: gone, ...kept } = state.record; state.record = pairs.length ? { ...kept, claims: Object.fromEntries(pairs) } : kept; };
    const items = claims().map(([name], at) => make("li", "rv-entry", [
      field("card led", () => claims()[at]?.[0] ?? "", (text) => set(claims().map((pair, other) => (other === at ? [text, pair[1]] : pair))), { way: `claims/${name}`, cls: "rv-short" }),
      field("claimed", () => claims()[at]?.[1] === true, (yes) => set(claims().map((pair, other) => (other === at ? [pair[0], yes] : pair))), { kind: "checkbox" }),
      button("take out", () => edit(() => set(claims().filter((_, other) => other !== at))), "rv-slight", { "aria-label": `take out the claim on ${name}` }),
    ]));
    return make("div", "rv-list", [make("p", "rv-list-name", "Claims: aces and the quinola, led, count as claimed unless it is said here"), ...(items.length ? [make("ul", "rv-entries-list", items)] : []),
      button("Add a claim", () => edit(() => set([...claims(), ["AS", false]])), "rv-slight")]);
  }

  function poolPart() {
    if (manyPools()) return para("Each source has a pool of its own in this record; change them in the text below.", "rv-small");
    const pool = () => (isTable(state.record.pool) ? state.record.pool : {});
    const waiting = (text) => text.split(/[\s,]+/).filter(Boolean).map(whole);
    return make("div", "rv-row", [
      field("Stake", () => String(pool().stake ?? ""), (text) => put("pool", { ...pool(), stake: whole(text) }), { way: "pool/stake", inputmode: "numeric", cls: "rv-short" }),
      field("Sums that wait, oldest first", () => list(pool().waiting).join(" "), (text) => put("pool", { ...pool(), waiting: waiting(text) }), { way: "pool/waiting" }),
      field("supplements are paid", () => pool().supplements_paid === true, (yes) => put("pool", { ...pool(), supplements_paid: yes }), { way: "pool/supplements_paid", kind: "checkbox" }),
    ]);
  }

  function reseat(text) {
    const fresh = text.split(/[\s,]+/).filter(Boolean);
    const before = seats();
    const held = fresh.map((seat, at) => [seat, hands()[seat] ?? (before[at] && !fresh.includes(before[at]) ? hands()[before[at]] : undefined) ?? ""]);
    const dealer = fresh[before.indexOf(state.record.dealer)];
    state.record = { ...state.record, seats: fresh, hands: Object.fromEntries(held), ...(fresh.includes(state.record.dealer) || !dealer ? {} : { dealer }) };
  }

  function factsPart() {
    const text = (key) => [() => String(state.record[key] ?? ""), (value) => put(key, value), { way: key }];
    return [
      make("div", "rv-row", [
        field("Name of the record", ...text("deal")),
        field("Title", ...text("title")),
        select("Pack", () => [["48", "48 cards, without the tens"], ["52", "52 cards"]], () => state.record.pack, (value) => put("pack", whole(value)), { way: "pack" }),
        field("Seats, in order of play", () => seats().join(" "), reseat, { way: "seats" }),
        select("Dealer", () => named(seats()), () => state.record.dealer, (value) => put("dealer", value), { way: "dealer" }),
      ]),
      poolPart(),
      ...LISTS.map(listPart),
      claimsPart(),
      field("A fragment: some tricks are missing", () => state.record.fragment === true, (yes) => { const { fragment, ...kept } = state.record; state.record = yes ? { ...kept, fragment: true } : kept; }, { way: "fragment", kind: "checkbox" }),
    ];
  }

  // ---- the record as text ----------------------------------------------------------------------------------------

  const amiss = make("p", "rv-problem", [], { role: "status" });
  function textPart() {
    const keep = (letters) => {
      try {
        state.record = records.read(letters);
        amiss.textContent = "";
      } catch (fault) {
        amiss.textContent = `${fault.message} The form keeps what could be read last.`;
      }
    };
    return [
      para("The same record as JSON: what is written here stands in the form at once, and the other way round.", "rv-small"),
      field("The record as text", () => { amiss.textContent = ""; return records.write(state.record); }, keep, { kind: "area", rows: "16", cls: "rv-as-text" }),
      amiss,
    ];
  }

  // ---- by whose rules --------------------------------------------------------------------------------------------

  function rulesPart() {
    if (ON_DISK || !state.choices) return [];
    const sources = state.choices.sources.map(({ id, title }) => {
      const node = make("input", "", [], { type: "checkbox", name: "rv-rules", value: id, ...(state.sources.includes(id) ? { checked: "" } : {}) });
      node.addEventListener("change", () => { state.sources = all(editor, "input[name=rv-rules]:checked").map((one) => one.value); stale(); });
      return make("label", "rv-source-choice", [node, ` ${id} `, make("span", "rv-small", title)]);
    });
    return [group("By the rules of", [make("div", "rv-source-choices", sources), wishPart()], "rv-by-rules")];
  }

  function wishPart() {
    const held = make("ul", "rv-wishes");
    const typed = make("input", "", [], { type: "text", list: "rv-questions", spellcheck: "false", autocomplete: "off", "aria-describedby": "rv-wish-help" });
    const add = (text) => { if (text.trim() && !state.wishes.includes(text.trim())) state.wishes.push(text.trim()); refresh(); };
    const enter = () => { add(typed.value); typed.value = ""; typed.focus(); };
    typed.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); enter(); } });
    const readings = make("select", "", [make("option", "", "none chosen", { value: "" }), ...readingGroups()]);
    readings.addEventListener("change", () => { add(readings.value); readings.value = ""; });
    const refresh = () => {
      stale();
      held.replaceChildren(...state.wishes.map((wish) => make("li", "", [make("code", "", wish), " ", wishWords(wish), " ",
        button("take out", () => { state.wishes = state.wishes.filter((one) => one !== wish); refresh(); typed.focus(); }, "rv-slight", { "aria-label": `take out ${wish}` })])));
    };
    refresh();
    const questions = make("datalist", "", state.choices.questions.map(({ id, slug, asks }) => make("option", "", `${slug}: ${asks}`, { value: `${id}=` })), { id: "rv-questions" });
    return details("Other readings and answers", [
      make("label", "rv-field", [make("span", "rv-field-name", "Take another reading, or an option that a source offers"), readings]),
      make("div", "rv-row", [make("label", "rv-field", [make("span", "rv-field-name", "Or write a wish"), typed]), button("Add the wish", enter, "rv-slight"), questions]),
      make("p", "rv-small", "As after --with on the command line: Q031=3 gives an answer, Q017@ACA borrows one from a source, PAM.i01 takes an interpretation or option.", { id: "rv-wish-help" }),
      held,
    ]);
  }
  const wishWords = (wish) => make("span", "rv-small", state.choices.readings.find(({ id }) => id === wish)?.label ?? "");
  function readingGroups() {
    const kinds = [["interpretation", "interpretations"], ["option", "options"]];
    const groups = state.choices.sources.flatMap(({ id }) => kinds.map(([kind, words]) => [`${id}: ${words}`, state.choices.readings.filter((one) => one.source === id && one.kind === kind)]));
    return groups.filter(([, found]) => found.length).map(([label, found]) => make("optgroup", "", found.map((one) => option([one.id, `${one.id}: ${one.label}`])), { label }));
  }

  // ---- the engine ------------------------------------------------------------------------------------------------

  const engine = { worker: null, opening: null, waiting: null };
  const megabytes = (octets) => (octets / 1e6).toFixed(1);
  const bar = make("progress", "", [], { max: "1", "aria-label": "What has arrived" });
  const counted = make("span", "rv-small rv-counted");
  const heard = make("p", "rv-heard", [], { "aria-live": "polite" });
  const cancel = button("Cancel", () => stop("Cancelled."));
  const progress = make("div", "rv-progress", [heard, make("p", "", [bar, " ", counted, " ", cancel])], { hidden: "hidden" });

  function working(words) {
    progress.hidden = !words;
    for (const one of all(editor, ".rv-needs-engine")) one.setAttribute("aria-disabled", String(Boolean(words)));
    if (words && heard.textContent !== words) heard.textContent = words;
    if (!words) heard.textContent = "";
  }

  function arrived({ step, done, total }) {
    const part = total ? Math.min(1, done / total) : 0;
    if (part < 1) bar.value = part; else bar.removeAttribute("value");
    counted.textContent = `${megabytes(done)} of ${megabytes(total)} MB`;
    const tenths = Math.floor(part * 4) * 25;
    working(tenths < 100 ? `${step} (${tenths} %) …` : `${step === "Fetching Python" ? "Starting Python" : step} …`);
  }

  function stop(words) {
    engine.worker?.terminate();
    const waiting = engine.waiting;
    Object.assign(engine, { worker: null, opening: null, waiting: null });
    working("");
    waiting?.reject(new Error(words));
  }

  /* One message is under way at a time; the thread tells how far it has come until it answers. */
  function send(message) {
    return new Promise((resolve, reject) => {
      engine.waiting = { resolve, reject };
      engine.worker.postMessage(message);
    });
  }

  function begin() {
    engine.worker = new Worker(new URL("anew-worker.js", HERE), { type: "module" });
    engine.worker.addEventListener("message", ({ data }) => {
      if ("step" in data) arrived(data);
      else if ("fault" in data) engine.waiting?.reject(new Error(data.fault));
      else engine.waiting?.resolve(data);
    });
    engine.worker.addEventListener("error", (event) => stop(`The engine could not be started${event.message ? `: ${event.message}` : ""}.`));
    return send({ open: { sizes: state.choices.sizes, lock: state.choices.lock } });
  }

  async function ask(request) {
    if (engine.waiting) throw new Error("The engine is still at work.");
    working("Fetching Python …");
    try {
      if (!engine.worker) await begin();
      working("The engine is at work …");
      counted.textContent = "";
      bar.removeAttribute("value");
      return (await send({ ask: request })).answer;
    } finally {
      engine.waiting = null;
      working("");
    }
  }

  /* Ask, and tell what stands in the way; nothing comes back then. */
  async function asked(request) {
    try {
      const answer = await ask(request);
      if (answer.wrong) throw new Error(answer.wrong);
      if (answer.problems) return void trouble(answer.problems);
      return answer;
    } catch (fault) {
      showOutcome(para(fault.message, "rv-problem"));
      say(fault.message);
    }
  }

  // ---- what the engine makes of it -------------------------------------------------------------------------------

  async function settle() {
    clearProblems();
    if (!state.sources.length) return say("Choose at least one source.");
    const record = records.write(state.record);
    const whole = { record, sources: state.sources, wishes: state.wishes };
    const answer = await asked({ do: "run", ...whole, name: `${fileName()}.json`, ...(OWN ? {} : { before: ORIGINAL }) });
    if (!answer) return;
    state.places ??= await fetched("places.json");
    showOutcome(...results(answer, ways(state.places ?? {}, ROOT)));
    state.settled = JSON.stringify(whole);
    stale();
    say(`Settled by ${answer.ledgers.map((one) => `${one.ruleset}: ${one.state}`).join("; ")}.`);
  }

  function showOutcome(...parts) {
    outcome.replaceChildren(make("h3", "rv-outcome-head", "What comes of it", { tabindex: "-1" }), old, ...parts);
    outcome.hidden = false;
    stale();
    outcome.querySelector("h3").focus();
  }
  const old = para("The record, or the rules, have been changed since: settle the deal again.", "rv-stale");
  old.hidden = true;
  function stale() {
    const now = JSON.stringify({ record: records.write(state.record), sources: state.sources, wishes: state.wishes });
    old.hidden = !state.settled || state.settled === now || !outcome.querySelector(".rv-anew-ledger");
  }

  /* All problems together, and each beside the field that it is about. */
  function trouble(problems) {
    state.problems = problems;
    const items = problems.map((one) => {
      const node = fieldOf(one.way);
      const go = node ? [" ", button("Go there", () => reach(node), "rv-slight", { "aria-label": `Go there: ${one.way}` })] : [];
      return make("li", "", [make("p", "", [one.way ? make("code", "", one.way) : "", one.way ? ": " : "", one.what, ". ", make("span", "rv-way-out", one.way_out), ...go])]);
    });
    showOutcome(para(badge(problems.length === 1 ? "a problem in the record" : `${problems.length} problems in the record`, "rv-warn")), make("ul", "rv-problems", items));
    beside();
    say(`${problems.length} in the record must be mended first.`);
  }
  function beside() {
    for (const old of all(editor, ".rv-beside-field")) old.remove();
    for (const node of all(editor, "[aria-invalid]")) { node.removeAttribute("aria-invalid"); node.removeAttribute("aria-describedby"); }
    state.problems.forEach((one, at) => {
      const node = fieldOf(one.way);
      if (!node) return;
      const id = `rv-problem-${at}`;
      node.closest("label").after(make("p", "rv-problem rv-beside-field", `${one.what}. ${one.way_out}`, { id }));
      node.setAttribute("aria-invalid", "true");
      node.setAttribute("aria-describedby", [node.getAttribute("aria-describedby"), id].filter(Boolean).join(" "));
    });
  }
  function clearProblems() {
    state.problems = [];
    beside();
  }
  /* The field of a place in the record, or of what it lies in. */
  function fieldOf(way) {
    for (let steps = way.split("/"); steps.length && steps[0]; steps = steps.slice(0, -1)) {
      const found = all(editor, "[data-way]").find((one) => one.dataset.way === steps.join("/"));
      if (found) return found;
    }
    return null;
  }
  function reach(node) {
    for (let box = node.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    node.focus();
    node.scrollIntoView({ block: "center" });
  }

  // ---- by lot ----------------------------------------------------------------------------------------------------

  const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
  const ruling = () => state.sources[0] ?? state.choices.sources[0].id;
  const known = () => (["4", "5"].includes(String(seats().length)) ? { players: seats().length } : {});

  async function byLot() {
    const number = seed();
    const answer = await asked({ do: "random", source: state.sources.length === 1 ? ruling() : "", seed: number, ...known() });
    if (answer) replace(answer.record, `Dealt and played by lot; the number of this deal is ${number}.`);
  }
  async function finish() {
    const from = Number(editor.querySelector(".rv-from").value);
    clearProblems();
    const answer = await asked({ do: "finish", record: records.write(state.record), source: ruling(), wishes: state.wishes, kept: from - 1, seed: seed() });
    if (answer) replace(named_(answer.record), `From trick ${from} on played by lot, as ${ruling()} allows.`);
  }
  async function lead() {
    clearProblems();
    const answer = await asked({ do: "lead", record: records.write(state.record), source: ruling(), wishes: state.wishes });
    if (answer) replace(named_(answer.record), `Each trick is now led by the player who is to lead it by ${ruling()}.`);
  }
  /* What the engine has changed has a name of its own, too. */
  function named_(record) {
    const before = state.record;
    state.record = record;
    ownName();
    const made = state.record;
    state.record = before;
    return made;
  }

  // ---- files and links -------------------------------------------------------------------------------------------

  const fileName = () => String(state.record.deal ?? "").replace(/[^\w.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 80) || "my-deal";

  function download() {
    const address = URL.createObjectURL(new Blob([`${records.write(state.record)}\n`], { type: "application/json" }));
    const link = make("a", "", "", { href: address, download: `${fileName()}.json` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    say(`${fileName()}.json is kept. reversis run ${fileName()}.json settles it on the command line.`);
  }

  async function openFile(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    try {
      if (file.size > records.LONGEST.record) throw new Error(`${file.name} is far too large for a deal record.`);
      replace(records.read(await file.text()), `${file.name} is opened.`);
    } catch (fault) {
      say(`${file.name} was not opened. ${fault.message} Records are opened here as JSON; reversis run reads YAML too.`, true);
    }
  }

  async function linkIt() {
    const fragment = await records.link({ record: state.record, sources: state.sources, wishes: state.wishes });
    if (fragment.length > records.LONGEST.link) return say("This record is too long for a link; send the file.", true);
    history.replaceState(history.state, "", fragment);
    const address = location.href;
    const shown = make("input", "", [], { type: "text", readonly: "", value: address, "aria-label": "Link to this deal" });
    say("The link stands in the address of this page; copy it from there, or from here:");
    notice.append(" ", shown);
    shown.select();
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    if (copied && shown.isConnected) notice.firstChild.textContent = "The link is copied; it stands in the address of this page too, and here:";
  }

  async function follow() {
    let found = null;
    try {
      found = await records.unlink(location.hash);
    } catch (fault) {
      reveal();
      stage.scrollIntoView();
      return say(fault.message, true);
    }
    if (!found) return;
    reveal();
    if (found.sources.length) state.sources = found.sources.filter((one) => !state.choices || state.choices.sources.some(({ id }) => id === one));
    state.wishes = found.wishes;
    replace(found.record, "The deal of this link is laid out. Settle it to see what comes of it.");
    stage.scrollIntoView();
  }

  // ---- all together ----------------------------------------------------------------------------------------------

  const editor = make("div", "rv-editor");
  const notice = make("p", "rv-notice", [], { role: "status" });
  const outcome = make("div", "rv-outcome");
  outcome.hidden = true;
  function say(words, bad = false) {
    notice.className = `rv-notice ${bad ? "rv-problem" : ""}`;
    notice.replaceChildren(words);
  }

  function toolbar() {
    const file = make("input", "", [], { type: "file", accept: ".json,application/json" });
    file.addEventListener("change", openFile);
    const back = () => replace(first(), OWN ? "A deal by lot, lawful by every source." : "The deal as it stands in the edition.");
    return make("div", "rv-tools", [
      button("Take back", undo), button(OWN ? "The deal that lay here first" : "The deal as it was", back),
      button("An empty table", () => replace(records.blank(), "An empty table for four.")),
      ...(ON_DISK ? [] : [button("Deal at random", ready(byLot), "rv-needs-engine")]),
      make("label", "rv-do rv-file", ["Open a record …", file]),
      button("Download the record", download), button("Link to this deal", linkIt),
    ]);
  }
  /* What needs the engine does nothing while it is at work. */
  const ready = (act) => () => { if (!engine.waiting && state.choices) return act(); };

  function byLotPart() {
    if (ON_DISK || !state.choices) return [];
    const from = make("select", "rv-from", tricks().map((_, at) => option([String(at + 1), String(at + 1)])));
    return [make("div", "rv-row rv-helps", [
      button("Let those lead who are to lead", ready(lead), "rv-slight rv-needs-engine"),
      make("span", "", [make("label", "", ["From trick ", from, " on "]), button("play by lot", ready(finish), "rv-slight rv-needs-engine")]),
      make("span", "rv-small", "as the first source chosen below allows."),
    ])];
  }

  function playing() {
    const more = () => edit(() => put("tricks", [...tricks(), ""]));
    const fewer = () => edit(() => put("tricks", tricks().slice(0, -1)));
    return [
      make("ol", "rv-trick-rows", tricks().map((_, at) => trickPart(at))),
      make("div", "rv-row", [button("Add a trick", more, "rv-slight"), button("Take out the last trick", fewer, "rv-slight")]),
      ...byLotPart(),
    ];
  }

  function actions() {
    if (ON_DISK) return disk();
    if (!state.choices) return para("The engine cannot be reached from here. Download the record; reversis run settles it on the command line.", "rv-problem");
    const size = Object.values(state.choices.sizes).reduce((sum, one) => sum + one, 0);
    return make("div", "rv-actions", [button("Settle the deal", ready(settle), "rv-main rv-needs-engine"), ...(engine.worker ? [] : [make("span", "rv-small rv-size", `The first time, Python is fetched from this site: ${megabytes(size)} MB. Nothing is sent.`)])]);
  }
  const disk = () => make("div", "rv-actions rv-on-disk", [
    para(["This page was opened from a folder, and browsers do not let such a page start the engine. Run ", make("code", "", "reversis serve"), " and open the address that it tells: there the deal is settled in the browser."]),
    para(["Or download the record, and settle it on the command line: ", make("code", "", `reversis run ${fileName()}.json`), "."]),
  ]);

  function build() {
    fields.length = rows.length = 0;
    const opened = new Set(all(editor, "details[open] > summary").map((one) => one.textContent));
    const formed = records.shown(state.record);
    editor.replaceChildren(
      toolbar(), notice,
      ...(formed ? [
        group("The cards", [para("Choose a card, and then another: the two change places, in the hands and in the play. Or write the cards: A K Q J T 9 … 2 with S H D C, as in QH.", "rv-small"),
          make("div", "rv-hands-edit", [...seats().map(handPart), talonPart()])], "rv-cards-edit"),
        group("The play", playing(), "rv-play-edit"),
        details("What else the record tells: pack, seats, dealer, pool, exchanges, claims, announcements, faults", factsPart(), "rv-facts-edit"),
      ] : [para("This record has more in it than a form can show; it stands here as text.", "rv-problem")]),
      details("The record as text", textPart(), "rv-text-edit"),
      ...rulesPart(), actions(), progress, outcome,
    );
    for (const box of all(editor, "details")) box.open = opened.has(box.querySelector("summary").textContent) || (!formed && box.matches(".rv-text-edit"));
  }

  function sync() {
    for (const fill of rows) fill();
    for (const { node, show } of fields) {
      const value = show();
      if (node === document.activeElement && node.tagName !== "SELECT") continue;
      if (node.type === "checkbox") node.checked = value; else if (node.value !== value) node.value = value;
    }
    stale();
    beside();
  }

  async function fetched(name) {
    try {
      const found = await fetch(new URL(name, PLAY), { cache: "no-cache" });
      return found.ok ? await found.json() : null;
    } catch {
      return null;
    }
  }

  async function choicesArrive() {
    if (ON_DISK || state.choices) return;
    state.choices = await fetched("play.json");
    const known = state.choices?.sources.map(({ id }) => id) ?? [];
    state.sources = state.sources.filter((one) => known.includes(one));
    if (!state.sources.length) state.sources = known.slice(0, 1);
    const open = document.activeElement;
    build();
    sync();
    if (open && editor.contains(open)) open.focus();
  }

  function reveal() {
    if (stage.contains(editor)) return;
    opener.remove();
    stage.append(editor);
    build();
    sync();
    choicesArrive();
  }

  const opener = button("Change this deal", () => { reveal(); editor.querySelector("button").focus(); }, "rv-main");
  stage.append(
    make("h2", "", OWN ? "The deal" : "Change this deal", { id: "anew" }),
    ...(OWN ? [] : [para("Change the cards, the play or the rules, and let the engine settle the deal anew. What comes out otherwise is marked.")]),
  );
  stage.setAttribute("role", "region");
  stage.setAttribute("aria-labelledby", "anew");
  stage.hidden = false;
  if (OWN) reveal(); else stage.append(opener);
  stage.addEventListener("keydown", (event) => { if (event.key === "Escape" && state.chosen) choose(state.chosen, ""); });
  addEventListener("hashchange", follow);
  follow();
})();
