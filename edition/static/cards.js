/* Playing cards, for every script that shows some: a short sign within words, and a face that fills its place.

   `picturedCards` are those that a game wants to be seen as they are drawn; a script of the game names them. */
"use strict";
globalThis.playingCards = (() => {
  const SUITS = { S: ["♠", "black", "spades"], H: ["♥", "red", "hearts"], D: ["♦", "red", "diamonds"], C: ["♣", "black", "clubs"] };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
  const HERE = document.currentScript.src;

  /* An element with its class, its content and its attributes. */
  function make(tag, cls = "", content = [], attributes = {}) {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...[content].flat(3));
    return made;
  }

  const rankOf = (card) => card.slice(0, -1).replace("T", "10");
  const suitOf = (card) => SUITS[card.slice(-1)];
  const spoken = (card) => `${RANKS[card[0]] ?? card[0]} of ${suitOf(card)[2]}`;
  const suit = (card) => make("span", `rv-suit rv-${suitOf(card)[1]}`, `${suitOf(card)[0]}\ufe0e`);
  const sign = (card, attributes = {}) => make("span", "rv-card", [rankOf(card), suit(card)], attributes);
  const picture = (card, alt = "") => make("img", "", [], { src: new URL(`../cards/${card}.svg`, HERE).href, alt, width: 79, height: 123 });

  /* A card as a thing. `more`: what stands on it besides its rank and its suit. */
  function face(card, attributes = {}, { tag = "span", cls = "", more = [] } = {}) {
    const parts = [make("b", "", rankOf(card)), make("i", "rv-suit", `${suitOf(card)[0]}\ufe0e`), more];
    return make(tag, `rv-tile rv-tile-${suitOf(card)[1]} ${cls}`.trim(), parts, attributes);
  }

  return { SUITS, make, rankOf, spoken, sign, face, picture };
})();
