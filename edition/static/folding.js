/* One form for every spelling of a word: the twin of edition/text/folding.py, by the tables that lie with the records.
   A test holds the two against each other on every word of the edition. */
"use strict";
(() => {
  const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*|&/gu;

  globalThis.EditionFolding = class {
    constructor({ letters, umlauts, same }) {
      this.letters = Object.entries(letters);
      this.umlauts = Object.entries(umlauts);
      this.same = new Map(Object.entries(same));
      this.old = new Map();
      for (const [old, now] of this.same) this.old.set(now, [...(this.old.get(now) ?? []), old]);
    }

    /* Letters without accent, ligature or capital. */
    bare(word) {
      let found = word.toLowerCase();
      for (const [old, now] of this.letters) found = found.replaceAll(old, now);
      return found.normalize("NFD").replace(/\p{Mn}/gu, "");
    }

    /* The folded forms of one word, as `forms` in edition/text/folding.py. */
    forms(word) {
      const folded = this.bare(word);
      if (this.same.has(folded)) return this.same.get(folded).split(" ");
      return folded.split("-").flatMap((part) => (this.same.get(part) ?? part).split(" "));
    }

    /* The words of a text, each with its place. */
    found(text) {
      return [...text.matchAll(WORD)];
    }

    words(text) {
      return this.found(text).map((one) => one[0]);
    }

    folded(text) {
      return this.words(text).flatMap((word) => this.forms(word));
    }

    /* All under which a word is laid: its form, the old spellings of it (so that half an old word finds it too), and
       an umlaut as it is typed without one. */
    laid(word) {
      const forms = this.forms(word);
      const typed = this.umlauts.reduce((found, [old, now]) => found.replaceAll(old, now), word.toLowerCase());
      return new Set([...forms, ...forms.flatMap((form) => this.old.get(form) ?? []), ...this.bare(typed).split("-")]);
    }
  };
})();
