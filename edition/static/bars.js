/* Bar charts: all figures of a bar beside it, while it is pointed at or its question has the focus.

   Without this script they are the title of each bar, and the value stands beside it anyway. */

(() => {
  "use strict";

  const tip = document.createElement("p");
  tip.className = "rv-cost-tip";
  tip.hidden = true;

  const show = (row) => {
    const says = row.querySelector("svg.rv-bar-row")?.getAttribute("aria-label");
    if (!says) return;
    tip.textContent = says;
    tip.hidden = false;
    row.append(tip);
  };
  const hide = () => { tip.hidden = true; };

  for (const chart of document.querySelectorAll(".rv-cost-chart")) {
    for (const row of chart.children) {
      row.querySelector("svg.rv-bar-row > title")?.remove(); // two tips at once would cover each other
      row.addEventListener("pointerenter", () => show(row));
      row.addEventListener("pointerleave", hide);
      row.addEventListener("focusin", () => show(row));
      row.addEventListener("focusout", hide);
    }
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
