// The form for coding a source: what it shows, what it sends, and what comes of that. Only `serve` has it.
"use strict";
(() => {
  const { make, capital, sentence, SourceText, AnswerFields } = window.EditionCoding;
  const place = document.querySelector(".rv-coding");
  if (!place) return;
  const { siglum, program } = place.dataset;
  const TOKEN = document.querySelector('meta[name="edition-token"]').content;
  const HELP = "Mark words with the mouse. By keyboard: up and down go from sentence to sentence, left and right mark a word, with Shift more of them; the space bar marks the whole sentence, Escape nothing.";
  const HELP_KEYS = "Alt+T goes from the question to the text, and back. In the list, up and down go from question to question.";
  const HELP_STATEMENTS = "Click the statement on which the answer rests; mark words only in what is quoted. By keyboard: up and down go from one to the next, the space bar cites it, with Shift several; left and right mark words of a quotation.";
  const FILTERS = [["all", "All questions"], ["open", "Not read yet"], ["done", "Answered"]];

  let state, text, fields = null, open = ""; // the open question: its id
  let turn = Promise.resolve(); // of what is written: one after the other
  let sending = 0; // how much of it is under way, or waits
  const saving = new Set(); // the answers among it: {one, answer, letters}
  let live = []; // the fields of the open question
  const items = new Map(); // question -> its place in the list

  /* ---- requests */
  async function ask(action, sent) {
    const headers = { "X-Edition-Token": TOKEN };
    if (sent) headers["Content-Type"] = "application/json";
    try {
      const answer = await fetch(`/code/${siglum}/${action}`, { method: sent ? "POST" : "GET", headers, cache: "no-store", body: sent ? JSON.stringify(sent) : undefined });
      const kind = answer.headers.get("content-type") || "";
      const told = kind.startsWith("application/json") ? await answer.json() : { what: `the server says ${answer.status}`, out: "load the page again" };
      return { status: answer.status, told };
    } catch {
      return { status: 0, told: { what: "the server does not answer, and nothing was written", out: `start ${program} serve again, load the page again: what you have typed is kept` } };
    }
  }

  /* ---- what is typed and not saved yet is kept in this browser, with what its page knew of the file */
  const key = (row) => `reversis-code-${siglum}-${row.question}-${rowsOf(row.question).findIndex((one) => one.clause === row.clause)}`;
  const store = (at, draft) => { try { localStorage.setItem(at, JSON.stringify(draft)); } catch { /* a full or closed store */ } };
  const forget = (row) => { try { localStorage.removeItem(key(row)); } catch { /* nothing was kept */ } };
  function recall(row) { try { return JSON.parse(localStorage.getItem(key(row))); } catch { return null; } }

  function keep(one) {
    const { cells, marked, further, rival } = one.read(), ids = [one.question.id, rival?.goes_with].filter(Boolean);
    if (one.isUntouched()) forget(one.row);
    else store(key(one.row), { cells, marked, further, rival, known: Object.fromEntries(ids.map((id) => [id, one.known[id] || ""])) });
    one.element.querySelector(".rv-unsaved").hidden = one.isUntouched();
    refreshQuestion(one.question.id);
  }

  const isDraft = (id) => rowsOf(id).some((row) => recall(row));

  const listSeen = (rows) => Object.fromEntries(rows.map((row) => [row.question, row.seen]));

  /* Take what the file says now. What this very page has written (of `questions`) is no change at which its other answers should stop: drafts, open fields, those that wait. */
  function takeOwn(told, questions = Object.keys(listSeen(told.rows))) {
    const before = listSeen(state.rows), now = listSeen(told.rows);
    const carry = (known = {}) => ({ ...known, ...Object.fromEntries(questions.filter((id) => known[id] !== undefined && known[id] === before[id]).map((id) => [id, now[id]])) });
    const behind = [...new Set([...live, ...[...saving].map(({ one }) => one)])].map((one) => [one, rowsOf(one.row.question).findIndex((row) => row.clause === one.row.clause)]);
    take(told);
    for (const row of state.rows) {
      const draft = recall(row);
      if (draft) store(key(row), { ...draft, known: carry(draft.known) });
    }
    for (const [one, at] of behind) {
      one.known = carry(one.known);
      const rows = rowsOf(one.question.id);
      one.follow(rows[at] || rows[0]);
    }
  }

  /* ---- frame */
  const said = make("p", { class: "rv-said", role: "status" });
  const heard = make("p", { class: "rv-unseen", role: "status" });
  const problems = make("section", { class: "rv-problems-part", "aria-label": `What ${program} check says` });
  const undo = make("button", { type: "button", onclick: () => inTurn(takeBack), "aria-describedby": "rv-undo-what" }, "Undo");
  const undoWhat = make("span", { class: "rv-small rv-undo-what", id: "rv-undo-what" });
  const progress = make("span", { class: "rv-small rv-progress" });
  const rest = make("div", { class: "rv-rest-part" });
  const nothing = make("p", { class: "rv-nothing", role: "status" });
  const list = make("div", { class: "rv-question-list", onkeydown: (event) => rove(event) });
  const outcome = make("div", { class: "rv-outcome" }, problems); // stands below the open question
  const resting = make("div", { class: "rv-resting" }, said); // where the message stands while no question is open
  const search = make("input", { type: "search", "aria-label": "Find a question", placeholder: "Find a question", oninput: () => { if (open && !fitsWords(items.get(open).question)) close(); filter(); } });
  const shown = make("select", { "aria-label": "Questions shown", onchange: () => filter() }, ...FILTERS.map(([value, label]) => make("option", { value }, label)));

  const notes = make("div", { class: "rv-notes", role: "status" }); // of answers whose question is not open any more
  const tools = make("div", { class: "rv-coding-tools" }, undo, shown, search, progress, undoWhat, resting);

  function frame() {
    text = new SourceText(state, marked);
    const translated = state.sentences.some((one) => one.english);
    const none = `There is no text yet: ${program} import-text ${siglum} turns a transcription into sentences.`;
    place.replaceChildren(
      make("p", { class: "rv-subtitle" }, state.name),
      make("div", { class: "rv-coding-grid" },
        make("section", { class: "rv-text-part", "aria-labelledby": "rv-text-head" },
          make("h2", { id: "rv-text-head" }, state.paraphrased ? "Statements" : "Text"),
          make("details", { class: "rv-help" }, make("summary", {}, "How words are marked"), make("p", { class: "rv-small" }, state.paraphrased ? HELP_STATEMENTS : HELP)),
          make("p", { class: "rv-small rv-keys" }, HELP_KEYS),
          translated ? make("label", {}, make("input", { type: "checkbox", onchange: (event) => text.translate(event.target.checked) }), "With translation") : "",
          state.sentences.length ? text.element : make("p", {}, none)),
        make("section", { class: "rv-questions-part", "aria-labelledby": "rv-questions-head" },
          make("h2", { id: "rv-questions-head" }, "Questions"),
          tools, heard, outcome, rest, nothing, list)));
    document.addEventListener("keydown", jump);
    let group = "";
    for (const one of state.questions) {
      if (one.group !== group) list.append(make("h3", { class: "rv-group" }, one.group));
      group = one.group;
      const button = make("button", { type: "button", class: "rv-question", "aria-expanded": "false", tabindex: "-1", onclick: () => toggle(one.id), onfocus: () => stopAt(one.id) });
      const body = make("div", { class: "rv-question-body", hidden: true });
      items.set(one.id, { question: one, button, body, item: make("div", { class: "rv-question-item", id: one.id }, button, body) });
      list.append(items.get(one.id).item);
    }
    refresh();
  }

  let faulty = new Map(); // question -> what check complains of in it

  const rowsOf = (id) => state.rows.filter((row) => row.question === id);

  /* ---- list of questions */
  const isAnswered = (id) => rowsOf(id).some((row) => row.answered);
  const isSupplied = ({ cells }) => cells.status === "silent" && Boolean(cells.taken_from);

  function refreshQuestion(id) {
    const { question, button } = items.get(id), rows = rowsOf(id), answered = isAnswered(id);
    const short = rows.map((row) => describe(row)).filter(Boolean).join("; ");
    button.replaceChildren(make("span", { class: "rv-question-id" }, id), make("span", {}, question.asks),
      make("span", { class: "rv-short-answer" }, answered ? short : "not read yet",
        isDraft(id) ? make("span", { class: "rv-draft" }, " not saved") : "",
        faulty.has(id) ? make("span", { class: "rv-complaint" }, ` check: ${many(faulty.get(id).length)}`) : ""));
    button.classList.toggle("rv-unread", !answered);
  }

  function refresh() {
    for (const id of items.keys()) refreshQuestion(id);
    const ids = state.questions.map((one) => one.id), answered = ids.filter(isAnswered);
    const supplied = answered.filter((id) => rowsOf(id).some(isSupplied)).length;
    progress.textContent = supplied ? `${answered.length - supplied} yours, ${supplied} supplied, of ${ids.length} questions` : `${answered.length} of ${ids.length} questions read`;
    undo.disabled = sending > 0 || !state.undo;
    undoWhat.textContent = state.undo ? `Undo takes back ${state.undo.what}` : `Undo: ${state.undo_refused}`;
    offerSilence();
    filter();
  }

  const NAMES = { "-": "silent", "n/a": "not applicable", "?": "not read yet" };
  function describe(row) {
    const { cells } = row, answer = NAMES[cells.answer] || cells.answer || "";
    if (isSupplied(row)) return `${answer} (supplied from ${cells.taken_from})`;
    return cells.status && !["stated", "inapplicable"].includes(cells.status) && answer !== "silent" ? `${answer} (${cells.status})` : answer;
  }

  /* ---- all that is left */
  const listLeft = () => state.questions.map((one) => one.id).filter((id) => !isAnswered(id) && !isDraft(id));

  function offerSilence() {
    const left = listLeft();
    if (left.length) silenced = null;
    rest.replaceChildren(left.length && state.sentences.length
      ? make("button", { type: "button", class: "rv-silence", onclick: () => confirmSilence() }, "Mark all that is left as silent …") : silenced ? tellSilenced() : "");
  }

  let silenced = null; // what the last step of silence has marked, until it is taken back

  /* It stands where the button was, with those that are still silent although another answer rules them out. */
  function tellSilenced() {
    const { marked: number, idle } = silenced, still = idle.filter((one) => rowsOf(one.question).some((row) => row.cells.answer === "-"));
    return make("section", { class: "rv-confirm rv-silenced", "aria-label": "All that was left", tabindex: "-1" },
      make("p", { role: "status" }, `${number} ${number === 1 ? "question is" : "questions are"} marked as silent; Undo takes ${number === 1 ? "it" : "them"} back.`, still.length ? " An answer of your own rules some of them out, and “Not applicable” says it better:" : ""),
      still.length ? make("ul", {}, ...still.map(({ question, why }) => make("li", {}, linkQuestion(question), `: ${why}.`))) : "");
  }

  function tellUnquoted({ total, untouched, partly }) {
    const name = state.paraphrased ? "statement" : "sentence", all = `${total} ${name}${total === 1 ? "" : "s"}`;
    if (!untouched && !partly) return `Of ${all}, each is quoted or accounted for.`;
    const some = partly ? `${untouched ? ", and " : ""}${partly} ${partly === 1 ? "has" : "have"} words that no answer quotes` : "";
    return `Of ${all}, ${untouched ? `${untouched} ${untouched === 1 ? "is" : "are"} untouched: no answer quotes ${untouched === 1 ? "it" : "them"} yet` : ""}${some}. ${program} check --coverage ${siglum} lists them.`;
  }

  async function confirmSilence() {
    const left = listLeft(), drafts = state.questions.filter((one) => !isAnswered(one.id) && isDraft(one.id)).length;
    const number = `${left.length} ${left.length === 1 ? "question" : "questions"}`, range = `${state.sentences[0].id} to ${state.sentences[state.sentences.length - 1].id}`;
    const yes = make("button", { type: "button", class: "rv-primary", disabled: true, onclick: () => { yes.disabled = true; inTurn(() => markSilent(left)); } }, `Mark ${number} as silent`);
    const unquoted = make("p", { class: "rv-unquoted", role: "status" }, "Counting what no answer quotes yet …");
    const asks = make("section", { class: "rv-confirm", "aria-label": "Mark all that is left as silent", tabindex: "-1" },
      make("p", {}, `This asserts of ${number} that you have read the whole text (${range}) for each, and that it does not say. All are written in one step, and Undo takes them back in one.`),
      unquoted,
      make("p", { class: "rv-small" }, `Where another of your answers rules a question out, “Not applicable” says it better.${drafts ? ` What is typed and not saved (${drafts}) is left out.` : ""}`),
      make("div", { class: "rv-buttons" }, yes, make("button", { type: "button", onclick: () => { offerSilence(); rest.firstElementChild?.focus(); } }, "Cancel")));
    rest.replaceChildren(asks);
    asks.focus();
    const { status, told } = await ask("unquoted");
    unquoted.textContent = status === 200 ? tellUnquoted(told) : `${sentence(told.what)} ${sentence(told.out)}`;
    yes.disabled = false;
    if (document.activeElement === asks) yes.focus();
  }

  async function markSilent(questions) {
    const { status, told } = await ask("silence", { seen: state.seen, questions });
    if (status !== 200) {
      if (told.now) takeOwn(told.now, []);
      else offerSilence();
      refuse(told);
      return;
    }
    silenced = told;
    takeOwn(told);
    if (questions.includes(open)) openQuestion(open, false, false);
    tell("");
    rest.firstElementChild?.focus({ preventScroll: true });
    rest.scrollIntoView({ block: "nearest" });
    check();
  }

  const linkQuestion = (id) => make("a", { href: `#${id}`, onclick: (event) => { event.preventDefault(); openQuestion(id, true); } }, id);

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
    const seen = [...items.values()].some(({ item }) => !item.hidden);
    nothing.textContent = seen ? "" : search.value.trim() ? `Nothing found: no question here has “${search.value.trim()}”.` : "Nothing is left here.";
    if (!items.get(stop) || items.get(stop).item.hidden) stopAt(open || [...items.keys()].find((id) => !items.get(id).item.hidden));
  }

  /* ---- keyboard: one stop in the list, and a way between text and question */
  let stop = "";
  function stopAt(id) {
    if (!id) return;
    if (stop) items.get(stop).button.tabIndex = -1;
    stop = id;
    items.get(stop).button.tabIndex = 0;
  }

  function rove(event) {
    if (!event.target.matches(".rv-question") || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = [...items.values()].filter(({ item }) => !item.hidden).map((one) => one.button), at = buttons.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  }

  function jump(event) {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyT") return;
    event.preventDefault();
    const inText = document.activeElement.closest(".rv-text-part");
    if (!inText) text.focus(text.here ?? 0);
    else if (fields) (fields.last?.isConnected && fields.last.checkVisibility() ? fields.last : fields.element.querySelector("input:checked, input, textarea")).focus();
    else if (stop) items.get(stop).button.focus();
  }

  /* ---- one question */
  function toggle(id) { if (open === id) close(); else openQuestion(id); }

  function close() {
    if (!open) return;
    const { button, body } = items.get(open);
    button.setAttribute("aria-expanded", "false");
    rest.before(outcome);
    resting.append(notes, said);
    live = [];
    body.hidden = true;
    body.replaceChildren();
    [open, fields] = ["", null];
    text.clear();
  }

  function openQuestion(id, focuses = false, scrolls = true) {
    close();
    tell(""); // of the question before
    open = id;
    dropNotes(id);
    const { question, button, body } = items.get(id), rows = rowsOf(id);
    button.setAttribute("aria-expanded", "true");
    body.hidden = false;
    const made = rows.map((row) => openRow(question, row, rows.length > 1));
    body.replaceChildren(...made.map((one) => one.element), outcome);
    made[0].bar.prepend(notes, said);
    live = made;
    fields = made[0];
    const late = made.map((one) => [one, unseen.get(key(one.row))]).find(([, told]) => told);
    for (const one of made) unseen.delete(key(one.row));
    if ([...saving].some((work) => work.one.question.id === id)) tell("Saving …");
    const { place: cited, words } = fields.read().cells;
    text.show(cited, words);
    stopAt(id);
    filter();
    complain();
    if (focuses) button.focus({ preventScroll: true });
    if (scrolls) button.scrollIntoView({ block: "start" });
    if (late) showRefusal(...late);
    history.replaceState(null, "", `#${id}`);
  }

  function openRow(question, row, named) {
    const kept = recall(row), snapshot = Object.fromEntries(state.rows.map((one) => [one.question, one.seen]));
    const one = new AnswerFields(state, question, row, kept, keep);
    one.known = { ...snapshot, ...(kept?.known || {}) };
    one.element.addEventListener("focusin", (event) => { [fields, one.last] = [one, event.target]; });
    one.element.addEventListener("submit", (event) => { event.preventDefault(); save(one); });
    one.element.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(one); } });
    one.element.prepend(...(named ? [make("h4", {}, row.clause)] : []));
    one.told = make("div", { class: "rv-told" });
    one.bar = make("div", { class: "rv-save-bar" }, one.told,
      make("p", { class: "rv-unsaved rv-small", hidden: !kept }, "Not saved yet."),
      make("div", { class: "rv-buttons" },
        make("button", { type: "submit", class: "rv-primary", title: "Ctrl+Enter" }, "Save"),
        make("button", { type: "button", onclick: () => { forget(row); openQuestion(question.id, true); refreshQuestion(question.id); } }, "Put back"),
        make("button", { type: "button", onclick: () => next() }, "Next unread question")));
    one.element.append(one.bar);
    return one;
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
    else tell("Open a question; the words that you mark are then its words.");
  }

  /* ---- saving */
  function tell(words, more = "", cls = "") {
    said.className = `rv-said ${cls}`;
    said.replaceChildren(words, ...(more ? [make("span", { class: "rv-out" }, " ", ...linkPages(more))] : []));
  }

  /* Say it where it can be seen: in the bar of the open question, or above the list. */
  function say(words, more = "", cls = "") {
    tell(words, more, cls);
    said.scrollIntoView({ block: "nearest" });
  }

  /* What came of an answer whose question is not open any more; refusals stay until it is opened. */
  const unseen = new Map(); // the place of a draft -> why it was refused
  function note(id, words, refused) {
    dropNotes(id);
    notes.append(make("p", { class: refused ? "rv-note rv-fault" : "rv-note", "data-question": id }, linkQuestion(id), `: ${words}`));
  }

  function dropNotes(id) { for (const one of [...notes.children]) if (one.dataset.question === id || !one.matches(".rv-fault")) one.remove(); }

  const refuse = (told) => { const [first = told] = told.fields || []; say(sentence(first.what), sentence(first.out), "rv-refused"); };

  /* A page that is named becomes a link. */
  function linkPages(words) {
    const [before, name, behind] = words.split(/the page (\w+)(?= of the edition)/);
    return name ? [before, make("a", { href: `/${name}.html` }, `the page ${name}`), behind] : [words];
  }

  function take(now) { Object.assign(state, { seen: now.seen, rows: now.rows, undo: now.undo, undo_refused: now.undo_refused }); refresh(); }

  /* One thing is written after the other, each with what the one before has left: nothing that is pressed meanwhile is lost. */
  function inTurn(work) {
    sending += 1;
    undo.disabled = true;
    turn = turn.then(work).catch((fault) => reportError(fault)).finally(() => { sending -= 1; undo.disabled = sending > 0 || !state.undo; });
  }

  const typedIn = ({ cells, marked: mark, further, rival }) => JSON.stringify([cells, mark, further, rival]);

  function save(one) {
    const answer = one.read(), letters = JSON.stringify({ ...answer, clause: "" });
    if ([...saving].some((work) => work.one === one && work.letters === letters)) return; // pressed twice: it says Saving already
    const work = { one, answer, letters };
    one.bar.prepend(notes, said);
    const before = [...saving].map((other) => other.one.question.id).find((id) => id !== one.question.id);
    tell(before ? `Saving, after ${before} …` : "Saving …");
    saving.add(work);
    inTurn(async () => {
      const { id } = one.question;
      const sent = { ...answer, cells: one.dropWords(answer.cells), clause: one.row.clause, seen: one.known[id], seen_with: one.known[answer.rival?.goes_with] || "" };
      const { status, told } = await ask("answer", sent);
      saving.delete(work);
      if (status === 200) showWritten(one, answer, told);
      else if (open !== id) noteRefusal(one, told);
      else showRefusal(live.find((other) => key(other.row) === key(one.row)) || one, { ...told, status });
    });
  }

  function showWritten(one, answer, told) {
    const { id } = one.question, there = live.find((other) => other === one || key(other.row) === key(one.row));
    const now = there ? there.read() : recall(one.row), later = now && typedIn(now) !== typedIn(answer); // typed after Save was pressed
    const own = told.before === state.seen;
    if (!later) forget(one.row);
    takeOwn(told, own ? undefined : [id]);
    const at = document.activeElement, { body } = items.get(id);
    if (later && there) store(key(there.row), { cells: now.cells, marked: now.marked, further: now.further, rival: now.rival, known: there.known });
    const { clause } = rowsOf(id)[0];
    const words = told.written ? `Written to ${siglum}/clauses.yaml: ${clause}.` : "The file says this already; nothing was written.", more = told.remarks.map(sentence).join(" ");
    if (open === id) {
      const inside = body.contains(at) || at === document.body, name = body.contains(at) ? at.name : "";
      openQuestion(id, false, false);
      const field = later && name && body.querySelector(`.rv-answer [name="${name}"]`);
      if (inside) (field || body.querySelector("button[type=submit]")).focus({ preventScroll: true });
      say(words, later ? `What you have typed since is not saved yet. ${more}` : more);
    } else {
      note(id, [words, more].filter(Boolean).join(" "), false);
      refreshQuestion(id);
    }
    if ([...saving].some((work) => work.one.question.id === open)) tell("Saving …");
    check();
  }

  function showRefusal(one, told) {
    const faults = told.fields || [];
    one.bar.prepend(notes, said);
    if (told.status === 409 && told.now) { showConflict(one, told); return; }
    if (!faults.length) tell(sentence(told.what), sentence(told.out), "rv-refused");
    else {
      const [what, out] = one.tellFault(faults[0]), more = faults.length - 1;
      tell(what, more ? `${out} ${more} more ${more === 1 ? "field is" : "fields are"} marked.` : out, "rv-refused");
    }
    one.showFaults(faults); // when the bar is as high as its words make it
  }

  /* Its question is not open: the answer stays a draft, and is shown with what is wrong when that is opened. */
  function noteRefusal(one, told) {
    const { id } = one.question, [first] = told.fields || [];
    const words = first ? one.tellFault(first).join(" ") : `${sentence(told.what)} ${sentence(told.out)}`;
    if (told.fields) unseen.set(key(one.row), told);
    if (told.now) takeOwn(told.now, []);
    note(id, `${words} Your answer is kept there, not saved.`, true);
  }

  const COMPARED = [["answer", "The answer"], ["words", "Words"], ["because", "Why"]];

  /* What the file says now beside what was typed: answer, words and reason, and what else is not the same. */
  function showConflict(one, told) {
    const mine = one.read().cells;
    takeOwn(told.now, []);
    const row = rowsOf(one.question.id).find((found) => found.clause === one.row.clause) || rowsOf(one.question.id)[0];
    [one.row, one.cells] = [row, row.cells];
    const differs = (name) => (row.cells[name] || "") !== (mine[name] || "");
    const more = Object.keys(mine).filter((name) => differs(name) && !COMPARED.some(([known]) => known === name)).map((name) => [name, one.label(name)]);
    const listCells = (cells) => [...COMPARED, ...more].flatMap(([name, label]) => [make("dt", {}, label),
      make("dd", {}, cells[name] ? make(differs(name) ? "mark" : "span", {}, NAMES[cells[name]] || cells[name]) : make(differs(name) ? "mark" : "span", {}, "–"))]);
    const side = (name, cells) => make("div", {}, make("h4", {}, name), make("dl", {}, ...listCells(cells)));
    one.element.querySelector(".rv-conflict")?.remove();
    const conflict = make("section", { class: "rv-conflict", "aria-label": "Both versions", tabindex: "-1" },
      make("p", { class: "rv-fault" }, sentence(told.what), make("span", {}, ` ${sentence(told.out)}`)),
      make("div", { class: "rv-sides" }, side("In the file now", row.cells), side("Your answer", mine)),
      make("div", { class: "rv-buttons" },
        make("button", { type: "button", onclick: () => { forget(one.row); openQuestion(one.question.id, true); refreshQuestion(one.question.id); say("Kept what the file says."); } }, "Keep the file's"),
        make("button", { type: "button", onclick: () => { one.known = Object.fromEntries(state.rows.map((now) => [now.question, now.seen])); save(one); } }, "Write mine")));
    one.element.prepend(conflict);
    keep(one);
    tell("Nothing was written.", "The file has changed: see above.", "rv-refused");
    conflict.focus({ preventScroll: true });
    conflict.scrollIntoView({ block: "start" });
  }

  async function takeBack() {
    const { status, told } = await ask("undo", { seen: state.seen });
    if (status === 200) {
      takeOwn(told);
      if (items.has(told.question)) openQuestion(told.question, true);
      else if (open) openQuestion(open, false, false);
      say(`Undone: ${told.undone}.`);
      check();
      return;
    }
    refuse(told);
    if (told.now) takeOwn(told.now, []);
    else if (status === 422) {
      const { status: again, told: fresh } = await ask("state");
      if (again === 200) takeOwn(fresh, []);
    }
  }

  /* ---- what check says */
  let asked = 0, checking = false; // checking: what was said before is out of date, and nothing is known yet
  async function check() {
    const mine = asked += 1;
    setChecking(true);
    problems.replaceChildren(make("p", { class: "rv-small" }, "Checking …"));
    for (const action of ["problems", "all-problems"]) { // of the sources; then of the deals too
      const found = await ask(action);
      if (mine !== asked) return; // a later one is on its way
      setChecking(false);
      showProblems(found, action === "all-problems");
    }
  }

  function setChecking(now) {
    checking = now;
    list.classList.toggle("rv-checking", now);
    complain();
  }

  function showProblems({ status, told }, whole) {
    if (status !== 200) {
      faulty = new Map();
      for (const id of items.keys()) refreshQuestion(id);
      complain();
      problems.replaceChildren(make("p", { class: "rv-fault" }, `${sentence(told.what)} ${sentence(told.out)}`));
      return;
    }
    const own = told.problems.filter((one) => one.own), others = told.problems.filter((one) => !one.own);
    faulty = new Map();
    for (const one of own) {
      const id = findQuestion(one);
      if (id) faulty.set(id, [...(faulty.get(id) || []), one]);
    }
    for (const id of items.keys()) refreshQuestion(id);
    complain();
    const listed = (some) => make("ul", { class: "rv-problem-list" }, ...some.map(problem));
    problems.replaceChildren(
      make("p", { role: "status" }, own.length ? `${program} check: ${many(own.length)} in ${siglum}` : `${program} check: nothing wrong in ${siglum}`,
        whole ? "" : make("span", { class: "rv-small" }, " The rest is being checked …")),
      own.length ? listed(own) : "",
      others.length ? make("details", {}, make("summary", {}, `${many(others.length)} elsewhere`), listed(others)) : "");
  }

  /* What check says of the open question, in its bar. */
  function complain() {
    if (!fields) return;
    fields.told.toggleAttribute("tabindex", faulty.has(open)); // it may have to be scrolled
    if (faulty.has(open)) fields.told.tabIndex = 0;
    if (checking) { fields.told.replaceChildren(faulty.has(open) ? make("p", { class: "rv-small" }, "Checking …") : ""); return; }
    fields.told.replaceChildren(...(faulty.get(open) || []).map((one) => make("p", { class: "rv-fault" }, tellProblem(one), make("span", {}, " ", ...linkPages(sentence(one.out))))));
  }

  /* A problem without the name of its clause, and without the slug behind a question: both stand in the file. */
  const tellProblem = ({ what }) => sentence(what.replace(/^[A-Z]{2,6}\.[cio]\d+: /, "").replace(/\b(Q\d{3}) \([\w.-]+\)/g, "$1"));

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
    return make("li", {}, question ? "" : make("code", {}, `${one.place} `), question ? tellProblem(one) : sentence(one.what),
      make("span", { class: "rv-out" }, ...linkPages(sentence(one.out))),
      question ? make("button", { type: "button", class: "rv-go", onclick: () => openQuestion(question, true) }, `Go to ${question}`) : "");
  }

  /* ---- begin */
  async function begin() {
    const { status, told } = await ask("state");
    if (status !== 200) {
      place.replaceChildren(make("p", { role: "alert" }, `${sentence(told.what)} ${sentence(told.out)}`),
        make("ul", { class: "rv-problem-list" }, ...(told.problems || []).map((one) => make("li", {}, make("code", {}, one.place), ` ${one.what}`, make("span", { class: "rv-out" }, one.out)))));
      return;
    }
    state = told;
    frame();
    const wanted = location.hash.slice(1);
    if (items.has(wanted)) openQuestion(wanted);
    addEventListener("hashchange", () => { const id = location.hash.slice(1); if (items.has(id) && id !== open) openQuestion(id, true); });
    check();
  }
  begin();
})();
