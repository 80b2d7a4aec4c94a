/* The folded parts of the editor: type the cards, more about the deal, other readings, the deal file.

   Fields show the record and write into it; nothing is kept here but the fields. `deal` is the editor of settle.js:
   {record(), put(key, value), drop(key), edit(change, node), choices, readings, fetchReadings(), wishes, changeWishes(list)}. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const { make } = globalThis.playingCards;
  const { records, para, details, capital } = globalThis.reversis;
  const { isTable, list, lineOf } = records;

  function button(words, act, cls = "", attributes = {}) {
    const made = make("button", cls, words, { type: "button", ...attributes });
    made.addEventListener("click", act);
    return made;
  }
  const option = ([value, words]) => make("option", "", words, { value });
  const named = (values) => values.map((one) => [one, one]);
  const whole = (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text);

  function makeForm(deal) {
    const fields = [];
    const seats = () => list(deal.record().seats).map(String);
    const hands = () => (isTable(deal.record().hands) ? deal.record().hands : {});
    const tricks = () => list(deal.record().tricks);
    const claims = () => Object.entries(isTable(deal.record().claims) ? deal.record().claims : {});
    const pool = () => (isTable(deal.record().pool) ? deal.record().pool : {});
    const otherPools = () => Object.entries(isTable(pool().others) ? pool().others : {});
    const manyPools = () => Object.entries(pool()).some(([name, one]) => name !== "others" && isTable(one));

    /* A field that shows a part of the record; the one that is being written into is left alone. */
    function field(label, show, keep, { way = "", kind = "text", cls = "", ...attributes } = {}) {
      const node = make(kind === "area" ? "textarea" : "input", "", [], { ...(kind === "area" ? {} : { type: kind }), spellcheck: "false", autocomplete: "off", ...(way ? { "data-way": way } : {}), ...attributes });
      node.addEventListener("input", () => deal.edit(() => keep(kind === "checkbox" ? node.checked : node.value), node));
      fields.push({ node, show });
      const words = make("span", "rv-field-name", label);
      return make("label", `rv-field ${kind === "checkbox" ? "rv-field-check" : ""} ${cls}`, kind === "checkbox" ? [node, words] : [words, node]);
    }
    function select(label, options, show, keep, way) {
      const node = make("select", "", options().map(option), { "data-way": way });
      node.addEventListener("change", () => deal.edit(() => keep(node.value)));
      fields.push({ node, show: () => {
        const wanted = String(show() ?? "");
        const known = options();
        node.replaceChildren(...(known.some(([value]) => value === wanted) ? known : [[wanted, wanted || "–"], ...known]).map(option));
        return wanted;
      } });
      return make("label", "rv-field", [make("span", "rv-field-name", label), node]);
    }

    // ---- type the cards ------------------------------------------------------------------------------------------

    const handField = (seat) => field(`${capital(seat)}’s hand`, () => lineOf(hands()[seat]), (text) => deal.put("hands", { ...hands(), [seat]: text }), { way: `hands/${seat}` });
    const trickField = (at) => field(`Trick ${at + 1}`, () => lineOf(tricks()[at]), (text) => deal.put("tricks", tricks().map((one, other) => (other === at ? text : one))), { way: `tricks/${at}` });
    /* There are never more tricks than cards of a hand. */
    function addTrick() {
      const most = Math.max(0, ...seats().map((seat) => records.wordsOf(hands()[seat]).length));
      if (tricks().length < most) return deal.edit(() => deal.put("tricks", [...tricks(), ""]));
      return deal.say(`A hand has ${most} cards: there is no trick ${tricks().length + 1}.`);
    }
    function typedPart() {
      return details("Type the cards", [
        para("A K Q J T 9 … 2 with S H D C, as in QH for the queen of hearts. A trick begins with the leader’s card.", "rv-small"),
        make("div", "rv-fields", [...seats().map(handField), field("Talon", () => lineOf(deal.record().talon), (text) => deal.put("talon", text), { way: "talon" })]),
        make("div", "rv-fields rv-trick-fields", tricks().map((_, at) => trickField(at))),
        make("div", "rv-tools", [button("Add a trick", addTrick),
          button("Remove the last trick", () => deal.edit(() => deal.put("tricks", tricks().slice(0, -1))))]),
      ], "rv-typed");
    }

    // ---- more about the deal -------------------------------------------------------------------------------------

    const KINDS = {
      seat: () => [["", "–"], ...named(seats())],
      what: () => [["", "–"], ...named(deal.choices?.announced ?? ["espagnolette", "reversis"])],
      kind: () => [["", "–"], ...Object.entries(deal.choices?.faults ?? {}).map(([name, { says }]) => [name, `${name}: ${says}`])],
      noticed: () => [["", "–"], ...named(deal.choices?.noticed ?? [])],
    };
    const LISTS = [
      { key: "exchange", title: "Exchanges, in order", one: "exchange", parts: { seat: "seat", out: "card", in: "card", looked: "flag", gives: "card", to: "seat" } },
      { key: "announced", title: "Announcements", one: "announcement", parts: { what: "what", seat: "seat", before: "number" } },
      { key: "faults", title: "Irregularities", one: "irregularity", parts: { kind: "kind", seat: "seat", trick: "number", noticed: "noticed", redeemed: "flag", accepted: "flag", directed: "seat" } },
    ];
    const LABELS = { out: "discards", in: "takes", looked: "looked at the card left", gives: "gives across the table", to: "to", before: "before trick", trick: "in trick", noticed: "noticed", redeemed: "bought back", accepted: "let stand by all", directed: "directed by", what: "what", kind: "kind", seat: "player" };

    function listPart({ key, title, one, parts }) {
      const set = (changed) => (changed.length ? deal.put(key, changed) : deal.drop(key));
      const items = list(deal.record()[key]).map((_, at) => make("li", "rv-entry", [
        ...Object.entries(parts).map(([part, kind]) => entryField(key, at, part, kind)),
        button("Remove", () => deal.edit(() => set(list(deal.record()[key]).filter((_, other) => other !== at))), "", { "aria-label": `Remove ${one} ${at + 1}` }),
      ]));
      const add = () => deal.edit(() => set([...list(deal.record()[key]), { [Object.keys(parts)[0]]: "" }]));
      return make("div", "rv-list", [para(title, "rv-list-name"), ...(items.length ? [make("ul", "rv-entries-list", items)] : []), button(`Add ${/^[aeiou]/.test(one) ? "an" : "a"} ${one}`, add)]);
    }

    function entryField(key, at, part, kind) {
      const entry = () => { const found = list(deal.record()[key])[at]; return isTable(found) ? found : {}; };
      const keep = (value) => {
        const { [part]: gone, ...kept } = entry();
        const changed = value === "" || value === false ? kept : { ...entry(), [part]: value };
        deal.put(key, list(deal.record()[key]).map((one, other) => (other === at ? changed : one)));
      };
      const way = `${key}/${at}`;
      const show = () => entry()[part] ?? "";
      if (KINDS[kind]) return select(LABELS[part], KINDS[kind], show, keep, way);
      if (kind === "flag") return field(LABELS[part], () => entry()[part] === true, keep, { way, kind: "checkbox" });
      return field(LABELS[part], () => String(show()), (text) => keep(kind === "number" ? whole(text) : text), { way, cls: "rv-short" });
    }

    function claimsPart() {
      const set = (pairs) => (pairs.length ? deal.put("claims", Object.fromEntries(pairs)) : deal.drop("claims"));
      const items = claims().map(([name], at) => make("li", "rv-entry", [
        field("card led", () => claims()[at]?.[0] ?? "", (text) => set(claims().map((pair, other) => (other === at ? [text, pair[1]] : pair))), { way: `claims/${name}`, cls: "rv-short" }),
        field("claimed", () => claims()[at]?.[1] === true, (yes) => set(claims().map((pair, other) => (other === at ? [pair[0], yes] : pair))), { kind: "checkbox" }),
        button("Remove", () => deal.edit(() => set(claims().filter((_, other) => other !== at))), "", { "aria-label": `Remove the claim on ${name}` }),
      ]));
      return make("div", "rv-list", [para("Claims: aces and the quinola, led, count as claimed unless you say otherwise here", "rv-list-name"), ...(items.length ? [make("ul", "rv-entries-list", items)] : []),
        button("Add a claim", () => deal.edit(() => set([...claims(), ["AS", false]])))]);
    }

    function poolPart() {
      if (manyPools()) return [para("In this deal each book has a pool of its own; change them in the deal file.", "rv-small")];
      return [make("div", "rv-fields", [
        field("Pool: stake", () => String(pool().stake ?? ""), (text) => deal.put("pool", { ...pool(), stake: whole(text) }), { way: "pool/stake", inputmode: "numeric" }),
        field("Pools that wait, oldest first", () => list(pool().waiting).join(" "), (text) => deal.put("pool", { ...pool(), waiting: waiting(text) }), { way: "pool/waiting" }),
        field("supplements are paid", () => pool().supplements_paid === true, (yes) => deal.put("pool", { ...pool(), supplements_paid: yes }), { way: "pool/supplements_paid", kind: "checkbox" }),
      ]), otherPoolsPart()];
    }

    const waiting = (text) => text.split(/[\s,]+/).filter(Boolean).map(whole);

    /* A book with several privileged cards has a pool for each; books with one leave the others aside. */
    function otherPoolsPart() {
      const set = (pairs) => { const { others: gone, ...kept } = pool(); deal.put("pool", pairs.length ? { ...kept, others: Object.fromEntries(pairs) } : kept); };
      const one = (at) => { const found = otherPools()[at]?.[1]; return isTable(found) ? found : {}; };
      const change = (at, name, held) => set(otherPools().map((pair, other) => (other === at ? [name, held] : pair)));
      const items = otherPools().map(([name], at) => make("li", "rv-entry", [
        field("card", () => otherPools()[at]?.[0] ?? "", (text) => change(at, text, one(at)), { way: `pool/others/${name}`, cls: "rv-short" }),
        field("stake", () => String(one(at).stake ?? ""), (text) => change(at, otherPools()[at][0], { ...one(at), stake: whole(text) }), { way: `pool/others/${name}/stake`, inputmode: "numeric", cls: "rv-short" }),
        field("waiting", () => list(one(at).waiting).join(" "), (text) => change(at, otherPools()[at][0], { ...one(at), waiting: waiting(text) }), { way: `pool/others/${name}/waiting`, cls: "rv-short" }),
        button("Remove", () => deal.edit(() => set(otherPools().filter((_, other) => other !== at))), "", { "aria-label": `Remove the pool of ${name}` }),
      ]));
      const fresh = ["QH", "JC", "JD", "JS"].find((name) => otherPools().every(([known]) => known !== name)) ?? "";
      return make("div", "rv-list", [para("Further pools, for other cards with the rights of the quinola", "rv-list-name"), ...(items.length ? [make("ul", "rv-entries-list", items)] : []),
        button("Add a further pool", () => deal.edit(() => set([...otherPools(), [fresh, { stake: 0, waiting: [] }]])))]);
    }

    function renameSeats(text) {
      const fresh = text.split(/[\s,]+/).filter(Boolean), before = seats(), record = deal.record();
      const held = fresh.map((seat, at) => [seat, hands()[seat] ?? (before[at] && !fresh.includes(before[at]) ? hands()[before[at]] : undefined) ?? ""]);
      const dealer = fresh[before.indexOf(record.dealer)];
      deal.put("seats", fresh);
      deal.put("hands", Object.fromEntries(held));
      if (!fresh.includes(record.dealer) && dealer) deal.put("dealer", dealer);
    }

    function factsPart() {
      const text = (key) => [() => String(deal.record()[key] ?? ""), (value) => deal.put(key, value), { way: key }];
      return details("Dealer, pool, exchanges, irregularities", [
        make("div", "rv-fields", [
          field("Name of the deal", ...text("deal")), field("Title", ...text("title")),
          select("Pack", () => [["48", "48 cards, without the tens"], ["52", "52 cards"]], () => deal.record().pack, (value) => deal.put("pack", whole(value)), "pack"),
          field("Players, in order of play", () => seats().join(" "), renameSeats, { way: "seats" }),
          select("Dealer", () => named(seats()), () => deal.record().dealer, (value) => deal.put("dealer", value), "dealer"),
        ]),
        ...poolPart(), ...LISTS.map(listPart), claimsPart(),
        field("Some tricks are missing", () => deal.record().fragment === true, (yes) => (yes ? deal.put("fragment", true) : deal.drop("fragment")), { way: "fragment", kind: "checkbox" }),
      ], "rv-facts-part");
    }

    // ---- other readings ------------------------------------------------------------------------------------------

    /* What can be chosen is fetched when the part is first unfolded. */
    function wishPart() {
      if (!deal.choices) return "";
      const label = (wish) => make("span", "rv-small", deal.readings?.readings.find(({ id }) => id === wish)?.label ?? "");
      const change = (wishes) => { deal.changeWishes(wishes); show(); };
      const add = (text) => { if (text.trim() && !deal.wishes.includes(text.trim())) change([...deal.wishes, text.trim()]); };
      const held = make("ul", "rv-wishes");
      const show = () => held.replaceChildren(...deal.wishes.map((wish) => make("li", "", [make("code", "", wish), " ", label(wish), " ",
        button("Remove", () => change(deal.wishes.filter((one) => one !== wish)), "", { "aria-label": `Remove ${wish}` })])));
      show();
      const part = details("Other readings and answers", [held], "rv-wish-part");
      part.addEventListener("toggle", async () => { held.before(...wishFields(await deal.fetchReadings(), add)); show(); }, { once: true });
      return part;
    }

    function wishFields({ readings, questions }, add) {
      const groups = deal.choices.sources.flatMap(({ id }) => [["interpretation", "readings"], ["option", "options"]].map(([kind, words]) => [`${id}: ${words}`, readings.filter((one) => one.source === id && one.kind === kind)]));
      const choose = make("select", "", [option(["", "none"]), ...groups.filter(([, found]) => found.length).map(([title, found]) => make("optgroup", "", found.map((one) => option([one.id, `${one.id}: ${one.label}`])), { label: title }))]);
      choose.addEventListener("change", () => { add(choose.value); choose.value = ""; });
      const typed = make("input", "", [], { type: "text", list: "rv-questions", spellcheck: "false", autocomplete: "off", "aria-describedby": "rv-wish-help" });
      const enter = () => { add(typed.value); typed.value = ""; typed.focus(); };
      typed.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); enter(); } });
      return [
        make("label", "rv-field", [make("span", "rv-field-name", "Use another reading, or an option that a book offers"), choose]),
        make("div", "rv-fields", [make("label", "rv-field", [make("span", "rv-field-name", "Or change an answer"), typed]), button("Add", enter, "", { "aria-label": "Add the answer" }),
          make("datalist", "", questions.map(({ id, slug, asks }) => make("option", "", `${slug}: ${asks}`, { value: `${id}=` })), { id: "rv-questions" })]),
        make("p", "rv-small", "Q031=3 gives an answer, Q017@ACA borrows one from a book, PAM.i01 uses a reading or option: the same as --with on the command line.", { id: "rv-wish-help" }),
      ];
    }

    // ---- the deal file -------------------------------------------------------------------------------------------

    function filePart(tools) {
      const amiss = make("p", "rv-problem", [], { role: "status" });
      const keep = (letters) => {
        try {
          deal.replaceRecord(records.read(letters));
          amiss.textContent = "";
        } catch (fault) {
          amiss.textContent = `${fault.message} The cards above are what could be read last.`;
        }
      };
      return details("Deal file (YAML)", [
        para("The deal as a file that reversis run settles too. What you write here is in the cards at once.", "rv-small"),
        make("div", "rv-tools", tools),
        field("The deal as text", () => { amiss.textContent = ""; return globalThis.reversis.yaml.writeYaml(deal.record()); }, keep, { kind: "area", rows: "16", cls: "rv-as-text" }),
        amiss,
      ], "rv-file-part");
    }

    function sync() {
      for (const { node, show } of fields) {
        const value = show();
        if (node === document.activeElement && node.tagName !== "SELECT") continue;
        if (node.type === "checkbox") node.checked = value; else if (node.value !== value) node.value = value;
      }
    }

    /* What decides which fields there are; when it changes, the parts are built again. */
    const shape = () => JSON.stringify([seats(), tricks().length, ...LISTS.map(({ key }) => list(deal.record()[key]).length), claims().length, manyPools(), otherPools().length, records.shown(deal.record()), Boolean(deal.choices)]);

    function parts(fileTools) {
      fields.length = 0;
      const formed = records.shown(deal.record());
      const made = [...(formed ? [typedPart(), factsPart()] : []), wishPart(), filePart(fileTools)];
      if (!formed) made.at(-1).open = true;
      return made;
    }
    return { parts, sync, shape };
  }

  Object.assign(globalThis.reversis, { makeForm, makeButton: button, makeOption: option });
})();
