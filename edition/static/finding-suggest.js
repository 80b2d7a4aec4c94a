/* Suggestions while one types: a list under a search box, in groups; a question shows what each book answers.

   It follows the combobox pattern: the arrow keys choose, Enter goes to what is chosen, Escape closes the list and then
   empties the box. What is shown is always the spelling of the source, and words are never read as markup. */
"use strict";
(() => {
  const ROOT = new URL(document.documentElement.dataset.content_root || "./", location.href);
  const SHOWN = [["topic", 2], ["question", "term", 5], ["deal", 2], ["sentence", 2], ["page", 2]];
  const NAMES = 4; // books named beside one answer
  const ANSWERS = 4; // answers shown of one question
  const LONG = 140; // letters of a sentence

  /* An element with its class and what it holds; words are never read as markup. */
  function make(tag, cls = "", content = [], attributes = {}) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...[content].flat());
    return made;
  }

  const address = (record) => new URL(record.to, ROOT).href;

  /* The first of some things, and how many more there are. */
  function first(number, things, made, more) {
    const some = things.length > number + 1 ? things.slice(0, number) : things;
    return [...some.map(made), ...(some.length < things.length ? [more(things.length - some.length)] : [])];
  }

  // ---- lines -------------------------------------------------------------------------------------------------------

  /* A piece of a long line, around its first word that was found. */
  function around(text, at, long) {
    if (text.length <= long) return [0, text.length];
    const from = Math.max(0, text.lastIndexOf(" ", Math.max(0, at - long / 3)));
    const space = text.indexOf(" ", from + long);
    return [from, space < 0 ? text.length : space];
  }

  /* The words of a line, those that were found marked. */
  function mark(index, line, found, long) {
    const [, , text] = line, hits = index.hits(line, found);
    const [from, to] = around(text, hits[0]?.index ?? 0, long);
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

  /* A book by its shape, colour and short name, with the mark of its answer. */
  function voice(index, [siglum, status]) {
    const [name, , slot] = index.data.sources[siglum], [sign, says] = index.data.statuses[status];
    const marked = sign ? ["\u00a0", make("span", "rv-status", `(${sign})`, { title: says })] : [];
    const shape = make("span", `rv-sign ${slot}${sign.startsWith("our assumption") ? " rv-pale" : ""}`, [], { "aria-hidden": "true" });
    return make("span", `rv-voice ${slot}`, [shape, " ", make("span", "rv-voice-name", name), ...marked, " "]);
  }

  /* What the books answer to a question; those that say the same stand together. */
  function answers(index, record) {
    const line = ([text, voices]) => make("span", "rv-answer", [
      make("span", "rv-answer-by", first(NAMES, voices, (one) => voice(index, one), (n) => `and ${n} more`)),
      make("span", "rv-plain-answer", text),
    ]);
    const more = (n) => make("span", "rv-answer rv-soft", `and ${n} more answers`);
    return record.answers.length ? [make("span", "rv-answers-said", first(ANSWERS, record.answers, line, more))] : [];
  }

  // ---- suggestions -------------------------------------------------------------------------------------------------

  const OF = {
    question: (index, { record }) => [make("span", "rv-suggest-title", index.title(record)), ...answers(index, record)],
    topic: (index, { record }) => {
      const says = record.lines.find(([field]) => index.data.fields[field] === "asks")?.[2] ?? "";
      return [make("span", "rv-suggest-title", index.title(record)), make("span", "rv-soft rv-suggest-says", says)];
    },
    term: (index, { record }) => {
      const [, lang, spelt] = record.lines.find(([field]) => index.data.fields[field] === "words");
      const english = record.lines.find(([field]) => index.data.fields[field] === "title")?.[2] ?? "";
      return [make("span", "rv-suggest-title", spelt.split(" · ")[0], { lang }), make("span", "rv-soft", ` ${english}`)];
    },
    sentence: (index, found) => {
      const { record } = found, { pieces } = mark(index, record.lines[0], found, LONG), lang = record.lines[0][1] || "en";
      const by = record.source in index.data.sources ? [voice(index, [record.source, 0])] : [];
      return [make("span", "rv-suggest-words", ["“", ...pieces, "”"], { lang }), make("span", "rv-soft", [" ", ...by, record.id.split(".").pop()])];
    },
  };
  const plain = (index, { record }) => [
    make("span", "rv-suggest-title", index.title(record)), ...(record.locus ? [make("span", "rv-soft", ` ${record.locus}`)] : []),
  ];

  function option(index, found, n) {
    const content = (OF[found.record.kind] ?? plain)(index, found);
    return make("a", "rv-suggest-option", content, {
      role: "option", id: `rv-suggest-${n}`, tabindex: "-1", href: address(found.record),
      "aria-selected": "false", "data-kind": found.record.kind, "data-id": found.record.id,
    });
  }

  /* Groups of what was found: what is called so, then questions and terms together, then kind by kind. */
  function grouped(index, { hits, near }) {
    const heading = new Map(index.data.kinds);
    const called = hits.filter((one) => one.called).slice(0, 3), rest = hits.filter((one) => !called.includes(one));
    const groups = SHOWN.map((row) => {
      const kinds = row.slice(0, -1), title = kinds.map((kind, n) => (n ? heading.get(kind).toLowerCase() : heading.get(kind)));
      return [title.join(" and "), rest.filter(({ record }) => kinds.includes(record.kind)).slice(0, row.at(-1))];
    });
    const all = [["Exact match", called], ...groups].filter(([, some]) => some.length);
    return near ? all.map(([title, some], n) => [n ? title : `Close matches: ${title.toLowerCase()}`, some]) : all;
  }

  class Suggestions {
    constructor(field, index) {
      Object.assign(this, { field, index, chosen: -1 });
      this.form = field.form;
      this.list = make("div", "rv-suggest", [], { role: "listbox", id: "rv-suggest", "aria-label": "Suggestions" });
      this.list.hidden = true;
      this.said = make("span", "rv-unseen", "", { role: "status" });
      this.form.append(this.list, this.said);
      for (const [name, value] of Object.entries({
        role: "combobox", "aria-expanded": "false", "aria-controls": "rv-suggest", "aria-autocomplete": "list", "aria-haspopup": "listbox",
      })) field.setAttribute(name, value);
      field.addEventListener("input", () => this.show());
      field.addEventListener("focus", () => this.show());
      field.addEventListener("keydown", (event) => this.press(event));
      this.form.addEventListener("focusout", (event) => { if (!this.form.contains(event.relatedTarget)) this.close(); });
      this.form.addEventListener("submit", () => this.close());
      this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
      this.list.addEventListener("click", () => this.close());
      index.complete.then(() => { if (!this.list.hidden && this.chosen < 0) this.show(); });
      if (document.activeElement === field) this.show();
    }

    get options() { return [...this.list.querySelectorAll("[role=option]")]; }

    show() {
      const query = this.field.value.trim();
      if (!query) return this.close();
      const groups = grouped(this.index, this.index.search(this.field.value));
      let n = 0;
      const parts = groups.map(([title, some], at) => make("div", "rv-suggest-group", [
        make("div", "rv-suggest-head", title, { id: `rv-suggest-head-${at}`, role: "presentation" }),
        ...some.map((one) => option(this.index, one, n++)),
      ], { role: "group", "aria-labelledby": `rv-suggest-head-${at}` }));
      const every = new URL(`${this.form.dataset.find}#${new URLSearchParams({ q: query })}`, location.href).href;
      const rest = make("a", "rv-suggest-option rv-suggest-all", n ? `All results for “${query}”` : `Not found: “${query}”. Look in the whole edition`, {
        role: "option", id: `rv-suggest-${n}`, tabindex: "-1", href: every, "aria-selected": "false",
      });
      this.list.replaceChildren(...parts, rest);
      this.list.hidden = false;
      this.place();
      this.choose(-1);
      this.field.setAttribute("aria-expanded", "true");
      this.said.textContent = n ? `${n} suggestions` : "Not found";
      return undefined;
    }

    /* Under the box, on the side where there is room; on a telephone across the screen. */
    place() {
      const { left, right, bottom } = this.field.getBoundingClientRect();
      this.list.classList.toggle("rv-suggest-left", (left + right) / 2 < innerWidth / 2);
      this.list.style.setProperty("--rv-below", `${Math.round(bottom)}px`);
      this.list.scrollTop = 0;
    }

    close() {
      this.list.hidden = true;
      this.choose(-1);
      this.field.setAttribute("aria-expanded", "false");
      this.said.textContent = "";
    }

    choose(at) {
      const { options } = this;
      this.chosen = at;
      for (const [n, one] of options.entries()) one.setAttribute("aria-selected", String(n === at));
      if (at < 0) this.field.removeAttribute("aria-activedescendant");
      else {
        this.field.setAttribute("aria-activedescendant", options[at].id);
        options[at].scrollIntoView({ block: "nearest" });
      }
    }

    press(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], { options } = this;
      if (step) {
        event.preventDefault();
        if (this.list.hidden) this.show();
        else this.choose(((this.chosen + 1 + step + options.length + 1) % (options.length + 1)) - 1);
      } else if (event.key === "Enter" && this.chosen >= 0 && !this.list.hidden) {
        event.preventDefault();
        options[this.chosen].click();
      } else if (event.key === "Escape") {
        event.preventDefault();
        if (this.list.hidden) this.field.value = "";
        this.close();
      } else if (event.key === "Tab") {
        this.close(); // or the list, which can be scrolled, would be the next stop
      }
    }
  }

  globalThis.EditionSuggest = { make, mark, answers, address, attach: (field, index) => new Suggestions(field, index) };
})();
