// The card of the rules: a button that prints it. Without scripts the browser's own menu does.
const lead = document.querySelector(".rv-card-lead");
if (lead) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "rv-primary";
  button.textContent = "Print this card";
  button.addEventListener("click", () => window.print());
  lead.after(button);
}
