/* What is amiss with the table as it now stands in the window: parts that overlap, are cut off or out of sight, targets
   too small for a finger, a page wider than its window. `inPlay`: whether nothing may lie below the window either. */
(inPlay) => {
  const PARTS = ".pl-head > *, .pl-books, .pl-seat, .pl-pool, .pl-last, .pl-trick, .pl-talon, .pl-wait, .pl-say, .pl-hand, .pl-acts, .pl-slip";
  const WHOLE = ".rv-tile, .pl-gap, button, select, input"; // seen as one thing, whatever is in it
  const TARGETS = ".pl button:not(.pl-hand button), .pl select, .pl summary, .pl label:has(input), .pl input[type=text]";
  const LEAST = 40, ROUNDED = 1.5, LEAST_SLIP = 64; // pixels
  const faults = [];
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".rv-unseen, .pl-menu");
  const nameOf = (part) => part.classList[0] ? `${[...part.classList].slice(0, 2).join(".")}` : part.localName;

  /* Boxes of all that is seen in a part: lines of text, cards, buttons. */
  function* listBoxes(part) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = part; node; node = walker.nextNode()) {
      const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
      if (!isSeen(element)) continue;
      if (node === element ? node.matches(WHOLE) : node.data.trim() && !(element.closest(WHOLE) && part.contains(element.closest(WHOLE)))) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = node === element ? [node.getBoundingClientRect()] : range.getClientRects();
        for (const box of boxes) if (box.width > 1 && box.height > 1) yield { element, box, words: node.textContent.trim().slice(0, 24) };
      }
    }
  }

  /* A box as far as the boxes round it let it be seen; what scrolls may hide, anything else that hides is a fault. */
  function clip({ element, box, words }, part) {
    let { left, top, right, bottom } = box;
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around), edge = around.getBoundingClientRect();
      if (style.overflowX === "visible" || around === element && around.matches(WHOLE)) continue;
      const scrolls = { x: /auto|scroll/.test(style.overflowX), y: /auto|scroll/.test(style.overflowY) };
      if (!scrolls.x && (right > edge.right + ROUNDED || left < edge.left - ROUNDED)) faults.push(`“${words}” of ${nameOf(part)} is cut off at a side`);
      if (!scrolls.y && (bottom > edge.bottom + 4 || top < edge.top - 4)) faults.push(`“${words}” of ${nameOf(part)} is cut off above or below`);
      left = Math.max(left, edge.left); right = Math.min(right, edge.right); top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom);
    }
    return { left, top, right, bottom, words };
  }
  const isLeft = (box) => box.right - box.left > 1 && box.bottom - box.top > 1;
  const meet = (a, b) => a.left < b.right - ROUNDED && b.left < a.right - ROUNDED && a.top < b.bottom - 3 && b.top < a.bottom - 3;

  const parts = [...document.querySelectorAll(inPlay ? PARTS : ".pl-page, .pl-choose")].filter(isSeen)
    .map((part) => ({ part, boxes: [...listBoxes(part)].map((box) => clip(box, part)).filter(isLeft) }));
  const ground = document.querySelector(".pl-felt")?.getBoundingClientRect();
  parts.forEach(({ part, boxes }, at) => {
    for (const box of boxes) {
      const name = `“${box.words}” of ${nameOf(part)}`;
      if (box.right > innerWidth + ROUNDED || box.left < -ROUNDED) if (!part.closest(".pl-scroll") && inPlay) faults.push(`${name} is out of sight at a side`);
      if (inPlay && box.bottom > innerHeight + ROUNDED) faults.push(`${name} is ${Math.round(box.bottom - innerHeight)} below the window`);
      if (part.closest(".pl-felt") && (box.top < ground.top - ROUNDED || box.bottom > ground.bottom + ROUNDED || box.left < ground.left - ROUNDED || box.right > ground.right + ROUNDED)) faults.push(`${name} is beside the felt`);
    }
    if (inPlay) for (const other of parts.slice(at + 1)) {
      const pair = boxes.flatMap((a) => other.boxes.filter((b) => meet(a, b)).map((b) => `“${a.words}” of ${nameOf(part)} over “${b.words}” of ${nameOf(other.part)}`));
      if (pair.length) faults.push(pair[0]);
    }
  });
  for (const node of document.querySelectorAll(TARGETS)) {
    const { width, height } = node.getBoundingClientRect();
    if (node.checkVisibility() && (width < LEAST - 0.5 || height < LEAST - 0.5)) faults.push(`target “${node.textContent.trim().slice(0, 24)}” is ${Math.round(width)} x ${Math.round(height)}`);
  }
  const slip = inPlay && document.querySelector(".pl-slip");
  if (slip && slip.clientHeight < LEAST_SLIP && slip.scrollHeight > slip.clientHeight + 1) faults.push(`the slip shows ${slip.clientHeight} of ${slip.scrollHeight}`);
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  return [...new Set(faults)];
}
