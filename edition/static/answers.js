/* All answers: which books and questions are shown, and the words of a book on demand.

   The table is whole without this script. Who agrees is computed for the books that are ticked, from the groups that
   every row names (edition/views/questions/answer_table.py, format_voices). The choice is kept in the fragment of the
   address (#sources=ABC,DEF&agreement=differ), so that it can be sent; a fragment without "=" is a place on the page.
   Quotations, letters, statuses and full words are fetched from a script when somebody asks for them: a page opened
   from a folder may not read a file of data. */
"use strict";
(() => {
  const HERE = document.currentScript.src;
  const form = document.querySelector("form.rv-filters");
  const table = document.querySelector("table.rv-answers");
  if (!form || !table) { document.documentElement.classList.remove("rv-settling"); return; }
  const FIELDS = ["agreement", "group", "cost", "status", "text"];
  const LEAST_BOOKS = 2;
  const boxes = [...form.querySelectorAll("[name=sources]")];
  const switches = [...form.querySelectorAll("[name=show]")];
  const heads = [...table.tHead.rows[0].cells];
  const sigla = boxes.map((box) => box.value);
  const kinds = Object.fromEntries([...form.elements.agreement].map((one) => [one.value, one.parentElement.firstChild.nextSibling.data.trim()]));
  const narrow = matchMedia("(max-width: 52rem)");

  const make = (tag, cls, content = [], attributes = {}) => {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...[content].flat());
    return made;
  };
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/ſ/g, "s").replace(/œ/g, "oe");

  const rows = [...table.tBodies].flatMap((body) => [...body.rows].slice(1).map((row) => ({
    row,
    id: row.id,
    group: body.dataset.group,
    cells: [...row.cells].slice(1, -1),
    who: row.cells[row.cells.length - 1],
    voices: row.dataset.voices.split(" ").map((one) => ({ group: Number(one.replace(/\D/g, "")), own: /^\d/.test(one) })),
    money: row.dataset.money,
    text: "",
  })));

  // ---- what is fetched on demand

  let fetching = null;
  function fetchWords() {
    fetching ??= new Promise((resolve, reject) => {
      const script = make("script", "", [], { src: new URL("answers-words.js", HERE).href });
      script.addEventListener("load", () => resolve(globalThis.EDITION_ANSWERS));
      script.addEventListener("error", reject);
      document.head.append(script);
    });
    return fetching;
  }
  let known = null;  // the same once it is here

  // ---- what is chosen

  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const shown = () => switches.filter((box) => box.checked).map((box) => box.value);
  const value = (name) => form.elements[name].value.trim();

  function readAddress() {
    let fragment;
    try { fragment = decodeURI(location.hash.slice(1)); } catch { return false; }
    if (fragment && !fragment.includes("=")) return false;
    const wanted = new URLSearchParams(fragment);
    const some = (wanted.get("sources") || "").split(",").filter((one) => sigla.includes(one));
    for (const box of boxes) box.checked = some.length < LEAST_BOOKS || some.includes(box.value);
    for (const name of FIELDS) {
      form.elements[name].value = wanted.get(name) || "";
      if (name !== "text" && form.elements[name].value !== (wanted.get(name) || "")) form.elements[name].value = "";
    }
    for (const box of switches) box.checked = (wanted.get("show") || "").split(",").includes(box.value);
    form.querySelector("details").open ||= some.length >= LEAST_BOOKS || Boolean(value("status")) || shown().length > 0;
    return true;
  }

  function keepAddress() {
    const made = new URLSearchParams();
    if (chosen().length < boxes.length) made.set("sources", chosen().join(","));
    for (const name of FIELDS) if (value(name)) made.set(name, value(name));
    if (shown().length) made.set("show", shown().join(","));
    const fragment = made.toString().replaceAll("%2C", ",");
    history.replaceState(null, "", fragment ? `#${fragment}` : location.href.split("#")[0]);
  }

  // ---- who agrees

  function classify(voices) {
    const own = voices.filter((one) => one.own);
    if (own.length < 2) return own.length ? "alone" : "nobody";
    return new Set(own.map((one) => one.group)).size === 1 ? "agree" : "differ";
  }

  /* The marks of the books that are shown, in their groups; each mark was drawn by the page. */
  function drawMarks(one, at, kind) {
    one.marks ??= new Map([...one.who.querySelectorAll("i")].map((mark) => [slotOf(mark), mark]));
    const groups = new Map();
    for (const n of at) if (one.voices[n].group) groups.set(one.voices[n].group, [...(groups.get(one.voices[n].group) || []), n]);
    const drawn = [...groups.values()].flatMap((members, n) => [...(n ? [make("b")] : []), ...members.map((m) => one.marks.get(slotOf(one.cells[m])))]);
    const names = [...groups.values()].map((members) => members.map((m) => one.voices[m].own ? sigla[m] : `(${sigla[m]})`).join(", "));
    one.who.firstElementChild.replaceChildren(...drawn);
    one.who.firstElementChild.setAttribute("aria-label", names.length ? `${kinds[kind]}: ${names.join(" against ")}` : kinds[kind]);
  }
  const slotOf = (element) => [...element.classList].filter((cls) => !/^rv-(mute|run|pale|[ok]\d+)$/.test(cls)).join(" ");
  const name = (n) => boxes[n].closest("label").textContent.trim();

  /* In blocks, books that say the same in the same words stand on one line, and the last one shows them. */
  function arrange(cells) {
    const mute = (cell) => cell.classList.contains("rv-mute");
    const spoken = [...cells].sort((a, b) => mute(a) - mute(b)), answers = spoken.map(answer);
    const alike = spoken.sort((a, b) => mute(a) - mute(b) || answers.indexOf(answer(a)) - answers.indexOf(answer(b)));
    const said = cells.map(bare), lines = [...new Set(alike.map(bare))], count = (words) => said.filter((one) => one === words).length;
    const most = Math.max(...lines.map(count));
    cells.forEach((cell, n) => {
      cell.classList.toggle("rv-run", said.lastIndexOf(said[n]) > n);
      cell.style.order = lines.indexOf(said[n]);
      cell.style.setProperty("--rv-first", said.indexOf(said[n]) < n ? "auto" : 1 + most - count(said[n]));
    });
  }
  const answer = (cell) => cell.querySelector("a").dataset.plain ?? cell.querySelector("a").textContent;
  const bare = (cell) => [...cell.querySelectorAll("a, small")].map((part) => part.dataset.plain ?? part.textContent).join();

  // ---- what is shown

  const dearest = (one, some) => known?.[one.id].prices.find(([table_, giver]) => some.includes(table_) && some.includes(giver));

  function costs(one, some) {
    if (one.money === undefined) return undefined;
    if (some.length === boxes.length || !known) return Number(one.money);
    return dearest(one, some)?.[2];
  }

  function fits(one, kind, at, some, filters) {
    return (!filters.agreement || filters.agreement === kind)
      && (!filters.group || filters.group === one.group)
      && (!filters.cost || costs(one, some) >= Number(filters.cost))
      && (!filters.status || !known || at.some((n) => known[one.id].answers[n].status === filters.status))
      && filters.words.every((word) => (one.text ||= plain(one.row.textContent)).includes(word));
  }

  function showAll() {
    const some = chosen(), at = sigla.flatMap((one, n) => some.includes(one) ? [n] : []);
    const filters = Object.fromEntries(FIELDS.map((field) => [field, value(field)]));
    filters.words = plain(filters.text).split(/\s+/).filter(Boolean);
    const whole = some.length === boxes.length;
    const found = { all: 0 };
    closeWords();
    sigla.forEach((one, n) => { heads[n + 1].hidden = !some.includes(one); });
    for (const one of rows) {
      const kind = classify(at.map((n) => one.voices[n]));
      if (!whole || one.partly) {
        one.cells.forEach((cell, n) => { cell.hidden = !at.includes(n); });
        arrange(at.map((n) => one.cells[n]));
        drawMarks(one, at, kind);
        one.partly = !whole;
      }
      const others = { ...filters, agreement: "" };
      if (fits(one, kind, at, some, others)) { found[kind] = (found[kind] || 0) + 1; found.all += 1; }
      one.row.hidden = !fits(one, kind, at, some, filters);
    }
    for (const body of table.tBodies) body.hidden = [...body.rows].slice(1).every((row) => row.hidden);
    for (const box of boxes) box.disabled = box.checked && some.length <= LEAST_BOOKS;
    for (const one of form.elements.agreement) one.parentElement.querySelector("small").textContent = found[one.value || "all"] || 0;
    tell(some);
    if (known) showMore(shown());
    if (!known && (shown().length || filters.status || (filters.cost && !whole))) fetchWords().then((all) => { known = all; showAll(); }, () => {});
  }

  function tell(some) {
    const number = rows.filter((one) => !one.row.hidden).length;
    const counted = number === rows.length ? `${number} questions` : `${number} of ${rows.length} questions`;
    const families = [...new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.family || ""))];
    const placed = some.length === 2 && !families.includes("");
    const kin = !placed ? "" : families.length === 1 ? `. Both books belong to one family: ${families[0]}` : `. Two families: ${families.join(", and ")}`;
    form.elements.found.textContent = counted + kin;
  }

  // ---- letters, statuses, full words, money effect

  const STATUSES = Object.fromEntries([...form.elements.status.options].map((one) => [one.value, one.text]));

  function showMore(wanted) {
    table.classList.toggle("rv-show-letters", wanted.includes("letters"));
    if (!wanted.length && !table.dataset.more) return;
    table.dataset.more = wanted.join(" ");
    for (const one of rows) {
      for (const added of one.row.querySelectorAll(".rv-letter, .rv-added")) added.remove();
      one.cells.forEach((cell, n) => addToCell(cell, known[one.id].answers[n], wanted));
      const price = wanted.includes("money") && dearest(one, chosen());
      if (price) one.row.cells[0].append(make("span", "rv-added", `${price[3]} (${price[0]} with the answer of ${price[1]})`));
    }
  }

  function addToCell(cell, answer, wanted) {
    const link = cell.querySelector("a");
    link.dataset.plain ??= link.textContent;
    link.plain ??= [...link.childNodes];
    link.replaceChildren(...(wanted.includes("full") && answer.full ? [answer.full] : link.plain));
    if (wanted.includes("letters")) link.before(make("span", "rv-letter", answer.letter));
    if (wanted.includes("statuses")) cell.append(make("span", "rv-added", describeStatus(answer)));
  }
  const describeStatus = (answer) => `${STATUSES[answer.status]}${answer.cert ? `, certainty ${answer.cert}` : ""}`;

  // ---- the words of a book

  let open = null;  // { link, box, pinned }
  let waiting = 0, mouse = "";  // the timer of an answer on which the mouse rests, and where the mouse is

  function closeWords() {
    clearTimeout(waiting);  // else what Escape closed opens again when the timer ends
    open?.box.remove();
    open?.link.removeAttribute("aria-expanded");
    open = null;
  }

  async function openWords(link, pinned) {
    if (open?.link === link) { open.pinned ||= pinned; return; }
    closeWords();
    const box = make("div", "rv-words-of", [], { id: "rv-words-of" });
    open = { link, box, pinned };
    try { known = await fetchWords(); } catch { if (pinned) location.href = link.href; return; }
    if (open?.link !== link) return;
    const cell = link.closest("td"), row = link.closest("tr");
    const at = [...row.cells].indexOf(cell) - 1;
    box.append(make("p", "rv-words-by", name(at)), ...describeAnswer(link, known[row.id].answers[at]));
    box.classList.add(...slotOf(cell).split(" "));
    link.setAttribute("aria-expanded", "true");
    place(link, cell, box);
  }

  /* Under the answer, or over it near the end of the window; within the block where answers stand in blocks. */
  function place(link, cell, box) {
    if (narrow.matches || !box.showPopover) {
      const alike = [...cell.parentElement.cells].filter((one) => !one.hidden && bare(one) === bare(cell));
      alike.at(-1).append(box);  // a block shows the words of all that say the same in the last of their cells
      return;
    }
    box.popover = "manual";
    cell.append(box);
    box.showPopover();
    const at = link.getBoundingClientRect(), size = box.getBoundingClientRect();
    const under = at.bottom + 4 + size.height < innerHeight || at.top < size.height + 60;
    box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - size.width - 8)) + scrollX}px`;
    box.style.top = `${(under ? at.bottom + 4 : at.top - size.height - 4) + scrollY}px`;
  }

  function describeAnswer(link, answer) {
    const small = (words) => make("p", "rv-small", words);
    const parts = (answer.quotes || []).flatMap(describeQuotation);
    parts.push(...(answer.reasons || []).map(small));
    if (answer.full && answer.full !== link.textContent) parts.push(small(answer.full));
    parts.push(small(`${describeStatus(answer)[0].toUpperCase()}${describeStatus(answer).slice(1)}.`));
    if (answer.unplayed) parts.push(small(answer.unplayed));
    const more = make("a", "", "All about this question", { href: link.getAttribute("href") });
    return [...parts, make("p", "rv-small", more)];
  }

  function describeQuotation(quote) {
    const parts = [];
    if (quote.exact) parts.push(make("p", "rv-quoted", `“${quote.exact}”`, { lang: quote.lang }));
    const english = (quote.english || []).map((run) => Array.isArray(run) ? make("em", "", run[0], { lang: run[1] }) : run);
    if (quote.summary) parts.push(make("p", "rv-english", quote.summary));
    if (english.length) parts.push(make("p", "rv-english", english));
    const place = quote.at ? make("a", "", quote.place, { href: quote.at }) : quote.place;
    parts.push(make("p", "rv-small", [place, quote.page ? `, p. ${quote.page}` : ""]));
    return parts;
  }

  const answerLink = (target) => target.closest?.(".rv-answers td:not(.rv-who)")?.querySelector(":scope > a");
  const REST = 350;  // ms: so long must the mouse rest on an answer
  const placeOf = (event) => `${event.screenX} ${event.screenY}`;
  addEventListener("pointermove", (event) => {
    const moved = placeOf(event) !== mouse;  // and not the page below it
    mouse = placeOf(event);
    if (event.pointerType !== "mouse" || !moved || open?.pinned || !table.contains(event.target)) return;
    clearTimeout(waiting);
    if (open?.box.contains(event.target)) return;
    const link = answerLink(event.target);
    waiting = setTimeout(() => { if (link) openWords(link, false); else closeWords(); }, link ? REST : 250);
  });
  addEventListener("wheel", (event) => { mouse = placeOf(event); clearTimeout(waiting); }, { passive: true });
  table.addEventListener("pointerleave", () => { clearTimeout(waiting); waiting = setTimeout(() => { if (!open?.pinned) closeWords(); }, 250); });
  table.addEventListener("focusin", (event) => {
    const link = answerLink(event.target);
    if (link === event.target && link.matches(":focus-visible") && !open?.pinned) openWords(link, false);
  });
  table.addEventListener("click", (event) => {
    const link = answerLink(event.target);
    if (link !== event.target || event.ctrlKey || event.metaKey || event.shiftKey || !event.detail) return; // a key follows the link
    event.preventDefault();
    if (open?.link === link && open.pinned) closeWords(); else openWords(link, true);
  });
  document.addEventListener("pointerdown", (event) => { if (open && !open.box.contains(event.target) && !answerLink(event.target)) closeWords(); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open) return;
    if (open.box.contains(document.activeElement)) open.link.focus();
    closeWords();
  });

  // ---- the keyboard: one stop of the tab key in a row, and arrow keys between its links and to the rows beside it

  const rowLinks = (row) => [...row.querySelectorAll(":scope > :is(th, td) > a")].filter((one) => one.checkVisibility());
  const stopAt = (link) => { for (const one of rowLinks(link.closest("tr"))) one.tabIndex = one === link ? 0 : -1; };
  let stopped = false;
  addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || stopped) return;
    stopped = true; // not before somebody uses the key: the table is large
    for (const row of table.querySelectorAll("tr[data-voices]")) row.querySelectorAll(":scope > td > a").forEach((one) => { if (one !== document.activeElement) one.tabIndex = -1; });
  }, { capture: true });
  table.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr[data-voices]"), links = row ? rowLinks(row) : [], at = links.indexOf(event.target);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rows = () => [...table.querySelectorAll("tr[data-voices]")].filter((one) => one === row || !one.hidden && !one.closest("[hidden]"));
    const beside = (step) => { const all = rows(), next = all[all.indexOf(row) + step]; return next && (rowLinks(next)[at] ?? rowLinks(next).at(-1)); };
    const moves = { ArrowLeft: () => links[at - 1], ArrowRight: () => links[at + 1], ArrowUp: () => beside(-1), ArrowDown: () => beside(1) };
    if (!moves[event.key]) return;
    event.preventDefault();
    const next = moves[event.key]();
    if (!next) return;
    stopAt(next);
    next.focus();
  });

  // ---- the form and the address

  function change() {
    showAll();
    keepAddress();
  }
  form.addEventListener("input", change);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(change));  // after the form has its first values again
  addEventListener("hashchange", () => {
    if (!readAddress()) return;
    showAll();
    form.scrollIntoView({ block: "nearest" });
  });
  if (location.hash.includes("=") && readAddress()) showAll();

  /* Rows above a place get their heights only now; the table is drawn when they have them (see answers-first.js). */
  const draw = () => document.documentElement.classList.remove("rv-settling");
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (location.hash.length > 1 && !location.hash.includes("=")) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    requestAnimationFrame(draw);
  }));
})();
