// One answer in the form: the fields of a row, what is read from them, and what is wrong with them.
"use strict";
(() => {
  const { make } = window.ReversisCoding;
  const MARKS = [
    ["-", "Silent", "the source does not say, anywhere in its text"],
    ["n/a", "Not applicable", "another answer of the source rules the question out"],
    ["?", "Not read yet", "nobody has read for it"],
  ];
  const RIVAL = { answer: "rival_answer", label: "rival_label", because: "rival_because", preferred: "rival_preferred" };
  const WITHOUT_WORDS = new Set(MARKS.map(([mark]) => mark));
  let made = 0;

  class AnswerFields {
    /* `state` is that of the source; `kept` what was typed before, if anything; `changed` is called after each change. */
    constructor(state, question, row, kept, changed) {
      Object.assign(this, { state, question, row, changed });
      this.name = `rv-${made += 1}`;
      this.marked = null;
      this.cells = row.cells;
      this.others = state.rows.filter((one) => one.clause && one.clause === row.clause && one.question !== row.question);
      this.element = make("form", { class: "rv-answer", novalidate: true });
      this.element.append(...this.parts());
      this.element.addEventListener("input", () => { this.fit(); changed(this); });
      this.put(kept ? kept.cells : this.cells, kept ? kept.marked : null, kept ? kept.rival : null);
    }

    cell(name) { return this.cells[name] || ""; }

    /* ---- parts */
    parts() {
      const { question, others } = this;
      return [
        question.procedure && make("details", { class: "rv-procedure", open: true },
          make("summary", {}, "How to decide"), make("p", { class: "rv-lines" }, question.procedure)),
        this.answerPart(),
        this.wordsPart(),
        this.choice("status", "How the source says it", this.state.statuses),
        this.field("taken_from", "Our answer is taken from", { tag: "select", options: ["", ...this.state.origins] }),
        this.field("searched", "Searched", { hint: "the range read; left empty it is the whole text" }),
        this.choice("certainty", "How sure", this.state.certainties.map((one) => [one, ""])),
        this.field("because", "Why", { tag: "textarea", hint: "needed where it does not stand there in so many words" }),
        this.rivalPart(),
        this.morePart(),
        others.length ? this.togetherPart() : "",
      ].filter(Boolean);
    }

    answerPart() {
      const { question } = this;
      const readings = [...question.readings, ...question.proposed];
      const radios = readings.map(([name, gloss]) => this.radio("answer", name, name, gloss));
      if (question.example) {
        const input = make("input", { type: "text", name: "typed", "aria-label": "The answer", "aria-describedby": `${this.name}-example`, autocomplete: "off", spellcheck: "false", oninput: () => this.check("answer", "typed") });
        radios.unshift(make("div", { class: "rv-typed-answer" }, this.radio("answer", "typed", "The answer is:", ""), input,
          make("p", { class: "rv-small rv-lines", id: `${this.name}-example` }, question.example)));
      }
      radios.push(...MARKS.map(([mark, label, gloss]) => this.radio("answer", mark, label, gloss)));
      return make("fieldset", { class: "rv-choices", "data-field": "answer" }, make("legend", {}, "The answer"), ...radios);
    }

    wordsPart() {
      const says = this.state.paraphrased
        ? "click a statement on the left; words only where it is quoted"
        : "mark them in the text, or type them as you remember them";
      return make("div", { class: "rv-words-part" },
        this.field("words", "Words of the source", { tag: "textarea", hint: says, oninput: () => { this.marked = null; } }),
        this.field("place", this.state.paraphrased ? "Statement" : "Sentence", { hint: "left empty it is found from the words", oninput: () => { this.marked = null; } }));
    }

    morePart() {
      const kept = [["citations", "Further citations"], ["rivals", "Rivals and options"], ["reviewer", "Read again by"]]
        .filter(([name]) => this.cell(name))
        .flatMap(([name, label]) => [make("dt", {}, label), make("dd", { class: "rv-lines" }, this.cell(name))]);
      return make("details", { class: "rv-more" }, make("summary", {}, "Computation, note, coder"),
        this.field("computation", "Computation", { hint: "the arithmetic, where a number is reckoned: 4 x 11 + 4 = 48" }),
        this.field("note", "Note", { tag: "textarea", hint: "what a reader should know" }),
        this.field("coder", "Coder", { tag: "select", options: ["", ...this.state.coders] }),
        kept.length ? make("dl", { class: "rv-kept" }, ...kept) : "");
    }

    /* Another way to read the words; whoever fills it in says that they are ambiguous, or contradictory. Emptied, it is taken back. */
    rivalPart() {
      const readings = this.question.readings.map(([name]) => name);
      const ambiguous = () => this.checked("status") === "contradictory" || this.check("status", "ambiguous");
      const options = readings.length ? { tag: "select", options: ["", ...readings] } : {};
      return make("details", { class: "rv-more rv-rival", "data-field": "rival", oninput: ambiguous, onchange: ambiguous },
        make("summary", {}, "The words can also be read in another way"),
        this.field(RIVAL.answer, "The answer in that reading", options),
        this.field(RIVAL.label, "The other reading, in a few words", { hint: "left empty it is named after its answer" }),
        this.field(RIVAL.because, "Why the words may be taken so", { tag: "textarea" }),
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
        ...options.map((one) => make("option", { value: one }, one || "–")));
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
      for (const name of ["words", "place", "because", "computation", "searched", "taken_from", "note", "coder"]) cells[name] = text(name);
      if (marked && this.cell("answer") === answer) cells.status = this.cell("status");
      if (answer === "?" && this.cell("answer") === answer) cells.certainty = this.cell("certainty");
      const together = this.input("together");
      return { question: this.question.id, clause: this.row.clause, cells, marked: marked ? null : this.marked, rival: this.readRival(marked), together: Boolean(together && together.checked) };
    }

    /* The other reading that the clause has, if it has just one that fits these fields. */
    heldRival() {
      const held = this.cell("other_answer");
      return { answer: held, label: this.cell("other_name"), because: this.cell("other_because"), preferred: held ? this.cell("label") : "" };
    }

    readRival(none) {
      const held = this.heldRival();
      const found = Object.fromEntries(Object.entries(RIVAL).map(([name, input]) => [name, this.input(input).value]));
      if (none || Object.keys(found).every((name) => found[name].trim() === held[name].trim())) return null;
      return held.answer && !found.answer.trim() && !found.because.trim() ? { ...found, answer: "withdraw" } : found;
    }

    put(cells, marked = null, rival = null) {
      const answer = cells.answer || "";
      const known = [...this.question.readings, ...this.question.proposed, ...MARKS].some(([name]) => name === answer);
      this.check("answer", known || !answer ? answer : "typed");
      if (this.input("typed")) this.input("typed").value = known ? "" : answer;
      this.check("status", cells.status || "stated");
      this.check("certainty", cells.certainty || "high");
      for (const name of ["words", "place", "because", "computation", "searched", "taken_from", "note", "coder"]) this.input(name).value = cells[name] || "";
      const other = rival || this.heldRival();
      for (const [name, input] of Object.entries(RIVAL)) this.input(input).value = other[name];
      if (other.answer) this.element.querySelector(".rv-rival").open = true;
      this.marked = marked;
      this.fit();
    }

    /* Words were marked: they are those of this answer. Whoever marks words has begun to read for it. */
    mark(marked) {
      if (marked && this.answer() === "?") this.check("answer", this.input("typed") ? "typed" : "");
      this.marked = marked && marked.exact ? marked : null;
      this.input("words").value = marked ? marked.exact : "";
      this.input("place").value = marked ? (marked.last === marked.first ? marked.first : `${marked.first}-${marked.last}`) : "";
      this.fit();
      this.changed(this);
    }

    /* Show the fields that go with the answer. */
    fit() {
      const answer = this.answer(), none = WITHOUT_WORDS.has(answer), silent = answer === "-" || (!none && this.checked("status") === "silent");
      const hide = (selector, hidden) => { this.element.querySelector(selector).hidden = hidden; };
      hide(".rv-words-part", none && answer !== "?");
      hide(".rv-choices-status", none);
      hide(".rv-choices-certainty", answer === "?");
      hide(".rv-rival", none);
      if (["ambiguous", "contradictory"].includes(this.checked("status")) && !this.cell("rivals")) this.element.querySelector(".rv-rival").open = true;
      hide(".rv-field-searched", !silent);
      hide(".rv-field-taken_from", !silent || none);
    }

    /* ---- what is wrong */
    showFaults(faults) {
      for (const one of this.element.querySelectorAll(".rv-fault")) one.remove();
      for (const one of this.element.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
      for (const { field, what, out } of faults) {
        const part = this.element.querySelector(`[data-field="${field}"]`) || this.element;
        for (let at = part.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
        part.append(make("p", { class: "rv-fault" }, what, make("span", {}, ` ${out}`)));
        const input = part.querySelector("textarea, select, input:not([type=radio])");
        if (input) input.setAttribute("aria-invalid", "true");
      }
      const first = this.element.querySelector(".rv-fault");
      if (first) (first.parentElement.querySelector("textarea, select, input") || this.element).focus();
    }
  }

  window.ReversisCoding.AnswerFields = AnswerFields;
})();
