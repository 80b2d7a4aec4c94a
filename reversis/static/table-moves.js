/* One move after another, each for its time: what the others did, what was paid, and where the books part over it. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { tableState, tableScreen, tableSlip } = globalThis.reversis;
  const { stage, BOOKS, bookOf, settings, state } = tableState;
  const { speak, render } = tableScreen;
  const { clauseSlip, describeSums, partingSlip } = tableSlip;
  const TIMES = { card: 350, trick: 900, exchange: 350, give: 350, payment: 0 }; // milliseconds, at the usual speed

  let wake = null, skipping = false;
  const hasKeys = matchMedia("(hover: hover)"); // a touched screen has none
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const atOnce = () => skipping || settings().speed === 0 || still.matches;
  const rest = (time) => (atOnce() || !time ? null : new Promise((resolve) => { const done = () => { clearTimeout(timer); wake = null; resolve(); }, timer = setTimeout(done, time / settings().speed); wake = done; })); // so that what waits for a word of its own is not skipped
  function skip() {
    if (!wake) return false;
    skipping = true;
    wake();
    return true;
  }

  /* Show what happened between two views; the books that part over a trick are heard before the next one. */
  async function show(before, after, coming, turn) {
    const phase = ["exchange", "give"].includes(after.phase) ? before.phase : "play"; // between two turns before play the talon stays
    const board = structuredClone({ ...before, phase, moves: [], trick: before.trick ?? { number: 1, cards: [] } });
    Object.assign(state, { slip: null, changes: {}, asked: "", chosen: "", say: "" });
    skipping = false;
    let done = 0;
    for (const move of after.moves) {
      if (turn !== state.run) return;
      if (move.kind === "card" && done && move.trick > done) { state.view = board; await hearParting(await coming, done, turn); done = 0; state.changes = {}; }
      MOVES[move.kind]?.(board, move, after);
      if (move.kind === "trick") done = move.trick;
      if (!atOnce()) { state.view = board; render(); }
      await rest(TIMES[move.kind]);
    }
    wake = null;
    if (done && turn === state.run) { state.view = board; await hearParting(await coming, done, turn); }
    skipping = false;
  }

  const seatOf = (board, seat) => board.seats.find((one) => one.seat === seat);
  function takeCards(board, move, after) {
    state.say = move.words;
    if (move.seat === board.deal.you) board.hand = after.hand; // at once, as one draws
  }
  const MOVES = {
    exchange: takeCards,
    give: takeCards,
    card(board, move) {
      const { trick } = board;
      if (trick.number !== move.trick) {
        const taker = trick.cards.find((one) => one.wins)?.seat;
        board.last = trick.cards.length && taker ? { number: trick.number, taker, cards: trick.cards } : board.last;
        board.trick = { number: move.trick, cards: [] };
      }
      for (const one of board.trick.cards) one.fresh = false;
      board.trick.cards.push({ seat: move.seat, card: move.card, fresh: true });
      board.trick.turn = null;
      board.hand = board.hand.filter((one) => one.card !== move.card);
    },
    trick(board, move) {
      for (const one of board.trick.cards) one.wins = one.seat === move.taker;
      const taker = seatOf(board, move.taker);
      taker.tricks += 1;
      taker.points += move.points;
    },
    payment(board, move) {
      for (const { payer, payee, amount } of move.postings) {
        for (const [who, change] of [[payer, -amount], [payee, amount]]) {
          const seat = seatOf(board, who), pool = board.pools.find((one) => one.name === who);
          if (seat) seat.account += change;
          if (pool) pool.amount += change;
          state.changes[who] = (state.changes[who] ?? 0) + change;
        }
      }
      const isYours = move.postings.some((one) => [one.payer, one.payee].includes(board.deal.you));
      if (isYours || !state.changes[board.deal.you]) state.say = move.words; // of what one wins or loses the words stay; more would need room, and move what is below
      if (isYours || !state.slip) state.slip = () => clauseSlip({ ...move.slip, words: move.slip.words || move.words }, BOOKS);
    },
  };

  /* The first time in a game that the books part over a question, the play waits. */
  async function hearParting(parting, trick, turn) {
    if (!parting || parting.trick !== trick || turn !== state.run || state.entry.guess) return;
    const heard = state.say;
    state.slip = () => partingSlip(parting, BOOKS, heard);
    const fresh = parting.questions.filter((question) => !state.entry.seen.includes(question));
    if (!fresh.length) return;
    state.entry.seen.push(...fresh);
    const camps = parting.camps.map((camp) => `${camp.sources.map((id) => bookOf(id)?.name ?? id).join(", ")}: ${camp.says}${camp.sums.length ? ` ${describeSums(camp, BOOKS)}` : ""}`);
    speak(`${state.say} ${parting.words} ${camps.join(" ")}${hasKeys.matches ? " Space goes on." : ""}`, false);
    await new Promise((resolve) => { state.parting = resolve; render(); stage.querySelector("[data-do=go-on]")?.focus({ preventScroll: true }); });
    state.parting = null;
  }

  /* Nothing waits any more: the game is left. */
  const stop = () => { wake = null; };

  Object.assign(globalThis.reversis, { tableMoves: { show, skip, stop } });
})();
