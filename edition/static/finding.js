/* The page of the search: everything that is found, kind by kind, with filters and an address that keeps both.

   The index is that of the box (finding-box.js fetches it), and the lines are made as for its suggestions. */
"use strict";
(() => {
  const field = document.getElementById("rv-find-q");
  const form = field?.form;
  if (!form) return;
  const said = document.getElementById("rv-find-said");
  const results = document.getElementById("rv-find-results");
  const group = document.getElementById("rv-find-group");
  const slash = document.getElementById("rv-find-slash");
  const filters = form.querySelector(".rv-find-filters");
  const FIRST = 8; // of each kind, until the reader asks for all
  const LONG = 300; // letters of a line; of a longer one a piece is shown
  const SLASH = "edition-slash";

  let make, mark, answers, address; // of finding-suggest.js, which is fetched with the index

  /* Which lines are shown even where nothing was found in them: the words, and what explains them. */
  const ALWAYS = new Set(["title", "words"]);
  const NEVER = new Set(["asked"]);
  const explains = (kind, name) => (kind === "clause" && name === "asks") || (kind !== "term" && name === "english");
  const QUOTED = new Set(["clause", "sentence"]);

  /* A line that says what was found, or that is shown in any case. */
  function line(index, found, [at, lang, text]) {
    const name = index.data.fields[at], one = found.record;
    const { pieces, hits } = mark(index, [at, lang, text], found, LONG);
    if (NEVER.has(name)) return [];
    if (!hits && !ALWAYS.has(name) && !explains(one.kind, name)) return [];
    const words = name === "words" && QUOTED.has(one.kind) ? ["“", ...pieces, "”"] : pieces;
    return [make("p", `rv-hit-${name}`, words, lang && lang !== "en" ? { lang } : {})];
  }

  /* What is known by its title and not by its number; the line of the title is the link. */
  const TITLES = { question: "title", deal: "title", topic: "title", page: "title", term: "words" };
  const coding = (record, name) => record.kind === "question" && name === "more"; // instructions to coders are no answer
  const NUMBERED = new Set(["question"]);

  function hit(index, found) {
    const { record } = found, at = index.data.fields.indexOf(TITLES[record.kind]);
    const title = record.lines.find(([name]) => name === at);
    const heading = title ? mark(index, title, found, LONG) : { pieces: record.id, hits: 0 };
    const link = make("a", `rv-hit-name${title ? " rv-hit-heading" : ""}`, heading.pieces, { href: address(record), ...(title?.[1] ? { lang: title[1] } : {}) });
    const notes = [NUMBERED.has(record.kind) ? record.id : "", record.locus].filter(Boolean).join(" · ");
    const head = make("p", "rv-hit-head", [link, notes ? make("span", "rv-locus", ` ${notes}`) : ""]);
    const wanted = (one) => one !== title && !coding(record, index.data.fields[one[0]]);
    const lines = record.kind === "page" ? [] : record.lines.filter(wanted).flatMap((one) => line(index, found, one));
    return make("li", "rv-hit", [head, ...lines, ...answers(index, record)], { "data-kind": record.kind, "data-id": record.id });
  }

  /* What was called by its number or name stands first, then kind by kind. */
  function parted(index, hits) {
    const only = ticked("kind").length === 1;
    const of = (kind) => hits.filter((one) => !one.called && one.record.kind === kind);
    const called = [["called", "Exact match"], hits.filter((one) => one.called)];
    const parts = [called, ...index.data.kinds.map((kind) => [kind, of(kind[0])])];
    return parts.filter(([, some]) => some.length)
      .map(([kind, some]) => kindOf(index, kind, some, only || kind[0] === "called"));
  }

  function kindOf(index, [kind, heading], hits, all) {
    const shown = all ? hits : hits.slice(0, FIRST);
    const part = [
      make("h2", "", `${heading} (${hits.length})`),
      make("ol", "rv-hits", shown.map((one) => hit(index, one))),
    ];
    if (shown.length < hits.length) {
      const label = `Show all ${hits.length}: ${heading.toLowerCase()}`;
      const more = make("button", "rv-button rv-find-more", label, { type: "button" });
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
    if (!hits.length) return "Not found.";
    if (near) return `Not found in just these words. Close matches: ${some}.`;
    return `Found: ${some}${hits.some((one) => one.near) ? "; some only come close" : ""}.`;
  }

  let index = null, writing = 0;

  async function open() {
    index = await globalThis.openEditionIndex();
    await index.complete;
    ({ make, mark, answers, address } = globalThis.EditionSuggest);
  }

  async function run({ focus = -1 } = {}) {
    remember();
    results.classList.toggle("rv-find-asked", Boolean(field.value.trim())); // it holds room, and nothing moves when they come
    if (!field.value.trim()) return show([], "");
    try {
      if (!index) said.textContent = "Loading the index.";
      if (!make) await open();
    } catch (fault) {
      return show([], `The index could not be loaded (${fault.message}). The index of words needs none.`);
    }
    if (!field.value.trim()) return show([], "");
    const found = index.search(field.value), hits = narrowed(index, found.hits);
    show(parted(index, hits), tell(index, hits, found.near));
    if (focus >= 0) links()[focus]?.focus();
  }

  function show(parts, words) {
    results.replaceChildren(...parts);
    said.textContent = words;
  }

  // ---- the address ------------------------------------------------------------------------------------------------

  function keep() {
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
      if (keep() !== (location.hash || "#")) history.replaceState(null, "", keep());
    }, 250);
  }

  function readAddress() {
    const params = new URLSearchParams(location.hash.slice(1));
    field.value = params.get("q") ?? new URLSearchParams(location.search).get("q") ?? ""; // a box without scripts asks by the latter
    for (const name of ["kind", "source"]) tick(name, (params.get(name) ?? "").split(","));
    group.value = [...group.options].some((one) => one.value === params.get("group")) ? params.get("group") : "";
    filters.open ||= ["kind", "source", "group"].some((name) => params.get(name));
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

  filters.hidden = false;
  for (const plain of document.querySelectorAll(".rv-find-plain")) plain.hidden = true;
  try { slash.checked = localStorage.getItem(SLASH) !== "off"; } catch { /* a reader may forbid it */ }
  slash.addEventListener("change", () => {
    try { localStorage.setItem(SLASH, slash.checked ? "on" : "off"); } catch { /* then it stays on */ }
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); run(); });
  field.addEventListener("input", () => run());
  field.addEventListener("focus", () => { globalThis.openEditionIndex().catch(() => {}); }, { once: true });
  form.addEventListener("change", (event) => { if (event.target !== slash && event.target !== field) run(); });
  addEventListener("hashchange", () => { if (location.hash !== keep()) readAddress(); });
  readAddress();
  document.getElementById("how-to-search")?.classList.add("rv-shown");
})();
