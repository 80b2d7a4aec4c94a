/* The page of the search.

   The records and the library that searches them are fetched when somebody searches, and not before. Words are folded
   (folding.js): what is sought and what is searched come to the same form, whatever the spelling. What is shown is
   always the spelling of the source. */
"use strict";
(() => {
  const field = document.getElementById("rv-find-q");
  const form = field?.form;
  if (!form) return;
  const HERE = document.currentScript.src;
  const ROOT = new URL(document.documentElement.dataset.content_root || "./", location.href);
  const said = document.getElementById("rv-find-said");
  const results = document.getElementById("rv-find-results");
  const group = document.getElementById("rv-find-group");
  const slash = document.getElementById("rv-find-slash");
  const FIRST = 8; // of each kind, until the reader asks for all
  const LONG = 300; // letters of a line; of a longer one a piece is shown
  const SLASH = "reversis-slash";
  const BOOST = { name: 4, title: 3, words: 3, english: 1.5, asks: 1, more: 0.4 };

  /* An element with its class and what it holds; words are never read as markup. */
  function make(tag, cls = "", content = [], attributes = {}) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...[content].flat());
    return made;
  }

  // ---- the index --------------------------------------------------------------------------------------------------

  function read(data) {
    const english = new Map();
    const all = data.records.map(([kind, id, to, source, groups, locus, lines, at, names], n) => {
      const record = { n, kind: data.kinds[kind][0], id, to, source, groups, locus, lines, at, names };
      if (record.kind === "sentence") english.set(id, lines.find(([line]) => data.fields[line] === "english")?.[2]);
      return record;
    });
    const ENGLISH = data.fields.indexOf("english");
    for (const one of all) {
      const told = one.at.map((locus) => english.get(locus)).filter(Boolean).join(" ");
      if (told) one.lines = [...one.lines, [ENGLISH, "", told]].sort((a, b) => a[0] - b[0]);
    }
    return all;
  }

  class Index {
    constructor(data) {
      this.data = data;
      this.folding = new globalThis.ReversisFolding(data);
      this.records = read(data);
      this.named = new Map();
      this.compounds = new Set();
      for (const one of this.records) this.note(one);
      this.engine = new globalThis.MiniSearch({
        idField: "n",
        fields: ["name", ...data.fields],
        extractField: (one, name) => (name === "n" ? one.n : this.text(one, name)),
        tokenize: (text, name) => (name === "name" ? text.split(" ") : this.tokens(text)),
        processTerm: (term) => term,
        searchOptions: { tokenize: (term) => [term], processTerm: (term) => term, boost: BOOST },
      });
      this.engine.addAll(this.records);
    }

    /* By what a thing is called, and the German words in which others may be contained. */
    note(one) {
      one.called = new Set([one.id, ...one.names].map((name) => name.toLowerCase()));
      if (one.id.includes(".")) one.called.add(one.id.slice(one.id.indexOf(".") + 1).toLowerCase());
      for (const name of one.called) this.named.set(name, true);
      const german = one.lines.filter(([, lang]) => lang === "de").flatMap(([, , text]) => this.folding.folded(text));
      for (const word of german) this.compounds.add(word);
    }

    text(one, name) {
      if (name === "name") return [...one.called].flatMap((each) => [each, ...each.split(/[.-]/)]).join(" ");
      const at = this.data.fields.indexOf(name);
      return one.lines.filter(([line]) => line === at).map(([, , text]) => text).join(" | ");
    }

    tokens(text) {
      return this.folding.words(text).flatMap((word) => [...this.folding.laid(word)]);
    }

    /* What a reader asks for: words, phrases in quotation marks, numbers of things. */
    parse(query) {
      const pieces = [...query.matchAll(/["“”„«»]([^"“”„«»]*)["“”„«»]?|[^\s"“”„«»]+/gu)];
      const parts = pieces.map((piece) => ({
        name: piece[0].toLowerCase(),
        phrase: piece[1] !== undefined,
        forms: this.folding.folded(piece[1] ?? piece[0]),
      }));
      return parts.filter((part) => part.forms.length);
    }

    /* A word, or what begins with it, or a German word that has it within. */
    tree(form, prefix, fuzzy) {
      const within = (word) => word !== form && word.indexOf(form) > 0;
      const longer = form.length > 4 && prefix ? [...this.compounds].filter(within) : [];
      const queries = [{ queries: [form], prefix, fuzzy: fuzzy && form.length > 3 ? 0.25 : false }];
      if (longer.length) queries.push({ queries: longer, combineWith: "OR" });
      return { combineWith: "OR", queries };
    }

    search(query, fuzzy = false) {
      const parts = this.parse(query);
      if (!parts.length) return [];
      const writing = !/\s$/.test(query);
      const queries = parts.flatMap(({ forms, phrase }, at) => forms.map((form) => {
        const begun = form.length > 3 || (writing && at === parts.length - 1);
        return this.tree(form, !phrase && begun, !phrase && fuzzy);
      }));
      const found = this.engine.search({ combineWith: "AND", queries });
      const phrases = parts.filter((part) => part.phrase).map((part) => part.forms);
      const hits = found.map(({ id, terms }) => (
        { record: this.records[id], terms: this.loose(terms, parts), phrases }));
      const held = hits.filter(({ record }) => phrases.every((one) => this.holds(record, one)));
      return held.map((one) => ({ ...one, called: parts.length === 1 && one.record.called.has(parts[0].name) }));
    }

    /* The words that are marked wherever they stand; those of a phrase alone are so only in their phrase. */
    loose(terms, parts) {
      const free = parts.filter((part) => !part.phrase).flatMap((part) => part.forms);
      const bound = new Set(parts.filter((part) => part.phrase).flatMap((part) => part.forms));
      return new Set(terms.filter((term) => !bound.has(term) || free.some((form) => term.startsWith(form))));
    }

    holds(record, phrase) {
      return record.lines.some(([, , text]) => this.runs(this.folding.folded(text), phrase).length > 0);
    }

    /* Where a phrase begins among folded words. */
    runs(words, phrase) {
      return [...words.keys()].filter((at) => phrase.every((form, n) => words[at + n] === form));
    }

    /* The words of a text that were found, with their places. */
    hits(text, { terms, phrases }) {
      const found = this.folding.found(text);
      const forms = found.flatMap((one, n) => this.folding.forms(one[0]).map((form) => [form, n]));
      const words = forms.map(([form]) => form);
      const bound = new Set(phrases.flatMap((phrase) => this.runs(words, phrase)
        .flatMap((at) => phrase.map((_, n) => forms[at + n][1]))));
      return found.filter((one, n) => bound.has(n) || [...this.folding.laid(one[0])].some((form) => terms.has(form)));
    }
  }

  // ---- fetching ---------------------------------------------------------------------------------------------------

  const fetched = (name) => new Promise((resolve, reject) => {
    const script = make("script", "", [], { src: new URL(name, HERE).href });
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error(name)));
    document.head.append(script);
  });

  let opening = null;
  function open() {
    opening ??= Promise.all(["minisearch.js", "folding.js", "finding-records.js"].map(fetched))
      .then(() => new Index(globalThis.REVERSIS_RECORDS));
    return opening;
  }

  // ---- showing ----------------------------------------------------------------------------------------------------

  /* A piece of a long line, around its first word that was found. */
  function around(text, first) {
    if (text.length <= LONG) return [0, text.length];
    const from = Math.max(0, text.lastIndexOf(" ", Math.max(0, first - LONG / 3)));
    const space = text.indexOf(" ", from + LONG);
    return [from, space < 0 ? text.length : space];
  }

  /* The words of a line, those that were found marked. */
  function marked(index, text, found) {
    const hits = index.hits(text, found);
    const [from, to] = around(text, hits[0]?.index ?? 0);
    const pieces = from ? ["… "] : [];
    let at = from;
    for (const { 0: word, index: start } of hits) {
      if (start < from || start + word.length > to) continue;
      pieces.push(text.slice(at, start), make("mark", "", word));
      at = start + word.length;
    }
    pieces.push(text.slice(at, to), to < text.length ? " …" : "");
    return { pieces, hits: hits.length };
  }

  /* Which lines are shown even where nothing was found in them: the words, and what explains them. */
  const ALWAYS = new Set(["title", "words"]);
  const explains = (kind, name) => (kind === "clause" && name === "asks") || (kind !== "term" && name === "english");
  const QUOTED = new Set(["clause", "sentence"]);

  /* A line that says what was found, or that is shown in any case. */
  function line(index, found, [at, lang, text]) {
    const name = index.data.fields[at], one = found.record;
    const { pieces, hits } = marked(index, text, found);
    if (!hits && !ALWAYS.has(name) && !explains(one.kind, name)) return [];
    const words = name === "words" && QUOTED.has(one.kind) ? ["“", ...pieces, "”"] : pieces;
    return [make("p", `rv-hit-${name}`, words, lang && lang !== "en" ? { lang } : {})];
  }

  function hit(index, found) {
    const { record } = found;
    const link = make("a", "rv-hit-name", record.kind === "page" ? titleOf(index, record) : record.id);
    link.href = new URL(record.to, ROOT).href;
    const head = make("p", "rv-hit-head", [link, record.locus ? make("span", "rv-locus", ` ${record.locus}`) : ""]);
    const lines = record.kind === "page" ? [] : record.lines.flatMap((one) => line(index, found, one));
    return make("li", "rv-hit", [head, ...lines], { "data-kind": record.kind, "data-id": record.id });
  }

  /* What was called by its number or name stands first, then kind by kind. */
  function parted(index, hits) {
    const only = ticked("kind").length === 1;
    const of = (kind) => hits.filter((one) => !one.called && one.record.kind === kind);
    const called = [["called", "Called so"], hits.filter((one) => one.called)];
    const parts = [called, ...index.data.kinds.map((kind) => [kind, of(kind[0])])];
    return parts.filter(([, some]) => some.length)
      .map(([kind, some]) => kindOf(index, kind, some, only || kind[0] === "called"));
  }

  const titleOf = (index, record) => record.lines[0]?.[2] ?? record.id;

  function kindOf(index, [kind, heading], hits, all) {
    const shown = all ? hits : hits.slice(0, FIRST);
    const part = [
      make("h2", "", `${heading} (${hits.length})`),
      make("ol", "rv-hits", shown.map((one) => hit(index, one))),
    ];
    if (shown.length < hits.length) {
      const label = `Show all ${hits.length}: ${heading.toLowerCase()}`;
      const more = make("button", "rv-find-more", label, { type: "button" });
      more.addEventListener("click", () => { tick("kind", [kind]); run({ focus: FIRST }); });
      part.push(more);
    }
    return make("section", "rv-find-kind", part, { "data-kind": kind });
  }

  // ---- asking -----------------------------------------------------------------------------------------------------

  const boxes = (name) => [...form.querySelectorAll(`input[name=${name}]`)];
  const ticked = (name) => boxes(name).filter((box) => box.checked).map((box) => box.value);
  const tick = (name, values) => { for (const box of boxes(name)) box.checked = values.includes(box.value); };

  function narrowed(index, hits) {
    const kinds = ticked("kind"), sources = ticked("source"), about = index.data.groups.indexOf(group.value);
    return hits.filter(({ record }) => (!kinds.length || kinds.includes(record.kind))
      && (!sources.length || sources.includes(record.source))
      && (about < 0 || record.groups.includes(about)));
  }

  function tell(index, hits, near) {
    const number = (kind) => hits.filter((one) => one.record.kind === kind).length;
    const counted = index.data.kinds.filter(([kind]) => number(kind));
    const some = counted.map(([kind, heading]) => `${heading.toLowerCase()} ${number(kind)}`).join(", ");
    if (!hits.length) return "Nothing found.";
    return near ? `Nothing has just these words. Near to them: ${some}.` : `Found: ${some}.`;
  }

  let index = null, writing = 0;

  async function run({ focus = -1 } = {}) {
    remember();
    if (!field.value.trim()) return show([], "");
    try {
      if (!index) said.textContent = "The index is being fetched.";
      index ??= await open();
    } catch (fault) {
      return show([], `The index could not be fetched (${fault.message}). The index of words needs none.`);
    }
    if (!field.value.trim()) return show([], "");
    let hits = narrowed(index, index.search(field.value));
    const near = !hits.length;
    if (near) hits = narrowed(index, index.search(field.value, true));
    show(parted(index, hits), tell(index, hits, near));
    if (focus >= 0) links()[focus]?.focus();
  }

  function show(parts, words) {
    results.replaceChildren(...parts);
    said.textContent = words;
  }

  // ---- the address ------------------------------------------------------------------------------------------------

  function address() {
    const params = new URLSearchParams();
    if (field.value.trim()) params.set("q", field.value.trim());
    for (const name of ["kind", "source"]) if (ticked(name).length) params.set(name, ticked(name).join(","));
    if (group.value) params.set("group", group.value);
    return `#${params}`;
  }

  /* Written when the reader rests: some browsers refuse an address that changes with every key. */
  function remember() {
    clearTimeout(writing);
    writing = setTimeout(() => {
      if (address() !== (location.hash || "#")) history.replaceState(null, "", address());
    }, 250);
  }

  function readAddress() {
    const params = new URLSearchParams(location.hash.slice(1));
    field.value = params.get("q") ?? "";
    for (const name of ["kind", "source"]) tick(name, (params.get(name) ?? "").split(","));
    group.value = [...group.options].some((one) => one.value === params.get("group")) ? params.get("group") : "";
    if (field.value) return run();
    if (params.has("q")) field.focus();
    return show([], "");
  }

  // ---- the keys ---------------------------------------------------------------------------------------------------

  const links = () => [...results.querySelectorAll("a.rv-hit-name")];
  const STEPS = { ArrowDown: 1, ArrowUp: -1 };

  function clear() {
    field.value = "";
    field.focus();
    run();
  }

  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { event.preventDefault(); clear(); }
    if (event.key === "ArrowDown" && links().length) { event.preventDefault(); links()[0].focus(); }
  });
  results.addEventListener("keydown", (event) => {
    const all = links(), at = all.indexOf(document.activeElement);
    if (event.key === "Escape") { field.focus(); field.select(); }
    if (!(event.key in STEPS) || at < 0) return;
    event.preventDefault();
    (all[at + STEPS[event.key]] ?? (event.key === "ArrowUp" ? field : all[at])).focus();
  });

  // ---- to begin with ----------------------------------------------------------------------------------------------

  form.querySelector(".rv-find-filters").hidden = false;
  for (const plain of document.querySelectorAll(".rv-find-plain")) plain.hidden = true;
  try { slash.checked = localStorage.getItem(SLASH) !== "off"; } catch { /* a reader may forbid it */ }
  slash.addEventListener("change", () => {
    try { localStorage.setItem(SLASH, slash.checked ? "on" : "off"); } catch { /* then it stays on */ }
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); run(); });
  field.addEventListener("input", () => run());
  field.addEventListener("focus", () => { open().catch(() => {}); }, { once: true });
  form.addEventListener("change", (event) => { if (event.target !== slash && event.target !== field) run(); });
  addEventListener("hashchange", () => { if (location.hash !== address()) readAddress(); });
  readAddress();
})();
