// Text of a source in the form: sentences or statements, and the words that are marked in them by mouse or keyboard.
"use strict";
window.EditionCoding = {};
(() => {
  const CLOSERS = { ")": "(", "]": "[", "}": "{", "”": "“", "“": "„", "»": "«", "’": "‘" };
  const BEFORE = /^[^\p{L}\p{N}\p{M}]+/u, BEHIND = /[^\p{L}\p{N}\p{M}]+$/u; // points around a quotation

  /* An element with attributes (false: none, a function: of an event) and what stands in it. */
  function make(name, given = {}, ...inside) {
    const one = document.createElement(name);
    for (const [key, value] of Object.entries(given)) {
      if (key.startsWith("on")) one.addEventListener(key.slice(2), value);
      else if (value !== false && value !== undefined) one.setAttribute(key, value === true ? "" : value);
    }
    one.append(...inside.filter((part) => part !== "" && part !== null && part !== undefined));
    return one;
  }

  const unclosed = (text, opener, closer) => text.split(opener).length > text.split(closer).length;

  /* How many letters of the points behind a quotation belong to it: those that close what is opened in it. */
  function countClosing(inside, behind) {
    let taken = 0;
    [...behind].forEach((letter, at) => { if (CLOSERS[letter] && unclosed(inside + behind.slice(0, at), CLOSERS[letter], letter)) taken = at + 1; });
    return taken;
  }

  /* And of those before it: those that open what is closed in it. */
  function countOpening(inside, before) {
    const [closer] = Object.entries(CLOSERS).find(([one, opener]) => before.includes(opener) && unclosed(inside, one, opener)) || [];
    return closer ? before.length - before.lastIndexOf(CLOSERS[closer]) : 0;
  }

  const count = (text) => [...text].length; // letters as the server counts them

  const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
  const sentence = (words) => (/[.!?)]$/.test(words) ? capital(words) : `${capital(words)}.`);

  class SourceText {
    /* `told` is called with every new mark: {first, last, start, end, exact}, or null. */
    constructor(state, told) {
      this.told = told;
      this.paraphrased = state.paraphrased;
      this.words = []; // all that can be marked: sentence, first letter, the one behind the last
      this.anchor = this.head = -1; // of the words, or of the statements, that are marked
      this.whole = false; // whether whole statements are
      this.drawn = [];
      let page = "";
      this.element = make("div", { class: "rv-sentences", role: "list", "aria-label": this.paraphrased ? "Statements" : "Sentences" });
      this.sentences = state.sentences.map((one, at) => {
        const made = this.sentence(one, at, one.page && one.page !== page ? one.page : "");
        page = one.page || page;
        return made;
      });
      this.element.append(...this.sentences.map((one) => one.item));
      if (this.sentences.length) this.sentences[0].item.tabIndex = 0;
      this.element.addEventListener("keydown", (event) => this.key(event));
      this.element.addEventListener("mouseup", () => setTimeout(() => this.takeSelection()));
      this.element.addEventListener("pointerdown", (event) => { this.touched = event.pointerType !== "mouse"; });
      document.addEventListener("selectionchange", () => {
        clearTimeout(this.later);
        if (this.touched) this.later = setTimeout(() => this.takeSelection(true), 600);
      });
    }

    sentence(one, at, page) {
      const words = make("span", { class: "rv-words", lang: one.lang }, one.text);
      const short = one.id.split(".").pop();
      const item = make("div", {
        class: `rv-sentence rv-sentence-${one.kind}`, role: "listitem", tabindex: "-1", "data-id": one.id,
        onfocus: () => this.rove(at), onclick: () => this.click(at),
      },
      page && make("span", { class: "rv-page-mark" }, `page ${page}`),
      make("span", { class: "rv-sentence-id" }, short), " ",
      one.statement && make("span", { class: "rv-statement" }, one.statement),
      one.text && one.statement && make("span", { class: "rv-unseen" }, " quoted: "),
      words,
      one.english && make("span", { class: "rv-english", hidden: true, lang: "en" }, one.english));
      for (const found of one.text.matchAll(/\S+/g)) {
        this.words.push({ at, start: found.index, end: found.index + found[0].length });
      }
      return { ...one, item, words };
    }

    /* ---- marks */
    clear() { this.anchor = this.head = -1; this.whole = false; this.draw([]); }

    markWords(anchor, head) {
      [this.anchor, this.head, this.whole] = [anchor, head, false];
      const low = this.words[Math.min(anchor, head)], high = this.words[Math.max(anchor, head)];
      const first = this.sentences[low.at], last = this.sentences[high.at];
      const stop = low.at === high.at ? high.end : undefined;
      let start = low.start + (BEFORE.exec(first.text.slice(low.start, stop)) || [""])[0].length;
      const begin = low.at === high.at ? start : 0;
      let end = high.end - (BEHIND.exec(last.text.slice(begin, high.end)) || [""])[0].length;
      if (low.at === high.at && start >= end) return;
      const cut = () => this.sentences.slice(low.at, high.at + 1).map((one, n, all) =>
        one.text.slice(n ? 0 : start, n === all.length - 1 ? end : undefined));
      end += countClosing(cut().join(" "), last.text.slice(end, high.end));
      start -= countOpening(cut().join(" "), first.text.slice(low.start, start));
      const pieces = cut();
      this.draw(pieces.map((piece, n) => [low.at + n, n ? 0 : start, (n ? 0 : start) + piece.length]));
      this.told({
        first: first.id, last: last.id, exact: pieces.join(" "),
        start: count(first.text.slice(0, start)), end: count(last.text.slice(0, end)),
      });
    }

    markWhole(anchor, head) {
      const low = Math.min(anchor, head), high = Math.max(anchor, head);
      if (!this.paraphrased) {
        const inside = this.words.map((one, n) => [one, n]).filter(([one]) => one.at >= low && one.at <= high);
        if (inside.length) this.markWords(inside[0][1], inside[inside.length - 1][1]);
        return;
      }
      [this.anchor, this.head, this.whole] = [anchor, head, true];
      this.draw([], this.sentences.slice(low, high + 1));
      this.told({ first: this.sentences[low].id, last: this.sentences[high].id, exact: "", start: 0, end: 0 });
    }

    /* Show where something is cited already. */
    show(place, words) {
      const [first, last] = place.split("-");
      const low = this.sentences.findIndex((one) => one.id === first);
      const high = last ? this.sentences.findIndex((one) => one.id === last) : low;
      this.clear();
      if (low < 0 || high < low) return;
      const some = this.sentences.slice(low, high + 1), text = some.map((one) => one.text).join(" ");
      const at = words ? text.indexOf(words) : -1;
      if (at < 0 || text.indexOf(words, at + 1) >= 0) this.draw([], some);
      else {
        let done = 0;
        this.draw(some.map((one, n) => {
          const piece = [low + n, Math.max(at - done, 0), Math.min(at + words.length - done, one.text.length)];
          done += one.text.length + 1;
          return piece;
        }).filter(([, start, end]) => start < end));
      }
      some[0].item.scrollIntoView({ block: "nearest" });
    }

    draw(pieces, whole = []) {
      for (const one of this.drawn) {
        one.words.replaceChildren(one.text);
        one.item.classList.remove("rv-cited");
      }
      for (const [at, start, end] of pieces) {
        const one = this.sentences[at];
        one.words.replaceChildren(one.text.slice(0, start), make("mark", {}, one.text.slice(start, end)), one.text.slice(end));
      }
      this.drawn = [...pieces.map(([at]) => this.sentences[at]), ...whole];
      for (const one of this.drawn) one.item.classList.add("rv-cited");
    }

    /* ---- mouse and touch */
    click(at) {
      if (this.paraphrased && getSelection().isCollapsed) this.markWhole(at, at);
    }

    takeSelection(stays = false) {
      const selection = getSelection();
      if (!selection.rangeCount || selection.isCollapsed) return;
      const range = selection.getRangeAt(0);
      if (!range.intersectsNode(this.element)) return;
      const inside = this.words.map((one, n) => [one, n]).filter(([one]) => this.overlaps(range, one));
      if (!inside.length) return;
      if (!stays) selection.removeAllRanges();
      this.markWords(inside[0][1], inside[inside.length - 1][1]);
      if (!stays) this.focus(inside[0][0].at, false);
    }

    overlaps(range, word) {
      const { words } = this.sentences[word.at];
      if (!range.intersectsNode(words)) return false;
      const whole = document.createRange();
      whole.selectNodeContents(words);
      const upTo = (node, offset) => {
        const part = document.createRange();
        part.selectNodeContents(words);
        part.setEnd(node, offset);
        return part.toString().length;
      };
      const before = range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0;
      const behind = range.compareBoundaryPoints(Range.END_TO_END, whole) >= 0;
      const start = before ? 0 : upTo(range.startContainer, range.startOffset);
      const end = behind ? Infinity : upTo(range.endContainer, range.endOffset);
      return start < word.end && end > word.start;
    }

    /* ---- keyboard: up and down between sentences, left and right between words, with Shift further */
    rove(at) {
      for (const one of this.sentences) one.item.tabIndex = -1;
      this.sentences[at].item.tabIndex = 0;
      this.here = at;
    }

    focus(at, scrolls = true) {
      if (at < 0 || at >= this.sentences.length) return;
      this.sentences[at].item.focus({ preventScroll: !scrolls });
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const last = this.sentences.length - 1, here = this.here ?? 0, { shiftKey } = event;
      const acts = {
        ArrowDown: () => (shiftKey ? this.extendWhole(1) : this.focus(here + 1)),
        ArrowUp: () => (shiftKey ? this.extendWhole(-1) : this.focus(here - 1)),
        Home: () => this.focus(0),
        End: () => this.focus(last),
        ArrowRight: () => this.step(1, shiftKey),
        ArrowLeft: () => this.step(-1, shiftKey),
        Enter: () => this.markWhole(here, here),
        " ": () => this.markWhole(here, here),
        Escape: () => { this.clear(); this.told(null); },
      };
      if (!acts[event.key]) return;
      event.preventDefault();
      acts[event.key]();
    }

    /* The first step marks the first word of the sentence (or its last); further ones move, or with Shift extend. */
    step(by, extends_) {
      const here = this.here ?? 0;
      const own = this.words.map((one, n) => [one, n]).filter(([one]) => one.at === here).map(([, n]) => n);
      const marked = !this.whole && this.head >= 0 && this.words[this.head].at === here;
      if (!marked) {
        if (own.length) this.markWords(...Array(2).fill(by > 0 ? own[0] : own[own.length - 1]));
        return;
      }
      const next = Math.min(Math.max(this.head + by, 0), this.words.length - 1);
      this.markWords(extends_ ? this.anchor : next, next);
      this.focus(this.words[next].at);
    }

    extendWhole(by) {
      const here = this.here ?? 0, next = Math.min(Math.max(here + by, 0), this.sentences.length - 1);
      const begin = this.whole ? this.anchor : !this.paraphrased && this.anchor >= 0 ? this.words[this.anchor].at : here;
      this.markWhole(begin, next);
      this.focus(next);
    }

    translate(shown) {
      for (const one of this.element.querySelectorAll(".rv-english")) one.hidden = !shown;
    }
  }

  Object.assign(window.EditionCoding, { make, capital, sentence, SourceText });
})();
