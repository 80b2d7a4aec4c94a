/* The matrix, and the sources side by side: which sources and which questions are shown.

   Everything is read from the table, which is whole without this script. The agreement of the sources that are ticked
   is reckoned from what each cell says of itself (edition/views/questions/matrix.py has the same rule), and the choice is kept in the
   fragment of the address (#sources=PAM,GER&agreement=differ), so that it can be sent. A fragment without "=" is a
   place on the page, and no choice. */
"use strict";
(() => {
  const form = document.querySelector("form.rv-controls");
  const table = document.querySelector("table.rv-compare");
  if (!form || !table) return;
  const frame = table.closest(".rv-frame");
  const told = document.querySelector(".rv-count");
  const least = Number(form.dataset.least);
  const narrow = matchMedia("(max-width: 46em)");
  const CHOICES = ["agreement", "group", "status", "cost", "text", "form"];
  const boxes = [...form.querySelectorAll("input[name=sources]")];
  const words = Object.fromEntries([...form.elements.agreement.options].map((one) => [one.value, lastPart(one.text)]));
  const whole = told.textContent;

  /* "only where they differ" as it stands in a row: They differ. */
  function lastPart(text) {
    const said = text.replace(/^only where /, "");
    return said[0].toUpperCase() + said.slice(1);
  }

  // ---- what the table says

  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/ſ/g, "s").replace(/œ/g, "oe");

  const rows = [...table.tBodies].flatMap((body) => [...body.rows].slice(1).map((row) => ({
    row,
    group: body.dataset.group,
    text: plain(`${row.cells[0].querySelector("p").textContent} ${row.dataset.slug}`),
    cells: [...row.cells].filter((cell) => cell.dataset.siglum),
    agreement: row.querySelector(".rv-agreement"),
    price: row.querySelector(".rv-price-words"),
    prices: (row.dataset.costs || "").split(";").filter(Boolean).map((one) => {
      const [at, giver, share, said] = one.split("|");
      return { at, giver, share: Number(share), said };
    }),
  })));

  // ---- what is chosen

  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);

  function fromAddress() {
    const fragment = decodeURI(location.hash.slice(1));
    if (fragment && !fragment.includes("=")) return false;
    const wanted = new URLSearchParams(fragment);
    const sigla = (wanted.get("sources") || "").split(",").filter((one) => boxes.some((box) => box.value === one));
    for (const box of boxes) box.checked = sigla.length < least || sigla.includes(box.value);
    for (const name of CHOICES) {
      const value = wanted.get(name) || "";
      const control = form.elements[name];
      control.value = value;
      if (control.value !== value) control.value = "";  // a choice that is not there any more
    }
    return true;
  }

  function toAddress() {
    const made = new URLSearchParams();
    if (chosen().length < boxes.length) made.set("sources", chosen().join(","));
    for (const name of CHOICES) if (form.elements[name].value.trim()) made.set(name, form.elements[name].value.trim());
    const fragment = made.toString().replaceAll("%2C", ",");
    history.replaceState(null, "", fragment ? `#${fragment}` : location.href.split("#")[0]);
  }

  // ---- what follows for a question

  function accord(cells) {
    const spoken = cells.filter((cell) => cell.dataset.says);
    if (spoken.length < 2) return spoken.length ? "alone" : "nobody";
    return new Set(spoken.map((cell) => cell.dataset.says)).size === 1 ? "agree" : "differ";
  }

  function accordWords(kind, cells) {
    const names = (heard) => cells.filter((cell) => Boolean(cell.dataset.says) === heard).map((cell) => cell.dataset.siglum);
    if (kind === "nobody") return words[kind];
    if (kind === "alone") return `${names(true)[0]} alone speaks`;
    return names(false).length ? `${words[kind]} (${names(false).join(", ")} not heard)` : words[kind];
  }

  const dearest = (one, sigla) => one.prices.find((price) => sigla.includes(price.at) && sigla.includes(price.giver));

  function fits(one, kind, cells, price) {
    const { agreement, group, status, cost, text } = form.elements;
    return (!agreement.value || agreement.value === kind)
      && (!group.value || group.value === one.group)
      && (!status.value || cells.some((cell) => cell.dataset.status.split(" ").includes(status.value)))
      && (!cost.value || (price !== undefined && price.share >= Number(cost.value)))
      && plain(text.value).split(/\s+/).every((word) => one.text.includes(word));
  }

  function show(one, sigla) {
    const cells = one.cells.filter((cell) => sigla.includes(cell.dataset.siglum));
    for (const cell of one.cells) cell.hidden = !cells.includes(cell);
    const kind = accord(cells);
    const price = dearest(one, sigla);
    one.agreement.textContent = accordWords(kind, cells);
    one.agreement.className = `rv-agreement rv-${kind}`;
    if (one.price) {
      one.price.closest("p").hidden = !price;
      if (price) one.price.textContent = `${price.said} (${price.at} with the answer of ${price.giver})`;
    }
    one.row.hidden = !fits(one, kind, cells, price);
    return one.row.hidden ? "" : kind;
  }

  // ---- the whole table

  function showAll() {
    const sigla = chosen();
    const heads = [...table.tHead.rows[0].cells];
    boxes.forEach((box, at) => { heads[at + 1].hidden = !box.checked; });
    const kinds = rows.map((one) => show(one, sigla)).filter(Boolean);
    for (const body of table.tBodies) {
      const [head, ...its] = body.rows;
      head.hidden = its.every((row) => row.hidden);
      head.cells[0].colSpan = heads.filter((cell) => !cell.hidden).length;
    }
    table.style.setProperty("--rv-columns", sigla.length);
    for (const box of boxes) box.disabled = box.checked && sigla.length <= least;
    tell(kinds);
    lay();
  }

  function tell(kinds) {
    if (kinds.length === rows.length && chosen().length === boxes.length) {
      told.textContent = whole;
      return;
    }
    const counts = Object.keys(words).filter((kind) => kinds.includes(kind)).map((kind) =>
      `${words[kind][0].toLowerCase()}${words[kind].slice(1)} on ${kinds.filter((one) => one === kind).length}`);
    told.textContent = `${kinds.length} of ${rows.length} questions${counts.length ? `: ${counts.join("; ")}` : ""}.`;
  }

  /* A list, or a table; a table that is wider than the page is moved about in a frame, where its heads stay in sight. */
  function lay() {
    const form_ = form.elements.form.value || (narrow.matches ? "list" : "table");
    table.classList.toggle("rv-as-list", form_ === "list");
    table.classList.toggle("rv-as-table", form_ === "table");
    frame.classList.remove("rv-many", "rv-pane");
    const wide = form_ === "table" && table.getBoundingClientRect().width > frame.clientWidth + 1;
    frame.classList.toggle("rv-pane", wide);
    const named = { role: "region", tabindex: "0", "aria-label": table.caption.innerText };
    for (const [name, value] of Object.entries(named)) wide ? frame.setAttribute(name, value) : frame.removeAttribute(name);
  }

  function changed() {
    showAll();
    toAddress();
  }

  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));  // after the form has its first values again
  addEventListener("hashchange", () => { if (fromAddress()) showAll(); });
  addEventListener("resize", lay);
  form.hidden = false;
  fromAddress();
  showAll();
  if (location.hash && !location.hash.includes("=")) document.getElementById(location.hash.slice(1))?.scrollIntoView();
})();
