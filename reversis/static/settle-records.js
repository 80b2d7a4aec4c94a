/* Deal records in the browser: read, write, change a card at a time, pack into the address of the page.

   Nothing is judged here but whether a record can be shown at all; the engine says what is wrong with it. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const LONGEST = { record: 200_000, link: 30_000 }; // letters
  const DEEPEST = 12; // lists and tables within one another; a record needs five
  const MOST = { tricks: 40, seats: 10, entries: 40 }; // that are shown as a form
  const { SUITS, spoken } = globalThis.playingCards;
  const FRENCH = { R: "K", D: "Q", V: "J", 10: "T" };
  const SIGNS = Object.fromEntries(Object.entries(SUITS).map(([letter, [sign]]) => [sign, letter]));
  const ORDER = "A K Q J T 9 8 7 6 5 4 3 2".split(" ");
  const CARD = /^(10|[AKQJTRDV2-9])([SHDC♠♥♦♣])$/;

  const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const list = (value) => (Array.isArray(value) ? value : []);
  const lineOf = (raw) => (typeof raw === "string" ? raw : list(raw).map(String).join(" "));
  const wordsOf = (raw) => lineOf(raw).split(/\s+/).filter(Boolean);

  /* A card by its short name, however it is written; nothing for what is no card. */
  function card(word) {
    const [, rank, suit] = CARD.exec(String(word).toUpperCase()) ?? [];
    return rank ? (FRENCH[rank] ?? rank) + (SIGNS[suit] ?? suit) : null;
  }
  const rankOf = (name) => "SHDC".indexOf(name[1]) * 20 + ORDER.indexOf(name[0]);
  const sorted = (names) => [...names].sort((one, other) => rankOf(one) - rankOf(other));

  // ---- letters ---------------------------------------------------------------------------------------------------

  const write = (record) => JSON.stringify(record, null, 1);

  /* The record of a deal file, YAML or JSON. Throws an error with words for the reader. */
  function read(letters) {
    if (letters.length > LONGEST.record) throw new Error(`This is far too long for a deal file: ${letters.length} letters.`);
    const found = /^\s*[{[]/.test(letters) ? readJson(letters) : globalThis.reversis.yaml.readYaml(letters);
    if (!isTable(found)) throw new Error("This is not a deal file: it is not a table of keys and values.");
    if (deep(found)) throw new Error("This is not a deal file: it is nested too deeply.");
    return found;
  }

  function readJson(letters) {
    try {
      return JSON.parse(letters);
    } catch (fault) {
      throw new Error(`This cannot be read as JSON: ${fault.message}`);
    }
  }

  function deep(value) {
    let level = [value];
    for (let at = 0; level.length; at += 1) {
      if (at > DEEPEST) return true;
      level = level.flatMap((one) => (one !== null && typeof one === "object" ? Object.values(one) : []));
    }
    return false;
  }

  /* Whether a record has a shape that the form can show. */
  const shown = (record) => list(record.tricks).length <= MOST.tricks && list(record.seats).length <= MOST.seats
    && ["exchange", "announced", "faults"].every((key) => list(record[key]).length <= MOST.entries);

  // ---- changing --------------------------------------------------------------------------------------------------

  /* Two cards change places, wherever they lie and whenever they are played. */
  function swap(record, one, other) {
    const turned = (word) => ({ [one]: other, [other]: one })[card(word)] ?? word;
    const cards = (raw) => (typeof raw === "string" ? raw.replace(/\S+/g, turned) : Array.isArray(raw) ? raw.map(turned) : raw);
    const entry = (raw) => (isTable(raw) ? Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, ["out", "in", "gives"].includes(key) ? turned(value) : value])) : raw);
    const changed = {
      ...(isTable(record.hands) ? { hands: Object.fromEntries(Object.entries(record.hands).map(([seat, held]) => [seat, cards(held)])) } : {}),
      ...("talon" in record ? { talon: cards(record.talon) } : {}),
      ...(Array.isArray(record.tricks) ? { tricks: record.tricks.map(cards) } : {}),
      ...(Array.isArray(record.exchange) ? { exchange: record.exchange.map(entry) } : {}),
    };
    return { ...record, ...changed };
  }

  /* A card is put into a hand or into the talon; what was played from its first trick on is no longer played. */
  function move(record, name, to) {
    const without = (raw) => lineOf(raw).split(/\s+/).filter((word) => word && card(word) !== name).join(" ");
    const played = list(record.tricks).findIndex((row) => wordsOf(row).some((word) => card(word) === name));
    const hands = Object.fromEntries(Object.entries(isTable(record.hands) ? record.hands : {}).map(([seat, held]) => [seat, without(held)]));
    const changed = { ...record, hands, talon: without(record.talon ?? ""), tricks: played < 0 ? list(record.tricks) : list(record.tricks).slice(0, played) };
    if (to === "talon") return { ...changed, talon: `${changed.talon} ${name}`.trim() };
    return { ...changed, hands: { ...hands, [to]: `${hands[to] ?? ""} ${name}`.trim() } };
  }

  /* Cards of the pack that nobody holds and that are not in the talon. */
  function undealt(record) {
    const dealt = new Set([...Object.values(isTable(record.hands) ? record.hands : {}), record.talon ?? ""].flatMap(wordsOf).map(card));
    const ranks = Number(record.pack) === 52 ? ORDER : ORDER.filter((rank) => rank !== "T");
    return Object.keys(SUITS).flatMap((suit) => ranks.map((rank) => rank + suit)).filter((name) => !dealt.has(name));
  }

  /* Who holds a card; nothing for one that nobody holds. */
  function holder(record, name) {
    const hands = isTable(record.hands) ? Object.entries(record.hands) : [];
    return hands.find(([, held]) => wordsOf(held).some((word) => card(word) === name))?.[0] ?? "";
  }

  /* An empty table for the same players, pack and pool. */
  function blank(record) {
    const seats = list(record.seats).map(String);
    const { deal, title, hands, talon, tricks, exchange, claims, announced, faults, fragment, cites, note, ...kept } = record;
    return { deal: "my-deal", ...kept, provenance: "constructed", hands: Object.fromEntries(seats.map((seat) => [seat, ""])), talon: "", tricks: [] };
  }

  // ---- links -----------------------------------------------------------------------------------------------------

  const MARK = "#deal=";
  const toText = (octets) => btoa(Array.from(octets, (one) => String.fromCharCode(one)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const toOctets = (letters) => Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

  /* All bytes of a stream, up to so many. */
  async function drained(stream, most) {
    const reader = stream.getReader();
    const pieces = [];
    let size = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      pieces.push(next.value);
      if (size > most) {
        await reader.cancel();
        throw new Error("it is far too long");
      }
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }

  /* A record, the sources and the wishes, as a fragment of an address: packed where the browser can, otherwise as it is. */
  async function link(whole) {
    const octets = new TextEncoder().encode(JSON.stringify(whole));
    if (!globalThis.CompressionStream) return `${MARK}j.${toText(octets)}`;
    return `${MARK}z.${toText(await drained(new Blob([octets]).stream().pipeThrough(new CompressionStream("deflate-raw")), LONGEST.record))}`;
  }

  const EXAMPLE = /^[A-Za-z0-9][\w-]*$/;

  /* What a fragment holds: a packed deal, or {example: id}; null where it is none of ours. Throws an error with words. */
  async function unlink(fragment) {
    if (!fragment.startsWith(MARK)) return null;
    if (EXAMPLE.test(fragment.slice(MARK.length))) return { example: fragment.slice(MARK.length) };
    try {
      return checked(await opened(fragment.slice(MARK.length)));
    } catch (fault) {
      throw new Error(`The deal in this address cannot be opened: ${fault.words ?? WORDS[fault.message] ?? "it has been damaged"}.`);
    }
  }
  const WORDS = { "it is far too long": "it is far too long", "it holds no deal record": "it holds no deal record" };

  async function opened(text) {
    if (text.length > LONGEST.link) throw new Error("it is far too long");
    const [, how, letters] = /^([zj])\.([\w-]+)$/.exec(text) ?? [];
    const octets = toOctets(letters);
    const plain = how === "j" ? octets : await drained(new Blob([octets]).stream().pipeThrough(new DecompressionStream("deflate-raw")), LONGEST.record);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  }

  const fewWords = (value) => Array.isArray(value) && value.length <= 60 && value.every((one) => typeof one === "string" && one.length <= 200);

  function checked(whole) {
    const sound = isTable(whole) && !deep(whole) && isTable(whole.record) && fewWords(whole.sources ?? []) && fewWords(whole.wishes ?? []);
    if (!sound) throw new Error("it holds no deal record");
    return { record: whole.record, sources: whole.sources ?? [], wishes: whole.wishes ?? [], ...(typeof whole.card === "string" ? { card: card(whole.card.slice(0, 3)) } : {}) };
  }

  Object.assign(globalThis.reversis, {
    records: { MARK, LONGEST, isTable, list, lineOf, wordsOf, card, sorted, write, read, shown, swap, move, undealt, holder, blank, link, unlink },
  });
})();
