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
  for (const row of document.querySelectorAll(`[data-upper="${colour}"], [data-lower="${colour}"]`)) measure(row);
}

/** Shows the contrast of two colours, rounded down as the server does. */
function measure(row) {
  const colours = [row.dataset.upper, row.dataset.lower].map((name) => document.querySelector(`[data-colour=${name}]`));
  const [darker, lighter] = colours.map(({ value }) => luminance(value)).sort((one, other) => one - other);
  const ratio = Math.round((100 * (lighter + 0.05)) / (darker + 0.05)) / 100;
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const shown = (Math.floor(10 * ratio) / 10).toLocaleString(document.documentElement.lang, options);
  row.classList.toggle("errors", 10 * ratio < Number(row.dataset.least));
  row.querySelector("b").textContent = shown;
}

/** By WCAG 2, from 0 to 1. */
const luminance = (colour) =>
  [0.2126, 0.7152, 0.0722].reduce((sum, part, at) => sum + part * linear(colour.slice(1 + 2 * at, 3 + 2 * at)), 0);

function linear(hex) {
  const part = Number.parseInt(hex, 16) / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
