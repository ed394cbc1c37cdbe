// The pad: a tile that fits two ends waits for its end; what is left adds up while it is tapped.
import { preview } from "./entry.js";

let timer = 0;

export function listenOnThePad() {
  document.addEventListener("click", (event) => {
    const tile = event.target.closest("button[data-ends]");
    if (tile) return choose(tile, event);
    const end = event.target.closest("[data-end]");
    if (end) return document.querySelector(`.ends [data-at="${end.dataset.end}"]:not([hidden])`)?.click();
    if (event.target.closest("[data-mend]") && document.getElementById("sheet")) return mend(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") letGo();
    const end = event.target.closest?.("[data-end].lit");
    if (end && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      document.querySelector(`.ends [data-at="${end.dataset.end}"]`).click();
    }
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-preview]");
    if (form) typed(form, event.target);
  });
}

/** One tap where one end takes the tile; else the ends light up and one of them is tapped. */
function choose(tile, event) {
  const ends = tile.dataset.ends.split(" ").filter(Boolean);
  if (ends.length < 2) return;
  event.preventDefault();
  const again = tile.matches(".chosen");
  letGo();
  if (again) return;
  tile.classList.add("chosen");
  tile.setAttribute("aria-pressed", "true");
  const entry = JSON.parse(tile.value);
  const bar = document.querySelector(".ends");
  for (const button of bar.querySelectorAll("[data-at]")) {
    const end = button.dataset.at;
    button.hidden = !ends.includes(end);
    button.value = JSON.stringify({ ...entry, move: { ...entry.move, end } });
    const place = document.querySelector(`.line [data-end="${end}"]`);
    if (!button.hidden) light(place, button.textContent.trim());
  }
  bar.hidden = false;
  bar.scrollIntoView({ block: "nearest" });
}

function light(place, words) {
  place.classList.add("lit");
  place.setAttribute("role", "button");
  place.setAttribute("tabindex", "0");
  place.setAttribute("aria-label", words);
}

function letGo() {
  for (const tile of document.querySelectorAll(".chosen")) {
    tile.classList.remove("chosen");
    tile.removeAttribute("aria-pressed");
  }
  for (const place of document.querySelectorAll(".line .lit")) {
    place.classList.remove("lit");
    for (const name of ["role", "tabindex", "aria-label"]) place.removeAttribute(name);
  }
  const bar = document.querySelector(".ends");
  if (bar) bar.hidden = true;
}

/** The refusal has been read: back to what was typed. */
function mend(event) {
  event.preventDefault();
  const empty = document.createElement("div");
  empty.id = "refusal";
  document.getElementById("refusal").replaceWith(empty);
  document.querySelector("#sheet :is(input:not([type=hidden]), .tiles button)")?.focus({ preventScroll: true });
}

function typed(form, input) {
  const row = input.closest(".left-row");
  if (row && input.type === "checkbox") tapped(form, row);
  if (input.name === "out") form.querySelector(".lefts input, .bads input")?.focus();
  if (input.name.startsWith("bad-") || input.name === "out") leaveOut(form);
  clearTimeout(timer);
  timer = setTimeout(() => complete(form) && preview(form), 250);
}

/** A tile is in one hand only; a hand that is whole makes way for the next, and the last one has the rest. */
function tapped(form, row) {
  add(form, row);
  if (picked(row).length !== Number(row.dataset.held)) return;
  row.querySelector("details").open = false;
  const empty = [...form.querySelectorAll(".left-row")].filter((other) => other.querySelector(".digits")?.value === "");
  if (!empty.length) return;
  const free = [...empty[0].querySelectorAll("[type=checkbox]:enabled")];
  if (empty.length === 1 && free.length === Number(empty[0].dataset.held)) {
    for (const box of free) box.checked = true;
    add(form, empty[0]);
  }
  empty[0].querySelector("details").open = true;
}

const picked = (inside) => [...inside.querySelectorAll(".left-row :checked, :scope.left-row :checked")];

function add(form, row) {
  const chosen = new Set(picked(form).map((box) => box.value));
  for (const box of form.querySelectorAll(".left-row [type=checkbox]")) {
    box.disabled = !box.checked && chosen.has(box.value);
  }
  const mine = picked(row);
  const digits = row.querySelector(".digits");
  digits.value = mine.length ? mine.reduce((sum, { value }) => sum + Number(value[0]) + Number(value[2]), 0) : "";
  digits.readOnly = mine.length > 0;
}

/** Who is out has nothing left; side totals make the hands' pips needless, and so does a target that was reached. */
function leaveOut(form) {
  const out = form.elements.out?.value;
  const bad = [...form.querySelectorAll(".bads input")].some((input) => input.value);
  for (const row of form.querySelectorAll(".left-row")) {
    const digits = row.querySelector(".digits");
    if (digits) digits.disabled = bad || reached(form) || row.dataset.seat === out;
  }
}

const reached = (form) => Boolean(form.elements.out?.value.startsWith("reached"));

function complete(form) {
  const all = (selector) => {
    const inputs = [...form.querySelectorAll(selector)].filter((input) => !input.disabled);
    return inputs.length > 0 && inputs.every((input) => input.value !== "");
  };
  return form.checkValidity() && (reached(form) || all(".bads input") || all(".left-row .digits"));
}
