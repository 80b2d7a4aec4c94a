/* What is amiss with a page as it now stands in the window: lines of text that lie over one another, text that is cut
   off where nothing can scroll, words broken within, a page wider than its window. */
() => {
  const ROUNDED = 1.5, SHARE = 0.4, NARROW = 240; // pixels; of the lower of two lines; pixels
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest(".rv-unseen, dialog:not([open]), [popover]:not(:popover-open)");
  const isTurned = (node) => { for (; node && node !== document.body; node = node.parentElement) { const matrix = getComputedStyle(node).transform; if (node.getAttribute("transform")?.includes("rotate") || (matrix !== "none" && !/^matrix\(1, 0, 0, 1/.test(matrix))) return true; } return false; };
  const isAbove = (node) => { for (; node && node !== document.body; node = node.parentElement) if (/fixed|sticky/.test(getComputedStyle(node).position)) return true; return false; };
  const faults = [], lines = [];

  /* A line as far as the boxes round it let it be seen. */
  function clip(box, element, words) {
    let { left, top, right, bottom } = box;
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.overflowX === "visible" && style.overflowY === "visible" || around.closest("svg")) continue;
      const edge = around.getBoundingClientRect();
      if (edge.width < 2 || edge.height < 2) return edge; // for screen readers alone
      if (parseFloat(style.textIndent) >= edge.width && /hidden|clip/.test(style.overflowX)) return { left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 }; // set out of sight
      if (/hidden|clip/.test(style.overflowX) && (right > edge.right + ROUNDED || left < edge.left - ROUNDED) && style.textOverflow !== "ellipsis") faults.push(`“${words}” is cut off at a side`);
      left = Math.max(left, edge.left); right = Math.min(right, edge.right); top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom);
    }
    return { left, top, right, bottom };
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || /^(script|style|option|title|desc)$/i.test(element.localName) || !isSeen(element) || isAbove(element) || isTurned(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = node.data.trim().replace(/\s+/g, " ").slice(0, 30);
    const boxes = [...range.getClientRects()].filter((rect) => rect.width > 2 && rect.height > 2).map((rect) => clip(rect, element, words));
    const seen = boxes.filter((box) => box.right - box.left > 2 && box.bottom - box.top > 2);
    lines.push(...seen.map((box) => ({ ...box, node, words })));
    if (seen.length > 1 && element.clientWidth < NARROW) for (const { 0: word, index } of node.data.matchAll(/\p{L}{3,}/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) faults.push(`“${word}” is broken`);
    }
  }
  lines.sort((a, b) => a.top - b.top);
  lines.forEach((a, at) => {
    for (let next = at + 1; next < lines.length && lines[next].top < a.bottom; next += 1) {
      const b = lines[next];
      if (a.node === b.node || a.left >= b.right - ROUNDED || b.left >= a.right - ROUNDED) continue;
      const deep = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (deep > SHARE * Math.min(a.bottom - a.top, b.bottom - b.top)) faults.push(`“${a.words}” over “${b.words}”`);
    }
  });
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  return [...new Set(faults)];
}
