/* What the table keeps in this browser: the games, what came of them, and how one likes to play.

   It is written after every card, under a name with the path of the site, since hosts share an origin. Whatever keeps it
   from being read or written is said in words; what cannot be read is never written over before the reader says so. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const FORM = 1; // of what is kept; an edition reads older forms, not newer ones
  const KEY = `reversis.table ${new URL("../", document.currentScript.src).pathname}`;
  const MOST = { games: 4, results: 20 };
  const EMPTY = { form: FORM, games: [], results: [], settings: { speed: 1, letters: true, suits: false, guess: false, lessons: [] } };
  const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const WORDS = {
    denied: "This browser keeps nothing for this site: the game is gone when you leave the page. Save it as a file.",
    full: "This browser has no more room for this site: what you play from now on is not kept. Save the game as a file.",
    damaged: "What this browser kept of your games is damaged and cannot be read: until you begin anew, it stays as it is, and nothing more is kept.",
    newer: "Your games were kept by a newer edition, and this one cannot read them: until you begin anew, they stay as they are, and nothing more is kept.",
  };

  const store = { data: structuredClone(EMPTY), trouble: "", words: "", raw: null, hasTwin: false, isElsewhere, write, forget, keepGame, dropGame, keepResult, onother: () => {}, ontwin: () => {} };

  /* What is kept, or nothing; `trouble` is why it cannot be read. */
  function readKept() {
    let raw;
    try { raw = localStorage.getItem(KEY); } catch { return { trouble: "denied" }; }
    if (raw === null) return { trouble: "" };
    const kept = parse(raw);
    if (kept?.form > FORM) return { raw, trouble: "newer" };
    return isSound(kept) ? { raw, kept, trouble: "" } : { raw, trouble: "damaged" };
  }

  function read() {
    const { raw, kept, trouble } = readKept();
    store.raw = raw ?? null;
    fail(trouble);
    if (!kept) return;
    for (const game of kept.games) game[SEEN] = lettersOf(game);
    store.data = { ...structuredClone(EMPTY), ...kept, settings: { ...EMPTY.settings, ...kept.settings } };
  }

  function parse(raw) {
    try { return JSON.parse(raw); } catch { return null; }
  }
  const isView = (one) => isTable(one) && isTable(one.deal) && typeof one.phase === "string" && [one.seats, one.hand, one.pools].every(Array.isArray);
  const isGame = (one) => isTable(one) && isTable(one.game) && Array.isArray(one.game.deals) && one.game.deals.every(isTable) && isView(one.view) && typeof one.source === "string" && [one.wishes, one.seen, one.ends].every(Array.isArray);
  const isResult = (one) => isTable(one) && typeof one.source === "string" && typeof one.net === "number";
  const areSettings = (some) => isTable(some) && Object.entries(EMPTY.settings).every(([name, value]) => some[name] === undefined || (typeof some[name] === typeof value && Array.isArray(some[name]) === Array.isArray(value)));
  const isSound = (kept) => isTable(kept) && kept.form === FORM && Array.isArray(kept.games) && kept.games.every(isGame) && Array.isArray(kept.results) && kept.results.every(isResult) && areSettings(kept.settings ?? {});

  function fail(trouble) {
    Object.assign(store, { trouble, words: WORDS[trouble] ?? "" });
  }

  /* Keep everything as it now is; not over what a newer edition wrote, or what is damaged. */
  function write() {
    if (store.trouble === "damaged" || store.trouble === "newer") return;
    try {
      localStorage.setItem(KEY, JSON.stringify(store.data));
      fail("");
    } catch (fault) {
      fail(fault?.name === "QuotaExceededError" ? "full" : "denied");
    }
  }

  /* Begin anew, where what is there cannot be read. */
  function forget() {
    fail("");
    store.data = structuredClone(EMPTY);
    write();
  }

  const SEEN = Symbol("the deals of a game as this window last saw them");
  const lettersOf = (entry) => JSON.stringify(entry.game.deals);

  /* A game comes first, whenever a card falls; of the others those that are over make room, then the oldest. One that
     has gone on in another window since this one saw it stays as it is there, and this one is kept beside it. */
  function keepGame(game) {
    const games = readKept().kept?.games ?? store.data.games, there = games.find((one) => one.id === game.id);
    if (there && game[SEEN] && ![game[SEEN], lettersOf(game)].includes(lettersOf(there))) game.id = `${game.id}-${Date.now().toString(36)}`;
    game[SEEN] = lettersOf(game);
    const others = games.filter((one) => one.id !== game.id).sort((one, other) => Boolean(one.again) - Boolean(other.again));
    store.data.games = [game, ...others].slice(0, MOST.games);
    write();
  }
  /* Whether another window has gone on with a game. */
  function isElsewhere(game) {
    const there = store.data.games.find((one) => one.id === game.id);
    return Boolean(there) && lettersOf(there) !== lettersOf(game);
  }
  function dropGame(game) {
    store.data.games = store.data.games.filter((one) => one.id !== game.id);
    write();
  }
  function keepResult(result) {
    const same = (one) => one.seed === result.seed && one.source === result.source;
    if (store.data.results.some(same)) return; // the first time counts: afterwards one knows the cards
    store.data.results = [result, ...store.data.results].slice(0, MOST.results);
    write();
  }

  /* Two windows: the later one hears of the earlier, and each of what the other keeps. */
  addEventListener("storage", (event) => { if (event.key === KEY) { read(); store.onother(); } });
  if (globalThis.BroadcastChannel && location.protocol !== "file:") {
    const channel = new BroadcastChannel(KEY);
    channel.addEventListener("message", ({ data }) => {
      if (data === "who is there?") return channel.postMessage("I am");
      store.hasTwin = data === "I am";
      if (!store.hasTwin) channel.postMessage("who is there?"); // one has left, and there may be a third
      store.ontwin();
    });
    addEventListener("pagehide", () => channel.postMessage("I leave"));
    channel.postMessage("who is there?");
  }
  read();
  globalThis.reversis.tableStore = store;
})();
