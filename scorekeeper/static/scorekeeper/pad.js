// The forms of the pad: adds up the tiles that are left as they are tapped, and previews the score.
import { preview } from "./preview.js";
import { rest } from "./swap.js";

let timer = 0;
let byMove = false; // true if the last entry was a move, tapped on the board or in the tray

export function listenOnThePad() {
  document.addEventListener("submit", ({ target }) => (byMove = target.matches("form.play")), true);
  document.addEventListener("click", ({ target }) => goesOn(target) && dismiss(), true);
  document.addEventListener("click", putDown, true);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && document.querySelector(OVER_TRAY) && dismiss());
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-mend]") && document.getElementById("sheet")) backToInput(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("form[data-preview] .digits")) goOn(event);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-preview]");
    if (form) typed(form, event.target);
  });
  document.addEventListener("news", ({ target }) => {
    if (target.id !== "refusal") return;
    moveOver(target);
    pointOut(target);
  });
  const refusal = document.getElementById("refusal");
  if (refusal) pointOut(refusal);
}

/** Undo first clears a tile or card that is only half entered, before it takes back a whole entry. */
function putDown(event) {
  const undo = event.target.closest("form.play [name=entry]");
  if (undo?.value !== '{"kind":"undo"}' || !undo.form.querySelector("button.chosen, a.chosen, .claims:not([hidden])"))
    return;
  event.preventDefault();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  rest(undo.form, () => undo);
}

/** Marks the tiles, cards or cells that a refusal is about, on the board and in the tray. */
function pointOut(refusal) {
  for (const each of document.querySelectorAll("#sheet .blamed")) each.classList.remove("blamed");
  for (const name of refusal.dataset.at?.split(" ") ?? []) {
    const selectors = ["tile", "card", "cell"].map((kind) => `#sheet [data-${kind}="${CSS.escape(name)}"]`);
    for (const each of document.querySelectorAll(selectors)) each.classList.add("blamed");
  }
}

const OVER_TRAY = "form.play > #refusal.loud"; // a refusal shown where the player tapped

/** Shows the refusal of a move over the tray, and any other refusal at the top of the page. */
function moveOver(refusal) {
  const sheet = document.querySelector("#sheet[data-part=pad]");
  const tray = byMove && refusal.querySelector("[data-mend]") && !refusal.querySelector("[data-others], .handed");
  const over = tray && sheet?.querySelector("form.play > :is(.saying, .tray)");
  if (over) over.before(refusal);
  else if (sheet?.contains(refusal)) sheet.before(refusal);
}

/** Whether the player taps something else instead of what was refused. */
const goesOn = (target) =>
  document.querySelector(OVER_TRAY)?.parentElement.contains(target) &&
  target.closest(":is(button, a, [data-end]):not(#refusal *)");

/** Removes the refusal after it was read or something else was tapped. The focus goes from it to what was refused. */
function dismiss() {
  const empty = document.createElement("div");
  empty.id = "refusal";
  const refusal = document.getElementById("refusal");
  const held = refusal.contains(document.activeElement);
  const next = document.querySelector("#sheet :is(button, a).blamed") ?? document.querySelector("#sheet .play .lit");
  refusal.replaceWith(empty);
  if (held) next?.focus({ preventScroll: true });
  pointOut(empty);
}

/** Removes the refusal and moves the focus back to what has to be fixed. */
function backToInput(event) {
  event.preventDefault();
  const blamed = document.querySelector("#sheet button.blamed");
  dismiss();
  (blamed ?? document.querySelector("#sheet :is(input:not([type=hidden]), .tiles button)"))?.focus({
    preventScroll: true,
  });
}

function typed(form, input) {
  const row = input.closest(".left-row");
  if (row && input.type === "checkbox") tapped(form, row);
  if (input.name.startsWith("bad-") || input.name === "out") leaveOut(form);
  if (input.name === "out" && !asksLast(form)) form.querySelector(NEXT)?.focus();
  if (input.name === "last") form.querySelector(NEXT)?.focus();
  clearTimeout(timer);
  timer = setTimeout(() => complete(form) && preview(form), 250);
}

/** Moves to the next number that is asked for; after the last one, to the button that counts them or works them out. */
function goOn(event) {
  event.preventDefault();
  const { form } = event.target;
  const empty = [...form.querySelectorAll(".digits")].filter((field) => field === event.target || usable(field));
  const next = empty[empty.indexOf(event.target) + 1];
  (next ?? [...form.querySelectorAll(".preview .main, .work-out")].find((each) => each.checkVisibility())).focus();
  next?.select();
}

const usable = (field) => !field.disabled && !field.readOnly && field.checkVisibility();

/** Adds up a hand. Once it is complete, opens the next hand; the last hand gets the remaining tiles. */
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

/** Disables fields that are not needed: for the player who is out, after side totals or after reaching the target. */
function leaveOut(form) {
  const out = form.elements.out?.value;
  const bad = [...form.querySelectorAll(".bads input")].some((input) => input.value);
  for (const row of form.querySelectorAll(".left-row")) {
    const digits = row.querySelector(".digits");
    if (digits) digits.disabled = bad || reached(form) || row.dataset.seat === out;
  }
  for (const number of form.querySelectorAll(".numbers [data-left]")) number.disabled = number.dataset.left === out;
}

// the fields to fill in after how the hand ended
const NEXT = ".lefts input:enabled, .bads input, .numbers [data-left]:enabled";

/** Whether the form still has to ask who played last. */
const asksLast = (form) =>
  form.elements.out?.value === "blocked" && Boolean(form.elements.last) && !form.elements.last.value;

const reached = (form) => Boolean(form.elements.out?.value.startsWith("reached"));

function complete(form) {
  const all = (selector) => {
    const inputs = [...form.querySelectorAll(selector)].filter((input) => !input.disabled);
    return inputs.length > 0 && inputs.every((input) => input.value !== "");
  };
  return (
    form.checkValidity() &&
    !asksLast(form) &&
    (reached(form) || all(".bads input") || all(".left-row .digits") || all(".numbers input"))
  );
}
