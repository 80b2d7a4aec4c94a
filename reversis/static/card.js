// The card of the rules: a button that prints it. Without scripts the browser's own menu does.
const place = document.querySelector(".rv-card-print");
if (place) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "rv-primary";
  button.textContent = "Print this card";
  button.addEventListener("click", () => window.print());
  place.append(button);
}
