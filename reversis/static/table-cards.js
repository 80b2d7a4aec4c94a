/* The table as it is seen: the hand, the seats, the pools, the trick, the last trick, the talon.

   Everything is drawn from an answer of the engine (`view`); nothing is decided here. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make, spoken, sign, face, picture } = globalThis.playingCards;
  const COURTS = "JQK";
  const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-", "="]; // of the first, the second ... card

  const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
  const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
  const small = (words, cls = "") => make("span", `pl-small ${cls}`.trim(), words);
  const CARD = /(?<![\w])((?:10|[AKQJT2-9])[SHDC])(?![\w])/;
  /* Words in which cards have their short names, with the cards as signs. */
  const withCards = (words) => String(words).split(CARD).map((part, at) => (at % 2 ? sign(part.replace("10", "T"), { role: "img", "aria-label": spoken(part.replace("10", "T")) }) : part));

  /* A whole card: a court with its picture, another with its suit large. */
  function wholeCard(card, { tag = "span", cls = "", quinola = false, ...attributes } = {}) {
    const more = COURTS.includes(card[0]) ? [picture(card)] : [make("i", "rv-suit pl-pip", face(card).querySelector("i").textContent)];
    return face(card, { "data-card": card, ...attributes }, { tag, cls: `${quinola ? "pl-quinola " : ""}${cls}`.trim(), more });
  }
  const shownCard = (card, words, more = {}) => wholeCard(card, { role: "img", "aria-label": words, ...more });

  // ---- the hand --------------------------------------------------------------------------------------------------

  /* `marks`: card -> class; `focus`: the card that the keys are at; `free`: whether all may be tried, none is dimmed. */
  function drawHand(hand, { marks = {}, focus = "", free = false } = {}) {
    const lit = hand.filter((one) => free || one.legal).map((one) => one.card);
    const first = lit.includes(focus) ? focus : lit[0];
    const items = hand.map((one, at) => {
      const isLit = free || one.legal, key = isLit ? KEYS[lit.indexOf(one.card)] : "";
      const card = wholeCard(one.card, {
        tag: "button", cls: [isLit ? "" : "pl-dim", one.privilege && isLit ? "pl-privilege" : "", one.drawn ? "pl-drawn" : "", marks[one.card] ?? ""].filter(Boolean).join(" "), quinola: one.quinola, type: "button",
        "aria-label": `${one.name}${one.drawn ? ", drawn" : ""}${isLit ? one.privilege ? ", by your privilege" : "" : ", not now"}`, tabindex: one.card === first ? "0" : "-1",
        ...(isLit ? {} : { "aria-disabled": "true" }), ...(one.drawn ? { title: "drawn" } : {}), ...(marks[one.card] === "pl-chosen" ? { "aria-pressed": "true" } : {}),
      });
      const gap = at && hand[at - 1].suit !== one.suit ? "pl-suitgap" : "";
      return make("span", `pl-held ${gap}`.trim(), [card, ...(key ? [make("kbd", "", key, { "aria-hidden": "true" })] : [])]);
    });
    const some = lit.length < hand.length ? " pl-some" : "";
    return make("div", `pl-hand${hand.length < 8 ? " pl-few" : hand.length > 11 ? " pl-many" : ""}${some}`, items, { role: "group", "aria-label": `Your hand, ${count(hand.length, "card")}` });
  }

  /* A hand that is only looked at. */
  const drawDealtHand = (hand) => make("ul", "pl-hand", hand.map((one, at) => make("li", at && hand[at - 1].suit !== one.suit ? "pl-suitgap" : "", shownCard(one.card, one.name))), { "aria-label": `Your hand, ${count(hand.length, "card")}` });

  // ---- seats -----------------------------------------------------------------------------------------------------

  const turnedTo = (view, at) => (at - view.seats.findIndex((one) => one.seat === view.deal.you) + view.seats.length) % view.seats.length;
  const placeOf = (view, seat) => `pl-at-${turnedTo(view, view.seats.findIndex((one) => one.seat === seat))}`;
  const pill = (change) => (change ? [make("span", "pl-change", signed(change))] : []);

  function drawSeat(view, one, changes) {
    const before = view.phase === "exchange" || view.phase === "give" || view.phase === "waiting";
    const facts = before ? [one.dealer && "dealer", one.cards && count(one.cards, "card"), one.leads && (one.seat === view.deal.you ? "you lead" : "leads")].filter(Boolean)
      : [count(one.tricks, "trick"), count(one.points, "point")];
    const words = facts.flatMap((fact, at) => [at ? ", " : "", make("span", "pl-fact", fact)]); // each on one line
    const money = before ? [] : [make("span", "pl-sum", [make("span", "pl-money", signed(one.account)), ...pill(changes[one.seat])])];
    const dealer = one.dealer && !before ? [" ", small("dealer")] : [];
    const turn = view.trick?.turn === one.seat || (before && one.seat === view.deal.you);
    return make("div", `pl-seat ${placeOf(view, one.seat)}${turn ? " pl-turn" : ""}`, [make("strong", "", one.title), small(words), make("span", "", [...money, ...dealer])]);
  }

  function drawPools(view, changes) {
    return make("div", "pl-pool", view.pools.map((one) => [
      make("p", "pl-small", capital(one.name.replace(/^the (pool of the )?/, ""))),
      make("p", "", [make("strong", "", one.amount === null ? "…" : String(one.amount)), " ", small(view.deal.counters), ...pill(changes[one.name])]),
    ]).concat((view.debts ?? []).map((one) => make("p", "pl-small pl-debt", capital(one.words)))));
  }

  function drawLast(last, seats) {
    if (!last) return make("div", "pl-last");
    const who = seats.find((one) => one.seat === last.taker)?.title ?? last.taker;
    return make("div", "pl-last", [make("p", "pl-small", `Last trick: ${who} took it`),
      make("ol", "", last.cards.map((one) => make("li", "", shownCard(one.card, spoken(one.card), { cls: `pl-mini${one.seat === last.taker ? " pl-took" : ""}` }))))]);
  }

  // ---- the middle ------------------------------------------------------------------------------------------------

  function drawTrick(view) {
    const { last } = view;
    const trick = view.trick ?? { cards: (last?.cards ?? []).map((one) => ({ ...one, wins: one.seat === last.taker })) };
    const title = (seat) => view.seats.find((one) => one.seat === seat)?.title ?? seat;
    const quinolas = new Set(view.pools.map((one) => one.card));
    const cards = trick.cards.map((one, at) => [
      shownCard(one.card, `${title(one.seat)}: ${spoken(one.card)}`, { cls: `${placeOf(view, one.seat)}${one.wins ? " pl-takes" : ""}${one.fresh ? " pl-fresh" : ""}`, quinola: quinolas.has(one.card) }),
      ...(at ? [] : [make("span", `pl-led ${placeOf(view, one.seat)}`, "led")]),
    ]);
    const gap = trick.cards.some((one) => one.seat === view.deal.you) || view.phase === "over" ? [] : [make("span", `pl-gap ${placeOf(view, view.deal.you)}`, "", { "aria-hidden": "true" })];
    return make("div", "pl-trick", [...cards, ...gap]);
  }

  function drawTalon(view) {
    const title = (seat) => view.seats.find((one) => one.seat === seat)?.title ?? seat;
    const places = (view.offer?.talon ?? []).map((one) => make("li", one.taken ? "pl-taken" : "", [
      make("span", `rv-tile pl-back${one.seat === view.deal.you ? " pl-yours" : ""}`),
      small(one.seat === view.deal.you ? "yours" : one.seat ? `${title(one.seat)}’s` : ""),
    ]));
    if (!places.length) return make("div", "pl-talon", small(view.offer?.says ?? []));
    return make("div", "pl-talon", [make("ol", "", places), small(withCards(["The talon", ...(view.offer.says ?? []).map((words) => `. ${words.replace(/\.$/, "")}`)].join("")))]);
  }

  function drawWait(words, more, trouble = false) {
    return make("div", "pl-wait", [make("p", "", make("b", "", words)), ...more], { role: trouble ? "alert" : "group" });
  }

  /* `changes`: account -> what has just been paid; `wait`: what stands in the middle instead of cards. */
  function drawFelt(view, { changes = {}, wait = null } = {}) {
    const middle = wait ?? (view.phase === "exchange" || view.phase === "give" ? drawTalon(view) : drawTrick(view));
    return make("div", `pl-felt pl-of-${view.seats.length}`, [drawPools(view, changes), ...view.seats.map((one) => drawSeat(view, one, changes)), drawLast(view.last, view.seats), middle]);
  }

  Object.assign(globalThis.reversis, { tableCards: { KEYS, signed, count, capital, small, withCards, wholeCard, shownCard, drawHand, drawDealtHand, drawFelt, drawWait } });
})();
