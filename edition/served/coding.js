// The form for coding a source: what it shows, what it sends, and what comes of that. Only `reversis serve` has it.
"use strict";
(() => {
  const { make, SourceText, AnswerFields } = window.ReversisCoding;
  const place = document.querySelector(".rv-coding");
  if (!place) return;
  const { siglum } = place.dataset;
  const TOKEN = document.querySelector('meta[name="reversis-token"]').content;
  const HELP = "Mark words with the mouse. By keyboard: up and down go from sentence to sentence, left and right mark a word, with Shift more of them; the space bar marks the whole sentence, Escape nothing.";
  const HELP_STATEMENTS = "Click the statement on which the answer rests; mark words only in what is quoted. By keyboard: up and down go from one to the next, the space bar cites it, with Shift several; left and right mark words of a quotation.";
  const FILTERS = [["all", "All questions"], ["open", "Not read yet"], ["done", "Answered"]];

  let state, text, fields = null, open = ""; // the open question: its id
  let sending = false;
  const items = new Map(); // question -> its place in the list

  /* ---- requests */
  async function ask(action, sent) {
    const headers = { "X-Reversis-Token": TOKEN };
    if (sent) headers["Content-Type"] = "application/json";
    try {
      const answer = await fetch(`/code/${siglum}/${action}`, { method: sent ? "POST" : "GET", headers, cache: "no-store", body: sent ? JSON.stringify(sent) : undefined });
      const kind = answer.headers.get("content-type") || "";
      const told = kind.startsWith("application/json") ? await answer.json() : { what: `the server says ${answer.status}`, out: "load the page again" };
      return { status: answer.status, told };
    } catch {
      return { status: 0, told: { what: "the server does not answer, and nothing was written", out: "start reversis serve again, load the page again: what you have typed is kept" } };
    }
  }

  /* ---- what is typed and not saved yet is kept in this window */
  const key = (row) => `reversis-code-${siglum}-${row.clause}-${row.question}`;
  const keep = (one) => { try { const { cells, marked, further, rival } = one.read(); sessionStorage.setItem(key(one.row), JSON.stringify({ cells, marked, further, rival })); } catch { /* a full or closed store */ } };
  const forget = (row) => { try { sessionStorage.removeItem(key(row)); } catch { /* nothing was kept */ } };
  function recall(row) { try { return JSON.parse(sessionStorage.getItem(key(row))); } catch { return null; } }

  /* ---- frame */
  const said = make("p", { class: "rv-said", role: "status" });
  const heard = make("p", { class: "rv-unseen", role: "status" });
  const problems = make("section", { class: "rv-problems-part", "aria-label": "What reversis check says" });
  const undo = make("button", { type: "button", onclick: () => takeBack() }, "Undo");
  const progress = make("span", { class: "rv-small rv-progress" });
  const list = make("div", { class: "rv-question-list" });
  const outcome = make("div", { class: "rv-outcome" }, said, problems); // stands below the open question
  const search = make("input", { type: "search", "aria-label": "Find a question", placeholder: "Find a question", oninput: () => { if (open && !fitsWords(items.get(open).question)) close(); filter(); } });
  const shown = make("select", { "aria-label": "Questions shown", onchange: () => filter() }, ...FILTERS.map(([value, label]) => make("option", { value }, label)));

  const tools = make("div", { class: "rv-coding-tools" }, undo, shown, search, progress);

  function frame() {
    text = new SourceText(state, marked);
    const translated = state.sentences.some((one) => one.english);
    const none = `There is no text yet: reversis import-text ${siglum} turns a transcription into sentences.`;
    place.replaceChildren(
      make("p", { class: "rv-subtitle" }, state.name),
      make("div", { class: "rv-coding-grid" },
        make("section", { class: "rv-text-part", "aria-labelledby": "rv-text-head" },
          make("h2", { id: "rv-text-head" }, state.paraphrased ? "Statements" : "Text"),
          make("details", { class: "rv-help" }, make("summary", {}, "How words are marked"), make("p", { class: "rv-small" }, state.paraphrased ? HELP_STATEMENTS : HELP)),
          translated ? make("label", {}, make("input", { type: "checkbox", onchange: (event) => text.translate(event.target.checked) }), "With translation") : "",
          state.sentences.length ? text.element : make("p", {}, none)),
        make("section", { class: "rv-questions-part", "aria-labelledby": "rv-questions-head" },
          make("h2", { id: "rv-questions-head" }, "Questions"),
          tools, heard, outcome, list)));
    let group = "";
    for (const one of state.questions) {
      if (one.group !== group) list.append(make("h3", { class: "rv-group" }, one.group));
      group = one.group;
      const button = make("button", { type: "button", class: "rv-question", "aria-expanded": "false", onclick: () => toggle(one.id) });
      const body = make("div", { class: "rv-question-body", hidden: true });
      items.set(one.id, { question: one, button, body, item: make("div", { class: "rv-question-item", id: one.id }, button, body) });
      list.append(items.get(one.id).item);
    }
    refresh();
  }

  let faulty = new Map(); // question -> how often check complains of it

  const rowsOf = (id) => state.rows.filter((row) => row.question === id);

  /* ---- list of questions */
  function refresh() {
    for (const { question, button } of items.values()) {
      const rows = rowsOf(question.id), answered = rows.some((row) => row.answered);
      const short = rows.map((row) => describe(row.cells)).filter(Boolean).join("; ");
      button.replaceChildren(make("span", { class: "rv-question-id" }, question.id), make("span", {}, question.asks),
        make("span", { class: "rv-short-answer" }, answered ? short : "not read yet",
          faulty.has(question.id) ? make("span", { class: "rv-complaint" }, ` check: ${many(faulty.get(question.id))}`) : ""));
      button.classList.toggle("rv-unread", !answered);
    }
    const done = state.questions.filter((one) => rowsOf(one.id).some((row) => row.answered)).length;
    progress.textContent = `${done} of ${state.questions.length} questions read`;
    undo.disabled = !state.undo;
    undo.title = state.undo ? `Take back ${state.undo.what}` : "There is nothing to undo";
    filter();
  }

  const NAMES = { "-": "silent", "n/a": "not applicable", "?": "not read yet" };
  function describe(cells) {
    const answer = NAMES[cells.answer] || cells.answer || "";
    return cells.status && !["stated", "inapplicable"].includes(cells.status) && answer !== "silent" ? `${answer} (${cells.status})` : answer;
  }

  const fitsWords = (one) => `${one.id} ${one.asks} ${one.group}`.toLowerCase().includes(search.value.trim().toLowerCase());

  function filter() {
    const which = shown.value;
    let group = null, some = false;
    for (const child of list.children) {
      if (child.matches(".rv-group")) {
        if (group) group.hidden = !some;
        [group, some] = [child, false];
        continue;
      }
      const { question } = items.get(child.id), answered = rowsOf(question.id).some((row) => row.answered);
      child.hidden = question.id !== open && !(fitsWords(question) && (which === "all" || answered === (which === "done")));
      some = some || !child.hidden;
    }
    if (group) group.hidden = !some;
  }

  /* ---- one question */
  function toggle(id) { if (open === id) close(); else openQuestion(id); }

  function close() {
    if (!open) return;
    const { button, body } = items.get(open);
    button.setAttribute("aria-expanded", "false");
    list.before(outcome);
    body.hidden = true;
    body.replaceChildren();
    [open, fields] = ["", null];
    text.clear();
  }

  function openQuestion(id, focuses = false, scrolls = true) {
    close();
    tell(""); // of the question before
    open = id;
    const { question, button, body } = items.get(id), rows = rowsOf(id);
    button.setAttribute("aria-expanded", "true");
    body.hidden = false;
    const made = rows.map((row) => {
      const kept = recall(row);
      const one = new AnswerFields(state, question, row, kept, keep);
      one.element.addEventListener("focusin", () => { fields = one; });
      one.element.addEventListener("submit", (event) => { event.preventDefault(); save(one); });
      one.element.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(one); } });
      one.element.prepend(...(rows.length > 1 ? [make("h4", {}, row.clause)] : []));
      one.element.append(make("p", { class: "rv-unsaved rv-small", hidden: !kept }, "Not saved yet."),
        make("div", { class: "rv-buttons" },
          make("button", { type: "submit", class: "rv-primary", title: "Ctrl+Enter" }, "Save"),
          make("button", { type: "button", onclick: () => { forget(row); openQuestion(id, true); } }, "Put back"),
          make("button", { type: "button", onclick: () => next() }, "Next unread question")));
      return one;
    });
    body.replaceChildren(...made.map((one) => one.element), outcome);
    fields = made[0];
    const { place: cited, words } = fields.read().cells;
    text.show(cited, words);
    filter();
    if (focuses) button.focus({ preventScroll: true });
    if (scrolls) button.scrollIntoView({ block: "start" });
    history.replaceState(null, "", `#${id}`);
  }

  function next() {
    const ids = state.questions.map((one) => one.id), at = ids.indexOf(open);
    const found = [...ids.slice(at + 1), ...ids.slice(0, at + 1)].find((id) => !rowsOf(id).some((row) => row.answered));
    if (found) openQuestion(found, true);
    else tell("Every question is read.");
  }

  function marked(mark) {
    heard.textContent = mark ? `Marked in ${mark.first}: ${mark.exact || "the statement"}` : "Nothing is marked";
    if (fields) fields.mark(mark);
    else tell("Open a question on the right; the words that you mark are then its words.");
  }

  /* ---- saving */
  function tell(words, more = "", cls = "") {
    said.className = `rv-said ${cls}`;
    said.replaceChildren(words, more ? make("span", { class: "rv-out" }, ` ${more}`) : "");
  }

  const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

  function take(now) { Object.assign(state, { seen: now.seen, rows: now.rows, undo: now.undo }); refresh(); }

  async function save(one) {
    if (sending) return;
    sending = true;
    tell("Saving …");
    const { status, told } = await ask("answer", { seen: state.seen, ...one.read() });
    sending = false;
    one.showFaults(told.fields || []);
    if (status === 200) {
      forget(one.row);
      take(told);
      const { clause } = rowsOf(one.question.id)[0];
      openQuestion(one.question.id, false, false);
      items.get(one.question.id).body.querySelector("button[type=submit]").focus({ preventScroll: true });
      const more = told.remarks.map((one) => `${capital(one)}.`).join(" ");
      tell(told.written ? `Written to ${siglum}/clauses.yaml: ${clause}.` : "The file says this already; nothing was written.", more);
      said.scrollIntoView({ block: "nearest" });
      check();
    } else if (status === 409 && told.now) showConflict(one, told);
    else tell(`${capital(told.what)}.`, `${capital(told.out)}.`, "rv-refused");
  }

  function showConflict(one, told) {
    tell(`${capital(told.what)}.`, `${capital(told.out)}.`, "rv-refused");
    one.element.querySelector(".rv-conflict")?.remove();
    const side = (name, words) => make("div", {}, make("h4", {}, name), make("pre", { tabindex: "0", "aria-label": name }, words || "(it is not there)"));
    one.element.append(make("section", { class: "rv-conflict", "aria-label": "Both versions" },
      side("In the file now", told.theirs), side("Your answer", told.mine || told.note)));
    take(told.now);
    const row = rowsOf(one.question.id).find((found) => found.clause === one.row.clause) || rowsOf(one.question.id)[0];
    [one.row, one.cells] = [row, row.cells];
    keep(one);
    one.element.querySelector(".rv-conflict").scrollIntoView({ block: "nearest" });
  }

  async function takeBack() {
    if (sending) return;
    sending = true;
    const { status, told } = await ask("undo", { seen: state.seen });
    sending = false;
    if (status === 200) {
      take(told);
      openQuestion(told.question, true);
      tell(`Undone: ${told.undone}.`);
      check();
      return;
    }
    tell(`${capital(told.what)}.`, `${capital(told.out)}.`, "rv-refused");
    if (status === 409) {
      const { status: again, told: fresh } = await ask("state");
      if (again === 200) take(fresh);
    }
  }

  /* ---- what check says */
  let asked = 0;
  async function check() {
    const turn = asked += 1;
    problems.replaceChildren(make("p", { class: "rv-small" }, "Checking …"));
    for (const action of ["problems", "all-problems"]) { // of the sources; then of the deals too
      const found = await ask(action);
      if (turn !== asked) return; // a later one is on its way
      showProblems(found, action === "all-problems");
    }
  }

  function showProblems({ status, told }, whole) {
    if (status !== 200) {
      problems.replaceChildren(make("p", { class: "rv-fault" }, `${capital(told.what)}. ${capital(told.out)}.`));
      return;
    }
    const own = told.problems.filter((one) => one.own), others = told.problems.filter((one) => !one.own);
    faulty = new Map();
    for (const id of own.map(findQuestion).filter(Boolean)) faulty.set(id, (faulty.get(id) || 0) + 1);
    refresh();
    const listed = (some) => make("ul", { class: "rv-problem-list" }, ...some.map(problem));
    problems.replaceChildren(
      make("p", { role: "status" }, own.length ? `reversis check: ${many(own.length)} in ${siglum}` : `reversis check: nothing wrong in ${siglum}`,
        whole ? "" : make("span", { class: "rv-small" }, " The deals are being settled …")),
      own.length ? listed(own) : "",
      others.length ? make("details", {}, make("summary", {}, `${many(others.length)} elsewhere`), listed(others)) : "");
  }

  const many = (count) => `${count} ${count === 1 ? "problem" : "problems"}`;

  /* The question that a problem is about: one that it names, if possible of the clause that it names; or that clause's. */
  function findQuestion({ what }) {
    const names = new Set(what.match(/\bQ\d{3}\b/g)), ids = new Set(what.match(/\b[A-Z]{2,6}\.[cio]\d+\b/g));
    const row = state.rows.find((found) => ids.has(found.clause) && names.has(found.question)) || state.rows.find((found) => names.has(found.question))
      || state.rows.find((found) => ids.has(found.clause) || [...ids].some((id) => (found.cells.rivals || "").includes(`${id} `)));
    return row ? row.question : "";
  }

  function problem(one) {
    const question = findQuestion(one);
    return make("li", {}, make("code", {}, one.place), ` ${one.what}`, make("span", { class: "rv-out" }, one.out),
      question ? make("button", { type: "button", class: "rv-go", onclick: () => openQuestion(question, true) }, `Go to ${question}`) : "");
  }

  /* ---- begin */
  async function begin() {
    const { status, told } = await ask("state");
    if (status !== 200) {
      place.replaceChildren(make("p", { role: "alert" }, `${capital(told.what)}. ${capital(told.out)}.`),
        make("ul", { class: "rv-problem-list" }, ...(told.problems || []).map((one) => make("li", {}, make("code", {}, one.place), ` ${one.what}`, make("span", { class: "rv-out" }, one.out)))));
      return;
    }
    state = told;
    frame();
    const wanted = location.hash.slice(1);
    if (items.has(wanted)) openQuestion(wanted);
    check();
  }
  begin();
})();
