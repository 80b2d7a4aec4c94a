// One answer in the form: the fields of a row, what is read from them, and what is wrong with them.
"use strict";
(() => {
  const { make, sentence } = window.EditionCoding;
  const MARKS = [
    ["-", "Silent", "the source does not say, anywhere in its text"],
    ["n/a", "Not applicable", "another answer of the source rules the question out"],
    ["?", "Not read yet", "nobody has read for it"],
  ];
  /* The fields of another reading: those of a sheet, and what the answer itself is called beside it. */
  const RIVAL = { answer: "other_answer", label: "other_name", because: "other_because", computation: "other_computation", goes_with: "other_with", preferred: "preferred" };
  const OWN_RIVAL = ["label", "because", "computation", "preferred"]; // what an answer lacks that goes with the reading of another question
  const PASSAGES = [["words", "place"], ["words_2", "place_2"], ["words_3", "place_3"]]; // as many as a sheet has cells for
  const TEXTS = [...PASSAGES.flat(), "because", "computation", "searched", "taken_from", "note", "coder"];
  const WITHOUT_WORDS = new Set(MARKS.map(([mark]) => mark));
  const listOthers = (state, { clause, question }) => state.rows.filter((one) => one.clause && one.clause === clause && one.question !== question);
  let made = 0;

  class AnswerFields {
    /* `state` is that of the source; `kept` what was typed before, if anything; `changed` is called after each change. */
    constructor(state, question, row, kept, changed) {
      Object.assign(this, { state, question, row, changed });
      this.name = `rv-${made += 1}`;
      this.marks = PASSAGES.map(() => null);
      this.passage = 0; // the one that takes the next words marked
      this.cells = row.cells;
      this.readings = [...question.readings, ...question.proposed.filter(([name]) => !question.words.some(([word]) => word === name))];
      this.hosts = row.cells.other_answer && !row.cells.other_with ? [] // the questions with whose other reading an answer can go
        : [...new Set(state.rows.filter(({ question: id, cells }) => id !== row.question && cells.other_answer && !cells.other_with).map((one) => one.question))];
      this.others = listOthers(state, row);
      this.element = make("form", { class: "rv-answer", novalidate: true });
      this.element.append(...this.parts());
      this.element.addEventListener("input", () => { this.fit(); changed(this); });
      this.put(this.cells);
      this.clean = JSON.stringify(this.read());
      if (kept) this.put(kept.cells, [kept.marked, ...(kept.further || [])], kept.rival);
    }

    /* Whether the fields say what the file says. */
    isUntouched() { return JSON.stringify(this.read()) === this.clean; }

    /* The file has another row for this answer now, whose cells are these: what is typed stays. */
    follow(row) {
      const others = this.others.map((one) => one.question).join();
      Object.assign(this, { row, cells: row.cells, others: listOthers(this.state, row) });
      this.clean = JSON.stringify({ ...JSON.parse(this.clean), clause: row.clause });
      if (others === this.others.map((one) => one.question).join()) return;
      this.element.querySelector(".rv-together")?.remove(); // the clause is another, and so are those that share it
      if (this.others.length) this.element.querySelector(".rv-rest").after(this.togetherPart());
    }

    label(name) { return this.element.querySelector(`[data-field="${name}"] :is(label, legend)`)?.textContent || name; }

    cell(name) { return this.cells[name] || ""; }

    /* ---- parts */
    parts() {
      const { question, others } = this;
      return [
        this.conditionPart(),
        question.procedure && make("details", { class: "rv-procedure", open: true },
          make("summary", {}, "How to decide"), make("p", { class: "rv-lines" }, question.procedure)),
        this.answerPart(),
        make("p", { class: "rv-dropped rv-fault", role: "status", hidden: true }),
        this.wordsPart(),
        this.choice("status", "How the source says it", this.state.statuses),
        this.field("taken_from", "Our answer is taken from", { tag: "select", options: ["", ...this.state.origins] }),
        this.field("searched", "Searched", { hint: "the range read; left empty it is the whole text" }),
        this.choice("certainty", "How sure", this.state.certainties.map((one) => [one, ""])),
        this.field("because", "Why", { tag: "textarea", hint: "needed where it is not said there outright" }),
        make("div", { class: "rv-old-reason", hidden: true }, make("p", { class: "rv-fault", role: "status" }),
          make("button", { type: "button", onclick: () => this.dropReason() }, "Take the reason out")),
        this.rivalPart(),
        this.morePart(),
        others.length ? this.togetherPart() : "",
      ].filter(Boolean);
    }

    /* Under which answers to other questions this one is asked. */
    conditionPart() {
      const told = this.question.conditions.flatMap(({ id, asks, relation, answer, or }, at) => [
        at ? (or ? "; or " : "; and ") : "", make("a", { href: `#${id}` }, `${id} ${asks}`), ` is ${relation === "!=" ? "not " : ""}answered ${relation === "has" ? "among others " : ""}“${answer.replace(/\.$/, "")}”`]);
      return told.length ? make("p", { class: "rv-condition" }, "Asked only where ", ...told, ".") : "";
    }

    answerPart() {
      const { question } = this;
      const radios = this.readings.map(([name, gloss]) => this.radio("answer", name, name, gloss));
      if (question.example) {
        const input = make("input", { type: "text", name: "typed", "aria-label": "The answer", "aria-describedby": `${this.name}-example`, autocomplete: "off", spellcheck: "false", oninput: () => this.check("answer", "typed") });
        radios.unshift(make("div", { class: "rv-typed-answer" }, this.radio("answer", "typed", "The answer is:", ""), input,
          make("p", { class: "rv-small rv-lines", id: `${this.name}-example` }, question.words.length ? question.example.split("\n")[0] : question.example)));
        if (question.words.length) radios.splice(1, 0, this.boxes());
      }
      radios.push(...MARKS.map(([mark, label, gloss]) => this.radio("answer", mark, label, gloss)));
      return make("fieldset", { class: "rv-choices", "data-field": "answer" }, make("legend", {}, "The answer"), ...radios);
    }

    /* The words of which a list is made, to be ticked; the list is made in the order in which they are. */
    boxes() {
      const boxes = this.question.words.map(([name, gloss]) => make("label", { class: "rv-choice" },
        make("input", { type: "checkbox", name: "ticked", value: name, oninput: (event) => this.tick(name, event.target.checked) }),
        make("span", {}, make("b", {}, name), gloss ? `: ${gloss}` : "")));
      return make("div", { class: "rv-boxes", role: "group", "aria-label": "What the list has, in the order in which it is ticked" }, ...boxes);
    }

    list() { return this.input("typed").value.replace(/[[\]\s]+/g, " ").split(/[ ,]+/).filter(Boolean); }

    tick(name, ticked) {
      const names = this.list().filter((one) => one !== name);
      if (ticked) names.push(name);
      this.input("typed").value = `[${names.join(", ")}]`;
      this.check("answer", "typed");
    }

    passagePart([words, place], at) {
      const says = this.state.paraphrased
        ? "click a statement on the left; words only where it is quoted"
        : "mark them in the text, or type them as you remember them";
      const typed = () => { this.marks[at] = null; }, nth = at ? `, passage ${at + 1}` : "";
      return make("div", { class: "rv-words-part", "data-passage": at, onfocusin: () => this.point(at) },
        this.field(words, `Words of the source${nth}`, { tag: "textarea", hint: says, oninput: typed }),
        this.field(place, (this.state.paraphrased ? "Statement" : "Sentence") + nth, { hint: "left empty it is found from the words", oninput: typed }));
    }

    wordsPart() {
      const more = () => {
        const at = PASSAGES.findIndex((_, n) => this.part(n).hidden);
        this.part(at).hidden = false;
        this.input(PASSAGES[at][0]).focus();
        this.fit();
      };
      return make("div", { class: "rv-passages" }, ...PASSAGES.map((names, at) => this.passagePart(names, at)),
        make("button", { type: "button", class: "rv-more-words", onclick: more }, "Add another passage"),
        make("p", { class: "rv-full rv-small", hidden: true }, "There is room for three passages. Words of neighbouring sentences can be marked as one."));
    }

    part(at) { return this.element.querySelector(`[data-passage="${at}"]`); }

    /* The passage to which the next words marked belong. */
    point(at) {
      this.passage = at;
      for (let n = 0; n < PASSAGES.length; n += 1) this.part(n).classList.toggle("rv-pointed", n === at);
    }

    morePart() {
      const kept = [["citations", "Further citations"], ["rivals", "Rivals and options"], ["reviewer", "Read again by"]]
        .filter(([name]) => this.cell(name))
        .flatMap(([name, label]) => [make("dt", {}, label), make("dd", { class: "rv-lines" }, this.cell(name))]);
      return make("details", { class: "rv-more rv-rest" }, make("summary", {}, "Computation, note, coder"),
        this.field("computation", "Computation", { hint: "the arithmetic, where a number is computed: 4 x 11 + 4 = 48" }),
        this.field("note", "Note", { tag: "textarea", hint: "what a reader should know" }),
        this.field("coder", "Coder", { tag: "select", options: ["", ...this.state.coders] }),
        kept.length ? make("dl", { class: "rv-kept" }, ...kept) : "");
    }

    /* Another way to read the words; whoever fills it in says that they are ambiguous, or contradictory. Emptied, it is taken back. */
    rivalPart() {
      const readings = this.question.readings.map(([name]) => name);
      const ambiguous = () => {
        const none = WITHOUT_WORDS.has(this.answer()), goesWith = this.input(RIVAL.goes_with);
        if (none && this.hosts.length === 1) [goesWith.value] = this.hosts;
        if (!none && !goesWith.value && this.checked("status") !== "contradictory") this.check("status", "ambiguous");
      };
      const silent = this.hosts.length ? [["-", "- the source says nothing then"]] : [];
      const options = readings.length ? { tag: "select", options: ["", ...readings, ...silent] } : { hint: silent.length ? "- if the source says nothing then" : "" };
      return make("details", { class: "rv-more rv-rival", oninput: ambiguous, onchange: ambiguous },
        make("summary", {}, "The words can also be read in another way"),
        this.field(RIVAL.answer, "The answer in that reading", options),
        this.field(RIVAL.goes_with, "It goes with the other reading of", { tag: "select", options: ["", ...this.hosts], hint: "a question whose other reading makes this one apply, or be answered otherwise" }),
        this.field(RIVAL.label, "The other reading, in a few words", { hint: "left empty it is named after its answer" }),
        this.field(RIVAL.because, "Why the words may be taken so", { tag: "textarea" }),
        this.field(RIVAL.computation, "Computation in that reading", { hint: "where its number is reckoned: nobody else is named = 0" }),
        this.field(RIVAL.preferred, "The reading preferred above, in a few words", { hint: "left empty it is named after its answer" }));
    }

    togetherPart() {
      const names = this.others.map((one) => one.question).join(", ");
      return make("label", { class: "rv-together" }, make("input", { type: "checkbox", name: "together" }),
        `Words and reasons hold for ${names} too, as until now (${this.row.clause}). Without this the answer gets a clause of its own.`);
    }

    radio(name, value, label, gloss) {
      return make("label", { class: "rv-choice" },
        make("input", { type: "radio", name: `${this.name}-${name}`, value }),
        make("span", {}, make("b", {}, label), gloss ? `${/^[\p{Lu}\p{N}]/u.test(gloss) ? "." : ":"} ${gloss}` : ""));
    }

    choice(name, legend, options) {
      return make("fieldset", { class: `rv-choices rv-choices-${name}`, "data-field": name }, make("legend", {}, legend),
        ...options.map(([value, gloss]) => this.radio(name, value, value, gloss)));
    }

    field(name, label, { tag = "input", hint = "", options = [], oninput = () => {} } = {}) {
      const id = `${this.name}-${name}`;
      const input = make(tag, { id, name, "aria-describedby": hint ? `${id}-hint` : false, spellcheck: "false", oninput, autocomplete: "off", rows: tag === "textarea" ? "2" : false },
        ...options.map((one) => [one].flat()).map(([value, words = value]) => make("option", { value }, words || "–")));
      return make("div", { class: `rv-one-field rv-field-${name}`, "data-field": name },
        make("label", { for: id }, label), hint ? make("span", { class: "rv-small", id: `${id}-hint` }, hint) : "", input);
    }

    /* ---- what stands in the fields */
    input(name) { return this.element.elements[name]; }

    checked(name) {
      const found = this.element.querySelector(`input[name="${this.name}-${name}"]:checked`);
      return found ? found.value : "";
    }

    check(name, value) {
      for (const one of this.element.querySelectorAll(`input[name="${this.name}-${name}"]`)) one.checked = one.value === value;
    }

    answer() {
      const chosen = this.checked("answer");
      return chosen === "typed" ? this.input("typed").value.trim() : chosen;
    }

    read() {
      const text = (name) => this.input(name).value;
      const answer = this.answer(), marked = WITHOUT_WORDS.has(answer);
      const cells = { answer, status: marked ? "" : this.checked("status"), certainty: answer === "?" ? "" : this.checked("certainty") };
      for (const name of TEXTS) cells[name] = text(name);
      if (marked && this.cell("answer") === answer) cells.status = this.cell("status");
      if (answer === "?" && this.cell("answer") === answer) cells.certainty = this.cell("certainty");
      const together = this.input("together");
      return { question: this.question.id, clause: this.row.clause, cells, marked: marked ? null : this.marks[0], further: marked ? [] : this.marks.slice(1), rival: this.readRival(marked), together: Boolean(together && together.checked) };
    }

    /* The other reading that the clause has, if it has just one that fits these fields. */
    heldRival() {
      const held = this.cell("other_answer"), other = this.cell("other_with");
      return { answer: held, label: this.cell("other_name"), because: this.cell("other_because"), computation: this.cell("other_computation"), goes_with: other, preferred: held && !other ? this.cell("label") : "" };
    }

    readRival(none) {
      const held = this.heldRival();
      const found = Object.fromEntries(Object.entries(RIVAL).map(([name, input]) => [name, this.input(input).value]));
      if (found.goes_with) for (const name of OWN_RIVAL) found[name] = "";
      if ((none && !found.answer.trim() && !held.answer) || Object.keys(found).every((name) => found[name].trim() === held[name].trim())) return null;
      return held.answer && !found.answer.trim() && !found.because.trim() ? { ...found, answer: "withdraw" } : found;
    }

    put(cells, marks = [], rival = null) {
      const answer = cells.answer || "";
      const known = [...this.readings, ...MARKS].some(([name]) => name === answer);
      this.check("answer", known || !answer ? answer : "typed");
      if (this.input("typed")) this.input("typed").value = known ? "" : answer;
      this.check("status", cells.status || "stated");
      this.check("certainty", cells.certainty || "high");
      for (const name of TEXTS) this.input(name).value = cells[name] || "";
      PASSAGES.forEach((names, at) => { this.part(at).hidden = at > 0 && !names.some((name) => cells[name]); });
      if (cells.computation || cells.note || this.cell("rivals") || this.cell("citations")) this.element.querySelector(".rv-rest").open = true;
      const other = rival || this.heldRival();
      for (const [name, input] of Object.entries(RIVAL)) this.input(input).value = other[name] || "";
      if (other.answer) this.element.querySelector(".rv-rival").open = true;
      this.marks = PASSAGES.map((_, at) => marks[at] || null);
      this.point(0);
      this.fit();
    }

    /* Words were marked: they are those of this answer. Whoever marks words has begun to read for it. */
    mark(marked) {
      if (marked && this.answer() === "?") this.check("answer", this.input("typed") ? "typed" : "");
      const [words, place] = PASSAGES[this.passage];
      this.silentMark = Boolean(marked) && WITHOUT_WORDS.has(this.answer());
      this.marks[this.passage] = marked && marked.exact ? marked : null;
      this.input(words).value = marked ? marked.exact : "";
      this.input(place).value = marked ? (marked.last === marked.first ? marked.first : `${marked.first}-${marked.last}`) : "";
      this.fit();
      this.changed(this);
    }

    /* Show the fields that go with the answer. */
    fit() {
      const chosen = this.checked("answer"), answer = this.answer(), none = WITHOUT_WORDS.has(answer), silent = answer === "-" || (!none && this.checked("status") === "silent");
      const hide = (selector, hidden) => { this.element.querySelector(selector).hidden = hidden; };
      hide(".rv-passages", none && answer !== "?");
      const full = PASSAGES.every((_, at) => !this.part(at).hidden);
      hide(".rv-more-words", full);
      hide(".rv-full", !full);
      this.tellDropped(none && answer !== "?");
      const ticked = this.question.words.length ? this.list() : [];
      for (const box of this.element.querySelectorAll("[name=ticked]")) box.checked = chosen === "typed" && ticked.includes(box.value);
      hide(".rv-choices-status", none);
      hide(".rv-choices-certainty", answer === "?");
      hide(".rv-rival", none && !this.hosts.length);
      hide(`.rv-field-${RIVAL.goes_with}`, !this.hosts.length);
      for (const name of OWN_RIVAL) hide(`.rv-field-${RIVAL[name]}`, none || Boolean(this.input(RIVAL.goes_with).value));
      if (["ambiguous", "contradictory"].includes(this.checked("status")) && !this.cell("rivals")) this.element.querySelector(".rv-rival").open = true;
      this.tellOldReason(answer);
      hide(".rv-field-searched", !silent);
      hide(".rv-field-taken_from", !silent || none);
    }

    /* Words that were marked are not kept beside an answer that rests on none; whoever marks them there wants another answer. */
    tellDropped(none) {
      const dropped = none ? PASSAGES.map(([words]) => this.input(words).value.trim()).filter(Boolean) : [], said = this.element.querySelector(".rv-dropped");
      const words = dropped.map((one) => `“${one.length > 60 ? `${one.slice(0, 57)}…` : one}”`).join(", ");
      if (!none) this.silentMark = false;
      const fresh = this.silentMark || (none && this.cell("answer") === this.answer());
      const told = dropped.length && fresh ? `Choose an answer, and these words are kept; ${this.answer() === "-" ? "a silence" : "what is not applicable"} has none.` : dropped.length ? `This answer rests on no words: ${words} will be taken out when you save.` : "";
      said.hidden = !told;
      if (said.textContent !== told) said.textContent = told;
    }

    /* A reason that the file has for an answer of another kind is rarely one for this. */
    tellOldReason(answer) {
      const said = this.element.querySelector(".rv-old-reason"), reason = this.cell("because").trim(), before = this.cell("answer");
      const kind = (one) => (WITHOUT_WORDS.has(one) ? one : "answer");
      const old = reason && answer && answer !== "?" && kind(before) !== kind(answer) && this.input("because").value.trim() === reason;
      const name = MARKS.find(([mark]) => mark === before)?.[1] || before;
      const told = old ? `This reason was given for “${name}”. Is it still meant? If not, change it, or take it out.` : "";
      said.hidden = !old;
      if (said.firstChild.textContent !== told) said.firstChild.textContent = told;
    }

    dropReason() {
      this.input("because").value = "";
      this.fit();
      this.changed(this);
      this.input("because").focus();
    }

    /* The cells as they are saved: an answer that rests on no words has none, as was told. */
    dropWords(cells) {
      const none = WITHOUT_WORDS.has(cells.answer) && cells.answer !== "?";
      return none ? { ...cells, ...Object.fromEntries(PASSAGES.flat().map((name) => [name, ""])) } : cells;
    }

    /* ---- what is wrong */
    showFaults(faults) {
      for (const one of this.element.querySelectorAll(".rv-field-fault")) one.remove();
      for (const one of this.element.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
      for (const { field, what, out } of faults) {
        const part = this.element.querySelector(`[data-field="${field}"]`) || this.element;
        for (let at = part.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
        part.append(make("p", { class: "rv-fault rv-field-fault" }, sentence(what), make("span", {}, ` ${sentence(out)}`)));
        const input = part.querySelector("textarea, select, input:not([type=radio])");
        if (input) input.setAttribute("aria-invalid", "true");
      }
      this.showFirstFault();
    }

    /* The first field that is marked, in view with what is said of it, above the bar with the buttons. */
    showFirstFault() {
      const first = this.element.querySelector(".rv-field-fault");
      if (!first) return;
      const part = first.parentElement;
      this.element.style.setProperty("--rv-save-height", `${this.bar.offsetHeight}px`);
      (part.querySelector("textarea, select, input:checked") || part.querySelector("input") || this.element).focus({ preventScroll: true });
      for (const one of [part, first]) one.scrollIntoView({ block: "nearest" }); // of a part that is too high, at least the words
    }

    /* The same in one sentence or two, for the bar. */
    tellFault({ field, what, out }) {
      const label = this.label(field);
      return [/^(is|holds)\b/.test(what) ? sentence(`${label} ${what}`) : `${label}: ${sentence(what).replace(/^The\b/, "the")}`, sentence(out)];
    }
  }

  window.EditionCoding.AnswerFields = AnswerFields;
})();
