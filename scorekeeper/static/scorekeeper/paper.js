// Typing in a paper sheet: updates the totals, moves on with Enter and adds new rows.
import { swap } from "./swap.js";

const PAUSE = 250; // ms after the last key before the totals are updated
const form = document.querySelector("[data-paper]");
const rows = form.querySelector("tbody");
let timer = 0;
let asked = 0;

for (const select of rows.querySelectorAll("select")) leaveOut(select);
const wrong = rows.querySelector("tr:has(.errors)");
const fault = rows.querySelector("[aria-invalid]") ?? (wrong && needed(wrong)[0]);
const refusal = document.getElementById("refusal");
(fault ?? refusal ?? needed(form).find((field) => !field.value))?.focus();
form.addEventListener("input", (event) => {
  const field = event.target;
  field.removeAttribute("aria-invalid");
  if (field.name.startsWith("player-")) name(field);
  if (field.closest("[data-redraw]") && field.type !== "text" && field.type !== "number") return redraw();
  if (field.closest("tbody")) {
    leaveOut(field);
    if (field.closest("tr") === rows.lastElementChild) another();
  }
  clearTimeout(timer);
  timer = setTimeout(workOut, PAUSE);
});
form.addEventListener("change", (event) => {
  if (event.target.closest("[data-redraw]")) redraw();
});
form.addEventListener("keydown", (event) => {
  if (event.target.matches("tbody select")) bySeat(event);
  if (event.key !== "Enter" || event.target.matches("button, summary")) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) return form.requestSubmit(form.querySelector("[value=save-next]"));
  goOn(event.target);
});

// Somebody may have typed before this script was there.
if ([...rows.querySelectorAll("input")].some((field) => field.value !== field.defaultValue)) workOut();

/** Other options may need other columns, so the server draws the page again with everything typed so far. */
function redraw() {
  form.requestSubmit(form.querySelector("[value=work-out]"));
}

/** Asks the server for totals and missing values. Ignores answers to older requests. */
async function workOut() {
  const number = ++asked;
  const body = new URLSearchParams(new FormData(form));
  const headers = { "X-Part": "sums", "X-CSRFToken": document.body.dataset.csrf };
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers, redirect: "manual" });
    const html = await answer.text();
    if (answer.ok && number === asked) swap(html);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: saving says so
  }
}

/** Moves to the next field, skipping optional choices. A blank row means there are no more hands. */
function goOn(from) {
  const row = from.closest("tr");
  const last =
    row && !needed(row).some((field) => field.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_PRECEDING);
  if (row && blank(row)) return form.elements.stopped.focus();
  if (last && form.querySelector("[data-finished]")) return form.querySelector("[value=save-next]").focus();
  const fields = needed(form);
  const next = fields.find((field) => from.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING);
  next?.focus();
  if (next?.select) next.select();
}

/** On the sheet, players are numbers, and a dash means nobody. */
function bySeat(event) {
  const { target, key } = event;
  const choice = [...target.options].find(({ value, dataset }) =>
    key === "-" ? value === "blocked" : key === String(Number(dataset.seat) + 1),
  );
  if (!choice) return;
  event.preventDefault();
  target.value = choice.value;
  target.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Numbers as on the sheet, from left to right; of the choices, those that must be made. The options are none. */
function needed(inside) {
  const fields = inside.querySelectorAll("input:not([type=hidden], [type=radio]), select:not([data-spare]), .button");
  return [...fields].filter((field) => !field.disabled && !field.closest("details") && field.checkVisibility());
}

const blank = (row) => [...row.querySelectorAll("input, select")].every((field) => !field.value);

/** Disables fields that are not needed: for the player who is out, or for everybody after reaching the target. */
function leaveOut(field) {
  if (!field.name.endsWith("-out")) return;
  const row = field.name.replace("-out", "");
  form.elements[`${row}-last`]?.toggleAttribute("data-spare", field.value !== "blocked");
  for (const other of form.querySelectorAll(`[name^="${row}-left-"], [name^="${row}-tiles-"]`)) {
    other.disabled = field.value.startsWith("reached") || other.name.endsWith(`-${field.value}`);
    if (other.disabled) other.value = "";
  }
}

/** Adds a row like the last one. */
function another() {
  const last = rows.lastElementChild;
  const number = Number(last.dataset.row);
  const row = last.cloneNode(true);
  row.dataset.row = number + 1;
  row.querySelector("th").textContent = number + 2;
  for (const part of row.querySelectorAll("[name], [id]")) {
    if (part.name) part.name = part.name.replace(`h${number}-`, `h${number + 1}-`);
    if (part.id) part.id = part.id.replace(`-${number}`, `-${number + 1}`);
    const labels = part.getAttribute("aria-labelledby");
    if (labels) part.setAttribute("aria-labelledby", labels.replace(`row-${number} `, `row-${number + 1} `));
    if (part.matches("output")) part.textContent = "";
    if (part.matches("input, select")) part.value = "";
    part.removeAttribute("aria-invalid");
    part.disabled = false;
  }
  rows.append(row);
}

/** Shows the player's name everywhere their seat is mentioned. */
function name(field) {
  const text = field.value.trim() || field.labels[0].textContent;
  const seat = field.name.replace("player-", "");
  for (const element of form.querySelectorAll(`[data-seat="${seat}"]`)) {
    element.textContent = element.dataset.text ? element.dataset.text.replace("{name}", text) : text;
  }
}
