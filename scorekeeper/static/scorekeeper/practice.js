// The practice table: plays without leaving the page, shows that Nestor thinks, and previews the colours of a theme.
import { post } from "./queue.js";
import { showRefusal } from "./refusal.js";
import { swap } from "./swap.js";

let waits = false; // for an answer

export function listenOnThePracticeTable() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-practice]");
    if (!form) return;
    event.preventDefault();
    if (!waits) send(form, event.submitter);
  });
  document.addEventListener("news", ({ target }) => target.id === "sheet" && goOn());
  document.addEventListener("input", ({ target }) => target.dataset.colour && paint(target));
  for (const field of document.querySelectorAll("[data-colour]")) paint(field);
  goOn();
}

async function send(form, button) {
  waits = true;
  const thinks = button?.hasAttribute("data-thinks");
  form.classList.toggle("thinking", thinks);
  const address = button?.getAttribute("formaction") ?? form.getAttribute("action");
  const answer = await post(address, new URLSearchParams(new FormData(form, button)), "sheet");
  waits = false;
  // Without an answer that it can show, the browser sends the form itself, and says what is wrong.
  if (![200, 409, 422].includes(answer?.status)) return sendPlainly(form, button);
  swap(await answer.text());
  showRefusal();
}

function sendPlainly(form, button) {
  delete form.dataset.practice;
  form.requestSubmit(button);
}

/** With Auto-OK, Nestor plays without a tap. */
function goOn() {
  const button = document.querySelector("#sheet [data-auto]");
  if (button && !document.querySelector("#refusal.loud")) button.form.requestSubmit(button);
}

function paint({ dataset: { colour }, value }) {
  document.querySelector("[data-theme-preview]").style.setProperty(`--${colour}`, value);
}
