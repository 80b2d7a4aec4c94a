/* Bar charts: all figures of a bar beside it, while it is pointed at or its question has the focus.

   Without this script they are the title of each bar, and the value stands beside it anyway. */

(() => {
  "use strict";

  const tip = document.createElement("p");
  tip.className = "rv-cost-tip";
  tip.hidden = true;

  const show = (row, says) => {
    tip.textContent = says;
    tip.hidden = false;
    row.append(tip);
  };
  const hide = () => { tip.hidden = true; };

  for (const chart of document.querySelectorAll(".rv-cost-chart")) {
    for (const row of chart.children) {
      const title = row.querySelector("svg.rv-bar-row > title");
      if (!title) continue;
      title.remove(); // two tips at once would cover each other
      row.addEventListener("pointerenter", () => show(row, title.textContent));
      row.addEventListener("pointerleave", hide);
      row.addEventListener("focusin", () => show(row, title.textContent));
      row.addEventListener("focusout", hide);
    }
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
