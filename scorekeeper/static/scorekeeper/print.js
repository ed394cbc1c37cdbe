// Pages to print: the button opens the print dialog.
const button = document.querySelector("[data-print]");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
