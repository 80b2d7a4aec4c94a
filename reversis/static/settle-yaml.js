/* Deal files: write a record as YAML, and read what deal files are written in.

   Read are block and flow tables and lists, plain, quoted and folded text, numbers, true and false, comments; JSON is
   a part of it. Anchors, tags and several documents are not: deal files have none. */
"use strict";
globalThis.reversis ??= {};
(() => {
  // ---- writing ---------------------------------------------------------------------------------------------------

  const WORDS = /^(true|false|null|yes|no|on|off|y|n|~)$/i;
  const PLAIN = /^[\p{L}\p{N}♠♥♦♣][\p{L}\p{N}♠♥♦♣ ./()’'+_-]*$/u;
  const NUMBER = /^[-+.]?[\d_.]+(e[-+]?\d+)?$|^0[xo]/i;
  const isPlain = (text) => PLAIN.test(text) && text === text.trim() && !WORDS.test(text) && !NUMBER.test(text);
  const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const scalar = (value) => (typeof value === "string" ? (isPlain(value) ? value : JSON.stringify(value)) : String(value));

  function flow(value) {
    if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
    if (isTable(value)) return `{${Object.entries(value).map(([key, one]) => `${scalar(key)}: ${flow(one)}`).join(", ")}}`;
    return scalar(value);
  }

  const LINES = ["tricks", "exchange", "announced", "faults"]; // an entry on a line of its own
  function entry([key, value]) {
    const head = `${scalar(key)}:`;
    if (key === "hands" && isTable(value) && Object.keys(value).length) return [head, ...Object.entries(value).map(([seat, held]) => `  ${scalar(seat)}: ${flow(held)}`)];
    if (LINES.includes(key) && Array.isArray(value) && value.length) return [head, ...value.map((one) => `  - ${flow(one)}`)];
    return [`${head} ${flow(value)}`];
  }
  const writeYaml = (record) => `${Object.entries(record).flatMap(entry).join("\n")}\n`;

  // ---- reading ---------------------------------------------------------------------------------------------------

  const KEY = /^("(?:[^"\\]|\\.)*"\s*|'(?:[^']|'')*'\s*|[^\s"'[\]{},#&*!|>%@`:][^:#]*):(?:\s+(.*))?$/;
  const CONSTANTS = new Map([["true", true], ["false", false], ["null", null], ["~", null]]);

  /* The value of a deal file. Throws an error that names the line. */
  function readYaml(text) {
    const lines = text.split(/\r?\n/).map((raw, at) => ({ at: at + 1, indent: raw.search(/\S|$/), raw: raw.trim() }));
    let next = 0;
    const skip = () => { while (next < lines.length && (!lines[next].raw || lines[next].raw.startsWith("#") || (next === 0 && lines[next].raw === "---"))) next += 1; };
    const fail = (line) => { throw new Error(`Line ${line?.at ?? lines.length} cannot be read: write key: value, or a list of - entries.`); };

    function block(indent) {
      skip();
      const first = lines[next];
      if (!first || first.indent < indent) return null;
      return /^-(\s|$)/.test(first.raw) ? blockList(first.indent) : blockTable(first.indent);
    }

    function blockList(indent) {
      const items = [];
      for (skip(); lines[next]?.indent === indent && /^-(\s|$)/.test(lines[next].raw); skip()) {
        const line = lines[next], rest = line.raw.slice(1).trim();
        if (rest && KEY.test(rest) && !/^["'[{]/.test(rest)) { // a table that begins beside its dash
          Object.assign(line, { raw: rest, indent: indent + line.raw.length - rest.length });
          items.push(blockTable(line.indent));
        } else {
          next += 1;
          items.push(rest ? value(rest, indent, line) : block(indent + 1));
        }
      }
      return items;
    }

    function blockTable(indent) {
      const entries = new Map();
      for (skip(); lines[next]?.indent === indent; skip()) {
        const line = lines[next], [, key, rest] = KEY.exec(line.raw) ?? fail(line);
        const name = String(parseFlow(key.trim(), line));
        if (entries.has(name)) throw new Error(`Line ${line.at}: ${name} is there twice.`);
        next += 1;
        const empty = rest === undefined || rest.startsWith("#");
        const listHere = () => { skip(); return lines[next]?.indent === indent && /^-(\s|$)/.test(lines[next].raw) ? blockList(indent) : block(indent + 1); };
        entries.set(name, empty ? listHere() : value(rest, indent, line));
      }
      if (lines[next] && lines[next].indent > indent) fail(lines[next]);
      return Object.fromEntries(entries);
    }

    /* A value that begins on a line; text and brackets may go on below it, further in. */
    function value(rest, indent, line) {
      const folded = /^([>|])([-+]?)\s*(#.*)?$/.exec(rest);
      const below = [];
      while (next < lines.length && (lines[next].indent > indent || !lines[next].raw) && (folded || lines[next].raw || below.length)) below.push(lines[next++].raw);
      while (below.length && !below.at(-1)) { below.pop(); next -= 1; }
      if (folded) return below.join(folded[1] === ">" ? " " : "\n") + (folded[2] === "-" ? "" : "\n");
      return parseFlow([rest, ...below].join(" "), line);
    }

    function parseFlow(text, line) {
      const tokens = text.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\s#.*$|[[\]{},]|:(?=\s|$)|(?:[^\s[\]{},:#"']|:(?=\S))(?:[^\s[\]{},:#]|:(?=\S)|\s(?![#\s])|(?<=\S)#)*|\s+|./g)?.filter((one) => one.trim() && !/^\s#/.test(one)) ?? [];
      let at = 0;
      const expect = (sign) => { if (tokens[at] !== sign) fail(line); at += 1; };
      function one() {
        const token = tokens[at];
        if (token === undefined || /^[\]},:]$/.test(token)) fail(line);
        at += 1;
        if (token === "[") return list();
        if (token === "{") return table();
        return atom(token.trim(), line);
      }
      function list() {
        const items = [];
        while (tokens[at] !== "]") { items.push(one()); if (tokens[at] !== "]") expect(","); }
        at += 1;
        return items;
      }
      function table() {
        const entries = new Map();
        while (tokens[at] !== "}") {
          const key = String(one());
          expect(":");
          entries.set(key, one());
          if (tokens[at] !== "}") expect(",");
        }
        at += 1;
        return Object.fromEntries(entries);
      }
      if (!/^[[{]/.test(text)) return atom(tokens.join("").trim() && text.replace(/\s#.*$/, "").trim(), line);
      const found = one();
      if (at < tokens.length) fail(line);
      return found;
    }

    function atom(token, line) {
      if (/^"/.test(token)) { try { return JSON.parse(token); } catch { fail(line); } }
      if (/^'/.test(token)) return /^'(?:[^']|'')*'$/.test(token) ? token.slice(1, -1).replaceAll("''", "'") : fail(line);
      if (/^-?\d{1,15}$/.test(token)) return Number(token);
      if (/^[&*!|>%@`]/.test(token)) fail(line);
      return CONSTANTS.has(token) ? CONSTANTS.get(token) : token;
    }

    const found = block(0);
    skip();
    if (next < lines.length) fail(lines[next]);
    return found;
  }

  Object.assign(globalThis.reversis, { yaml: { writeYaml, readYaml } });
})();
