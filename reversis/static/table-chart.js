/* Sums from deal to deal as lines, each with a mark and a name of its own; the table beside it has the figures. */
"use strict";
globalThis.reversis ??= {};
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SIZE = { wide: 360, high: 180, left: 34, right: 130, edge: 12 };
  const LETTERS = 13; // from one name to the next, at least
  /* Marks round a point, so that lines are told apart without colours: in the order of the signs of the books. */
  const MARKS = ["M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0", "M-3-3h6v6h-6z", "M0 4l4-7h-8z", "M-4-1h8v2h-8z", "M0-4l4 7h-8z", "M-1-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z", "M0-4l1 3h3l-2.4 1.8l1 3.2l-2.6-2l-2.6 2l1-3.2l-2.4-1.8h3z"];

  function draw(tag, attributes, content = []) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    node.append(...content);
    return node;
  }

  const sumUp = (numbers) => numbers.reduce((sums, number) => [...sums, sums.at(-1) + number], [0]);

  /* Names at the ends of the lines, moved apart where lines end close together. */
  function placeNames(ends) {
    const places = new Map();
    let least = 0;
    for (const [at, y] of [...ends.entries()].sort((one, other) => one[1] - other[1])) {
      least = Math.max(y, least);
      places.set(at, least);
      least += LETTERS;
    }
    const over = Math.max(0, least - LETTERS - (SIZE.high - SIZE.edge));
    return ends.map((_, at) => places.get(at) - over);
  }

  /* `series`: [{ name, cls, mark, numbers }], of each deal what it brought. */
  function drawChart(series, words) {
    const lines = series.map(({ numbers }) => sumUp(numbers)), all = lines.flat(), deals = lines[0].length - 1;
    const low = Math.min(...all), span = Math.max(...all) - low || 1;
    const x = (at) => SIZE.left + (at / deals) * (SIZE.wide - SIZE.left - SIZE.right);
    const y = (sum) => SIZE.edge + ((low + span - sum) / span) * (SIZE.high - 2 * SIZE.edge);
    const names = placeNames(lines.map((line) => y(line.at(-1))));
    const scale = [...new Set([low, 0, low + span])].flatMap((sum) => [
      draw("path", { class: "pl-rule", d: `M${x(0)} ${y(sum)}H${x(deals)}` }), draw("text", { class: "pl-scale", x: SIZE.left - 6, y: y(sum) + 4, "text-anchor": "end" }, [String(sum).replace("-", "−")]),
    ]);
    const drawn = series.map(({ name, cls, mark }, at) => draw("g", { class: `pl-line ${cls}` }, [
      draw("path", { d: lines[at].map((sum, deal) => `${deal ? "L" : "M"}${x(deal)} ${y(sum)}`).join("") }),
      ...lines[at].slice(1).map((sum, deal) => draw("path", { class: "pl-mark", d: MARKS[mark % MARKS.length], transform: `translate(${x(deal + 1)} ${y(sum)})` })),
      draw("path", { class: "pl-mark", d: MARKS[mark % MARKS.length], transform: `translate(${x(deals) + 12} ${names[at]})` }), draw("text", { x: x(deals) + 20, y: names[at] + 4 }, [name]),
    ]));
    return draw("svg", { class: "pl-chart", viewBox: `0 0 ${SIZE.wide} ${SIZE.high}`, role: "img", "aria-label": words }, [...scale, ...drawn]);
  }

  globalThis.reversis.tableChart = { drawChart };
})();
