/* Games as files, links and lines to send; and games that come as such. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make } = globalThis.playingCards;
  const { records, yaml, tableState, tableScreen, tableCards, tableSlip: { para, wordsSlip }, tablePages: { button } } = globalThis.reversis;
  const { bookOf, state, begun } = tableState;
  const { speak, render } = tableScreen;
  const FORM = 1; // in which games are saved
  const NOTE = `Played (saved game ${FORM}): reversis play`; // begins the note of every deal in a file
  const LONGEST_LINK = 8000;
  const SEATS = ["south", "east", "north", "west", "fifth"]; // of the largest table
  const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

  // ---- what is given away --------------------------------------------------------------------------------------------

  const linkOfCards = ({ seed, source }) => (seed === null ? "" : `#${begun.deals.has(seed) ? "day" : "cards"}=${seed}&s=${source}`);
  function download(name, text, type) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = make("a", "", "", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    speak(`${name} is saved. On the command line, reversis play --resume ${name} goes on with it.`);
  }
  const withNote = (deal, { options }) => ({ ...deal, note: `${NOTE}${options.startsWith(" ") ? "" : " "}${options}` });
  const writeGame = ({ game }) => game.deals.map((deal) => yaml.writeYaml(withNote(deal, game))).join("---\n");
  const saveFile = (entry = state.entry) => { if (entry?.game) download(`reversis-${entry.seed ?? "deal"}-${entry.source}.yaml`, writeGame(entry), "application/yaml"); };

  async function copy(words, done) {
    const copied = await navigator.clipboard?.writeText(words).then(() => true, () => false);
    Object.assign(state, { notice: copied ? done : `Copy it from here: ${words}`, unread: null });
    speak(state.notice, state.screen === "game");
    render();
  }
  const address = (fragment) => `${location.origin}${location.pathname}${fragment}`;
  const yourNet = () => state.view.seats.find((one) => one.seat === state.view.deal.you).account;
  async function copyLink() {
    const { entry, view } = state;
    if (view.phase !== "over" && entry.seed !== null) return copy(address(linkOfCards(entry)), "The link to these cards is copied.");
    const fragment = await records.link({ record: withNote(entry.game.deals.at(-1), entry.game), sources: [entry.source], wishes: entry.wishes });
    if (fragment.length > LONGEST_LINK) return offerFile("This deal is too long for a link: save it as a file, and send that.");
    return copy(address(fragment), "The link to this deal, as it was played, is copied.");
  }
  function offerFile(words) {
    if (state.screen === "game") state.slip = () => wordsSlip("No link", [para(words), button("Save file", "save")]);
    else Object.assign(state, { notice: words, unread: state.entry });
    speak(words, false);
    render();
  }
  function copyLine() {
    const { entry } = state, par = state.review?.par ? ` (par ${tableCards.signed(state.review.par.net)})` : "";
    return copy(`Reversis, deal ${entry.seed} by ${bookOf(entry.source).within}: ${tableCards.signed(yourNet())}${par}. ${address(`${linkOfCards(entry)}&to=${yourNet()}`)}`, "A line is copied: it tells your result, and nothing of the cards.");
  }

  // ---- what is brought -----------------------------------------------------------------------------------------------

  const OPTION = (options, name) => new RegExp(`--${name}[ =](\\S+)`).exec(options)?.[1];

  /* A game from a file or a link: its records, and the command that they keep. */
  function entryOf(deals, source, wishes) {
    const [, form, options = ""] = String(deals[0]?.note ?? "").match(/(?:\(saved game (\d+)\): )?reversis play(.*)$/s) ?? [];
    if (form > FORM) throw new Error("The game was saved by a newer edition, and this one cannot read it.");
    const book = OPTION(options, "source") ?? source;
    const seats = records.list(deals[0]?.seats).map(String);
    if (!bookOf(book)) throw new Error(book ? `It is played by ${book}, a book that this edition has not.` : "It is no game that was saved at a table.");
    if (SEATS.slice(0, seats.length).join() !== seats.join()) throw new Error(`“${deals[0].title ?? deals[0].deal}” names its players otherwise than this table does: Settle can play it.`);
    const kinds = seats.map((seat, at) => `--${seat} ${at ? "net" : "person"}`).join(" ");
    const asked = options || ` --source ${book}${wishes.map((wish) => ` --with '${wish}'`).join("")} --seed 1 --deals 1 --players ${seats.length} --pack ${deals[0].pack} ${kinds}`;
    const seed = options ? Number(OPTION(options, "seed")) : null;
    const wished = [...asked.matchAll(/--with '([^']*)'/g)].map(([, wish]) => wish);
    return { id: newId(), game: { form: FORM, options: asked, deals: deals.map(({ note, ...deal }) => deal), marks: { hints: 0, backs: 0 } }, source: book, wishes: wished, seed, players: seats.length, pack: deals[0].pack, others: OPTION(asked, seats[1]) ?? "net", guess: false, friend: null, seen: [], ends: [], standing: null };
  }

  /* The game in a file that was chosen. */
  async function readFile(file) {
    if (file.size > records.LONGEST.record) throw new Error("It is far too large for a game.");
    return entryOf((await file.text()).split(/^---\s*$/m).filter((part) => part.trim()).map(records.read), "", []);
  }

  /* The game in an address. */
  async function readLink(hash) {
    const shared = await records.unlink(hash);
    if (shared.example) throw new Error(`“${shared.example}” is an example deal: it is not played here.`);
    return entryOf([shared.record], shared.sources[0] ?? "", shared.wishes);
  }

  /* An example deal is played on from a trick; what it was to come to, and what is after that trick, is left behind. */
  function readExample(example, trick, source) {
    const { faults, claims, expect, ...deal } = example;
    return entryOf([{ ...deal, tricks: records.list(deal.tricks).slice(0, Math.max(0, trick - 1)), fragment: true }], source, []);
  }

  Object.assign(globalThis.reversis, { tableFiles: { newId, linkOfCards, download, saveFile, copyLink, copyLine, readFile, readLink, readExample } });
})();
