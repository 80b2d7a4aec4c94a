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
    full: "This browser has no more room for this site: the last card is not kept. Save the game as a file.",
    damaged: "What this browser kept of your games is damaged and cannot be read.",
    newer: "Your games were kept by a newer edition, and this one cannot read them.",
  };

  const store = { data: structuredClone(EMPTY), trouble: "", words: "", raw: null, write, forget, keepGame, dropGame, keepResult, onother: () => {}, ontwin: () => {} };

  function read() {
    let raw;
    try { raw = localStorage.getItem(KEY); } catch { return fail("denied"); }
    if (raw === null) return;
    const kept = parse(raw);
    store.raw = raw;
    if (kept?.form > FORM) return fail("newer");
    if (!isSound(kept)) return fail("damaged");
    store.data = { ...structuredClone(EMPTY), ...kept, settings: { ...EMPTY.settings, ...kept.settings } };
  }

  function parse(raw) {
    try { return JSON.parse(raw); } catch { return null; }
  }
  const isGame = (one) => isTable(one) && isTable(one.game) && Array.isArray(one.game.deals) && typeof one.source === "string";
  const isSound = (kept) => isTable(kept) && kept.form === FORM && Array.isArray(kept.games) && kept.games.every(isGame) && Array.isArray(kept.results) && (kept.settings === undefined || isTable(kept.settings));

  function fail(trouble) {
    Object.assign(store, { trouble, words: WORDS[trouble] ?? "" });
  }

  /* Keep everything as it now is; not over what another edition wrote, or what is damaged. */
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

  /* A game comes first, so often as a card falls; the oldest make room. */
  function keepGame(game) {
    store.data.games = [game, ...store.data.games.filter((one) => one.id !== game.id)].slice(0, MOST.games);
    write();
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
    channel.addEventListener("message", ({ data }) => { if (data === "who is there?") channel.postMessage("I am"); else store.ontwin(); });
    channel.postMessage("who is there?");
  }
  read();
  globalThis.reversis.tableStore = store;
})();
