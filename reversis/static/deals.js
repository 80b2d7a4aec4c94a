/* The list of deals: shows those on one topic; the address keeps the choice (?topic=quinola). */
"use strict";
(() => {
  const choices = [...document.querySelectorAll("input[name=rv-topic]")];
  const rows = [...document.querySelectorAll(".rv-deal-list > li")];
  const show = (topic) => {
    for (const row of rows) row.hidden = Boolean(topic) && !row.dataset.topics.split(" ").includes(topic);
    for (const one of choices) one.checked = one.value === topic;
  };
  const chosen = () => {
    const topic = new URLSearchParams(location.search).get("topic") ?? "";
    return choices.some((one) => one.value === topic) ? topic : "";
  };
  for (const one of choices) {
    one.addEventListener("change", () => {
      const address = new URL(location.href);
      if (one.value) address.searchParams.set("topic", one.value); else address.searchParams.delete("topic");
      history.replaceState(null, "", address);
      show(one.value);
    });
  }
  show(chosen());
})();
