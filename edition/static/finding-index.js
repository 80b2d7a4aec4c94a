/* The index of the search: what a query finds, best first. It knows nothing of the page.

   Words are folded (folding.js), so that old and modern spellings are one. English words are found by their stem too,
   and by their meaning: the words of one line of synonyms are one word of the index. */
"use strict";
(() => {
  const BOOST = { name: 4, asked: 4, title: 4, words: 3, english: 1.5, asks: 1, more: 0.3 };
  const AS_MEANT = 0.7; // weight of a stem or a synonym beside the word itself
  const AS_ASKED = 4; // how much it raises a question that it is asked in the very words of the query
  const AS_WHOLE = 1.5; // how much it raises what has all the words, where few have
  const ENOUGH = 5; // questions and terms that have all words; with fewer, others are shown besides
  const AS_NEAR = 0.4; // of the score of the best: what else is near enough to be shown
  const AS_MANY = 4; // questions that speak for their topics
  const AS_GOOD = 0.5; // of the score of the best topic: what others are shown
  const ANSWERING = new Set(["question", "term", "topic"]);
  const LATER = new Set(["clause", "sentence", "note", "emendation"]); // many and long: added while the reader types
  const DOUBLED = /([bdfgklmnprt])\1$/u;

  /* An English word without its ending; two words with one stem are one word. */
  function stem(word) {
    if (word.length < 4) return `~${word}`;
    const bare = word.replace(/ies$/, "y").replace(/(?:(?<=s|x|z|ch|sh)es|(?<![su])s|ing|ed)$/, "");
    return `~${(bare.length > 2 ? bare : word).replace(DOUBLED, "$1").replace(/e$/, "")}`;
  }

  class Index {
    constructor(data) {
      this.data = data;
      this.folding = new globalThis.EditionFolding(data);
      this.filler = new Set(data.filler);
      this.seen = new Map();
      this.meanings = new Map();
      for (const [n, phrases] of data.synonyms.entries()) for (const one of phrases) this.learn(one, `=${n}`);
      this.records = this.read();
      this.compounds = new Set();
      for (const one of this.records) this.note(one);
      this.engine = new globalThis.MiniSearch({
        idField: "n",
        fields: ["name", ...data.fields],
        extractField: (one, field) => (field === "n" ? one.n : this.lines(one, field)),
        stringifyField: (lines) => lines,
        tokenize: (lines, field) => (field === "name" ? lines : lines.flatMap(([, lang, text]) => this.tokens(text, lang))),
        processTerm: (term) => term,
        searchOptions: { tokenize: (term) => [term], processTerm: (term) => term, boost: BOOST },
      });
      const soon = this.records.filter(({ kind }) => !LATER.has(kind)), later = this.records.filter(({ kind }) => LATER.has(kind));
      this.engine.addAll(soon);
      this.complete = this.engine.addAllAsync(later, { chunkSize: 60 });
    }

    /* ---- the records ---- */

    read() {
      const { data } = this, english = new Map(), ENGLISH = data.fields.indexOf("english");
      const all = data.records.map((row, n) => {
        const [kind, id, to, source = "", groups = [], locus = "", lines = [], at = [], names = [], answers = []] = row;
        const record = { n, kind: data.kinds[kind][0], id, to, source, groups, locus, lines, at, names, answers };
        if (record.kind === "sentence") english.set(id, lines.find(([field]) => field === ENGLISH)?.[2]);
        return record;
      });
      for (const one of all) {
        const told = one.at.map((locus) => english.get(locus)).filter(Boolean).join(" ");
        if (told) one.lines = [...one.lines, [ENGLISH, "", told]].sort((a, b) => a[0] - b[0]);
      }
      return all;
    }

    /* By what a thing is called, or asked for as a topic, and the German words in which others may be contained. */
    note(one) {
      const title = ["topic", "page"].includes(one.kind) ? [this.title(one)] : [];
      const asks = one.kind === "topic" ? one.lines.filter(([field]) => this.data.fields[field] === "asked").map(([, , text]) => text) : [];
      one.called = new Set([one.id, ...one.names, ...title, ...asks].map((name) => name.toLowerCase()));
      if (one.id.includes(".")) one.called.add(one.id.slice(one.id.indexOf(".") + 1).toLowerCase());
      const asked = ["title", "asked"].map((field) => this.data.fields.indexOf(field));
      const phrases = ANSWERING.has(one.kind) ? one.lines.filter(([field]) => asked.includes(field)) : [];
      one.gists = phrases.map(([, , text]) => this.gist(this.folding.words(text)));
      for (const [, lang, text] of one.lines) {
        if (lang === "de") for (const word of this.folding.folded(text)) this.compounds.add(word);
      }
    }

    title(one) {
      const at = this.data.fields.indexOf(one.kind === "term" ? "words" : "title");
      return one.lines.find(([field]) => field === at)?.[2].split(" · ")[0] ?? one.id;
    }

    lines(one, field) {
      if (field === "name") return [...one.called].flatMap((each) => [each, ...each.split(/[.-]/)]);
      const at = this.data.fields.indexOf(field);
      return one.lines.filter(([line]) => line === at);
    }

    /* ---- words, stems and meanings ---- */

    learn(phrase, meaning) {
      const words = this.folding.folded(phrase).map(stem);
      this.meanings.set(words[0], [...(this.meanings.get(words[0]) ?? []), { words, meaning }]
        .sort((one, other) => other.words.length - one.words.length));
    }

    /* The phrase of the table that begins at a place among stems, the longest first. */
    meaning(stems, at) {
      return this.meanings.get(stems[at])?.find(({ words }) => words.every((word, n) => stems[at + n] === word));
    }

    /* The spellings and the stem of a word, found once. */
    word(word) {
      let found = this.seen.get(word);
      if (!found) {
        found = { laid: [...this.folding.laid(word)], stem: stem(this.folding.forms(word)[0] ?? "") };
        this.seen.set(word, found);
      }
      return found;
    }

    tokens(text, lang) {
      return this.placed(this.folding.words(text), lang).flatMap(({ tokens }) => tokens);
    }

    /* Under what every word of a text is laid: its spellings; if it is English its stem, and what it means. */
    placed(words, lang) {
      const known = words.map((word) => this.word(word)), laid = known.map(({ laid: spelt }) => ({ tokens: spelt }));
      if (lang && lang !== "en") return laid;
      const stems = known.map((one) => one.stem);
      for (const [at, one] of laid.entries()) one.tokens = [...one.tokens, stems[at]];
      for (const at of stems.keys()) {
        const found = this.meaning(stems, at);
        if (found) found.words.forEach((_, n) => laid[at + n].tokens.push(found.meaning));
      }
      return laid;
    }

    /* ---- queries ---- */

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

    /* A query as units, each of which must be found: a word, or a phrase with its meaning. */
    units(parts, writing) {
      const words = parts.flatMap(({ forms, phrase }) => forms.map((form) => ({ forms: [form], phrase })));
      const stems = words.map(({ forms, phrase }) => (phrase ? "" : stem(forms[0])));
      const units = [];
      for (let at = 0; at < words.length; at += units.at(-1).forms.length) {
        const found = this.meaning(stems, at);
        const forms = words.slice(at, at + (found?.words.length ?? 1)).flatMap((one) => one.forms);
        const small = !words[at].phrase && !found && forms.every((form) => this.filler.has(form));
        units.push({ forms, small, phrase: words[at].phrase, meaning: found?.meaning, begun: false });
      }
      if (writing && units.length) units.at(-1).begun = true;
      return units.every((one) => one.small) ? units.map((one) => ({ ...one, small: false })) : units;
    }

    /* A word, or what begins with it; its stem, its meaning, and German words that have it within. */
    tree(unit, fuzzy) {
      const prefix = (form) => !unit.phrase && (form.length > 3 || unit.begun);
      const queries = [{
        combineWith: "AND",
        queries: unit.forms.map((form) => ({ queries: [form], prefix: prefix(form), fuzzy: fuzzy && form.length > 3 ? 0.3 : false })),
      }];
      if (unit.phrase) return queries[0];
      if (unit.meaning) queries.push({ queries: [unit.meaning], boostTerm: () => AS_MEANT });
      if (unit.forms.length > 1) return { combineWith: "OR", queries };
      const [form] = unit.forms;
      queries.push({ queries: [stem(form)], boostTerm: () => AS_MEANT });
      const longer = form.length > 4 ? [...this.compounds].filter((word) => word !== form && word.indexOf(form) > 0) : [];
      if (longer.length) queries.push({ queries: longer, combineWith: "OR" });
      return { combineWith: "OR", queries };
    }

    /* Whether a unit stands anywhere; if not, it is a slip, and what is near to it is meant. */
    known(unit) {
      return unit.phrase || this.engine.search({ combineWith: "OR", queries: [this.tree(unit, false)] }).length > 0;
    }

    /* The topics that answer most of what was found: each has its own score, and that of the first questions it answers. */
    topics(hits) {
      const of = (kind) => hits.filter(({ record }) => record.kind === kind);
      const known = new Map(this.records.filter(({ kind }) => kind === "topic").map((one) => [one.id, one]));
      const own = new Map(of("topic").map((one) => [one.record.id, one])), scores = new Map();
      const add = (id, score) => scores.set(id, (scores.get(id) ?? 0) + score);
      for (const [id, { score }] of own) add(id, score);
      for (const { record, score } of of("question").slice(0, AS_MANY)) add(this.data.groups[record.groups[0]], score);
      const best = Math.max(0, ...scores.values()), unmarked = { terms: new Set(), phrases: [] };
      return [...scores].filter(([id, score]) => known.has(id) && (score >= AS_GOOD * best || own.get(id)?.called))
        .sort(([, one], [, other]) => other - one)
        .map(([id, score]) => ({ ...(own.get(id) ?? unmarked), record: known.get(id), score }));
    }

    /* What a query finds. *near*: not just its words were found, but what is near to them, or some of them. */
    search(query) {
      const { hits, near } = this.find(query);
      return { hits: [...this.topics(hits), ...hits.filter(({ record }) => record.kind !== "topic")], near };
    }

    find(query) {
      const parts = this.parse(query);
      if (!parts.length) return { hits: [], near: false };
      const all = this.units(parts, !/\s$/.test(query)), units = all.filter((one) => !one.small);
      const loose = (terms) => this.loose(terms, parts, units);
      const found = (how, fuzzy) => this.raise(query, this.engine.search({
        combineWith: how, queries: units.map((one) => this.tree(one, fuzzy && !this.known(one))),
      }));
      const whole = this.shape(found("AND", false), parts, loose);
      if (parts.some((part) => part.phrase)) return { hits: whole, near: false };
      if (!whole.length) {
        const slips = this.shape(found("AND", true), parts, loose);
        return { hits: slips.length ? slips : this.shape(found("OR", true), parts, loose), near: true };
      }
      const some = () => this.shape(found("OR", true), parts, loose);
      const many = units.length > 2 || whole.filter(({ record }) => ANSWERING.has(record.kind)).length < ENOUGH;
      return { hits: many && units.length > 1 ? this.eke(whole, some) : whole, near: false };
    }

    /* Questions and terms that have most of the words come in by their rank: all that are near where few have all of
       the words, else only those that are nearer than the best of these. */
    eke(whole, some) {
      const answers = ({ record }) => ANSWERING.has(record.kind), full = new Set(whole.filter(answers).map((one) => one.record));
      const ranked = some().filter(answers).map((one) => (
        full.has(one.record) ? { ...one, score: one.score * AS_WHOLE } : { ...one, near: true }));
      ranked.sort((one, other) => other.score - one.score);
      const best = ranked.find(full.size >= ENOUGH ? (one) => !one.near : () => true)?.score ?? 0;
      const enough = full.size >= ENOUGH ? best : AS_NEAR * best;
      return [...ranked.filter((one) => !one.near || one.score > enough), ...whole.filter((one) => !answers(one))];
    }

    /* Stems of a text, with phrases for what they mean. */
    gist(words) {
      const stems = words.map((word) => this.word(word).stem), told = new Set();
      for (let at = 0; at < stems.length;) {
        const found = this.meaning(stems, at);
        told.add(found ? found.meaning : stems[at]);
        at += found ? found.words.length : 1;
      }
      return told;
    }

    /* How much of a query a title or a player's phrase has, and how little besides: from 0 to 1. */
    likeness(asked, { gists }) {
      const share = (gist) => (2 * [...asked].filter((word) => gist.has(word)).length) / (asked.size + gist.size);
      return Math.max(0, ...gists.map(share));
    }

    /* Raise what is asked in nearly these words. */
    raise(query, found) {
      const asked = this.gist(this.folding.words(query));
      return found.map((one) => ({ ...one, score: one.score * (1 + AS_ASKED * this.likeness(asked, this.records[one.id]) ** 2) }))
        .sort((one, other) => other.score - one.score);
    }

    shape(found, parts, loose) {
      const phrases = parts.filter((part) => part.phrase).map((part) => part.forms);
      const name = parts.map((part) => part.name).join(" ").replace(/[?!.]+$/, "");
      return found
        .map(({ id, terms, score }) => ({ record: this.records[id], terms: loose(terms), phrases, score }))
        .filter(({ record }) => phrases.every((one) => this.holds(record, one)))
        .map((one) => ({ ...one, called: one.record.called.has(name) }));
    }

    /* The words that are marked wherever they stand; those of a phrase, or of several words with one meaning ("not follow
       suit"), are so only there. */
    loose(terms, parts, units) {
      const bound = parts.filter((part) => part.phrase).flatMap((part) => part.forms);
      const free = units.filter(({ phrase, forms }) => !phrase && forms.length === 1).flatMap(({ forms }) => forms);
      const joined = units.filter(({ phrase, forms }) => !phrase && forms.length > 1).flatMap(({ forms }) => forms);
      const within = (term) => bound.includes(term) || joined.some((form) => term.startsWith(form) || term === stem(form));
      return new Set(terms.filter((term) => !within(term) || free.some((form) => term.startsWith(form))));
    }

    holds(record, phrase) {
      return record.lines.some(([, , text]) => this.runs(this.folding.folded(text), phrase).length > 0);
    }

    /* Where a phrase begins among folded words. */
    runs(words, phrase) {
      return [...words.keys()].filter((at) => phrase.every((form, n) => words[at + n] === form));
    }

    /* The words of a line that were found, with their places. */
    hits([, lang, text], { terms, phrases }) {
      const found = this.folding.found(text), laid = this.placed(found.map((one) => one[0]), lang);
      const forms = found.flatMap((one, n) => this.folding.forms(one[0]).map((form) => [form, n]));
      const words = forms.map(([form]) => form);
      const bound = new Set(phrases.flatMap((phrase) => this.runs(words, phrase)
        .flatMap((at) => phrase.map((_, n) => forms[at + n][1]))));
      return found.filter((_, n) => bound.has(n) || laid[n].tokens.some((token) => terms.has(token)));
    }
  }

  globalThis.EditionIndex = Index;
})();
