// The pad goes on while the server cannot be reached: what was entered is taken as it stands, and the board's own
// script says what comes next. It is a guess of the play alone: points are shown again when the server has counted.
import { BOARDS } from "./boards.js";
import { filled, made } from "./elements.js";
import { haltOf, unsentOf } from "./queue.js";
import { swap } from "./swap.js";

const FINGER = 500; // ms in which a second tap is the same tap: the page has just gone on by itself

let drawn; // the sheet as the server drew it last
let playing = ""; // the form by which moves were entered last, for the next hand
let ahead = false; // whether the page shows more than the server knows

export function keepWhatIsDrawn() {
  remember(sheetHere());
  document.addEventListener("news", ({ target }) => target.id === "sheet" && remember(target));
}

function remember(sheet) {
  if (!sheet || sheet.matches(".ahead")) return;
  const copy = sheet.cloneNode(true);
  copy.inert = false;
  drawn = copy.outerHTML;
  ahead = false;
  playing = sheet.querySelector("form.play")?.outerHTML ?? playing;
}

function sheetHere() {
  return document.querySelector("#sheet[data-part=pad]");
}

/** The match whose sheet this page shows, as text; none elsewhere. */
export const matchHere = () => document.querySelector("#sheet[data-version]")?.dataset.version.match(/^(\d+):/)?.[1];

/** How many entries of it the server had when it drew the sheet. */
export const lengthOf = (sheet) => Number(sheet?.dataset.version.match(/^\d+:(\d+)/)?.[1] ?? -1);

export const isAhead = () => ahead;

/** Whether another sheet than the one shown is what the server drew last. */
export const isBehind = () =>
  ahead || Boolean(drawn && !drawn.includes(` data-version="${sheetHere()?.dataset.version}"`));

/** The page as the server would give it, with the newest sheet it drew. */
export function pageAsDrawn() {
  const page = document.documentElement.cloneNode(true);
  page.querySelector("#unsent").hidden = true;
  page.querySelector("#unsent [data-shown]").replaceChildren();
  const refusal = page.querySelector("#refusal");
  refusal?.replaceChildren();
  if (refusal) page.querySelector("#sheet").before(refusal);
  page.querySelector("#sheet").outerHTML = drawn;
  return `<!doctype html>${page.outerHTML}`;
}

/** Whether nothing can be entered before the server has answered. */
export const waits = () => Boolean(sheetHere()?.matches("[data-waits]"));

/** A newer sheet, not to be shown over what is not sent yet. */
export function keepForLater(html) {
  const sheet = new DOMParser().parseFromString(html, "text/html").querySelector("#sheet[data-part=pad]");
  if (sheet) drawn = sheet.outerHTML;
  return Boolean(sheet);
}

/** The sheet as the server drew it, last or in `html`, in the place of what is ahead of it; what is typed there stays. */
export function showDrawn(html = drawn ?? "") {
  const typed = ahead ? [...sheetHere().querySelectorAll("input[id]")].map(({ id, value }) => [id, value]) : [];
  const parts = swap(html);
  for (const [id, value] of typed) {
    const field = document.getElementById(id);
    if (field && !field.value) field.value = value;
  }
  return parts;
}

/** The hands after each unsent entry, the one that the server drew first; null from where only the server can say. */
export function hands(entries) {
  const sheet = new DOMParser().parseFromString(drawn ?? "", "text/html").querySelector("#sheet");
  const known = sheet?.dataset.hand && (!entries.length || lengthOf(sheet) === entries[0].seen);
  const board = known && BOARDS[sheet.dataset.board];
  const stack = [board?.after ? JSON.parse(sheet.dataset.hand) : null];
  const before = new Map();
  for (const each of entries) {
    const hand = stack.at(-1);
    before.set(each.key, hand);
    stack.push((each.undoes ? before.get(each.undoes) : hand && board.after(hand, entryOf(each))) || null);
  }
  return stack;
}

/** What an entry is, from the fields of its form. */
export function entryOf({ body }) {
  const fields = new URLSearchParams(body);
  if (fields.get("entry")) return JSON.parse(fields.get("entry"));
  return { kind: fields.get("form") };
}

/** What was refused is said no more: something else was entered in its place. */
const forgive = () => swap('<div id="refusal"></div>');

/** Brings the page to where the unsent entries lead. */
export function goOn() {
  const match = matchHere();
  const entries = unsentOf(match);
  if (!entries.length || haltOf(match) || !sheetHere()) return;
  forgive();
  const hand = hands(entries).at(-1);
  const sheet = hand && sheetAt(hand, entries);
  if (!sheet) return void sheetHere().setAttribute("data-waits", "");
  swap(sheet.outerHTML, FINGER);
  ahead = true;
}

function sheetAt(hand, entries) {
  const sheet = new DOMParser().parseFromString(drawn, "text/html").getElementById("sheet");
  const form = hand.over ? leftForm(hand) : hand.openers ? handForm(hand) : playForm(sheet, hand);
  if (!form) return null;
  const { words } = entries.at(-1);
  sheet.classList.add("ahead");
  sheet.dataset.say = words;
  const score = sheet.querySelector(".score");
  // Who loses track tells the hand by its final state, here as well.
  const final = form.matches(".play") && sheet.querySelector("#final");
  sheet.replaceChildren(
    score,
    form,
    ...(final ? [made("div", { className: "page narrow more-list" }, {}, final)] : []),
  );
  showSeats(score, hand);
  showNumber(score, begun(entries));
  const said = form.querySelector(".saying");
  if (said) {
    const turn = hand.seat === null ? "" : filled(hand.says[hand.due ?? "turn"], { player: hand.names[hand.seat] });
    said.replaceChildren(`${words}. `, made("b", { textContent: turn }));
  }
  for (const undo of form.querySelectorAll(`[name=entry][value='{"kind":"undo"}']`)) {
    undo.disabled = false;
    undo.textContent = says("undo");
  }
  return sheet;
}

function playForm(sheet, hand) {
  const form =
    sheet.querySelector("form.play") ?? new DOMParser().parseFromString(playing, "text/html").querySelector("form");
  if (form) BOARDS[sheet.dataset.board].show(form, hand);
  return form;
}

/** What each hand has left, asked by pips alone. */
function leftForm(hand) {
  if (!["out", "blocked"].includes(hand.over.by)) return null;
  const form = part("ahead-left");
  const out = form.querySelector("[data-out]");
  if (hand.over.by === "out") out.textContent = filled(out.dataset.out, { player: hand.names[hand.over.seat] });
  const rows = form.querySelector(".left-rows");
  const [row] = rows.children;
  rows.replaceChildren(
    ...hand.names.flatMap((name, seat) => {
      if (!hand.held[seat]) return [];
      const each = row.cloneNode(true);
      each.querySelector("b").textContent = name;
      each.querySelector("label").htmlFor = `left-${seat}`;
      Object.assign(each.querySelector("input"), { id: `left-${seat}`, name: `left-${seat}` });
      return [each];
    }),
  );
  return form;
}

function handForm(hand) {
  const form = part("ahead-hand");
  const [button] = form.querySelectorAll("[data-opener]");
  const alone = hand.openers.length === 1;
  form.querySelector(".ask").textContent = alone
    ? filled(hand.says.opens, { player: hand.names[hand.openers[0]] })
    : hand.says.who;
  const buttons = hand.openers.map((seat) => {
    const each = button.cloneNode(true);
    each.value = JSON.stringify({ kind: "hand", opener: seat });
    each.textContent = alone ? hand.says.begin : hand.names[seat];
    return each;
  });
  button.replaceWith(...buttons);
  return form;
}

function part(id) {
  const form = document.getElementById(id).content.firstElementChild.cloneNode(true);
  const entries = form.matches("form") ? [form] : form.querySelectorAll("form");
  for (const each of entries) each.action = `/matches/${matchHere()}/entries/`;
  return form;
}

function showSeats(score, hand) {
  score.querySelectorAll(".seats > li").forEach((seat, number) => {
    seat.classList.toggle("turn", number === hand.seat);
    seat.toggleAttribute("aria-current", number === hand.seat);
    const held = seat.querySelector(".held")?.firstChild;
    if (held && hand.held) held.data = hand.held[number];
  });
  const unit = score.querySelector(".kind > :last-child");
  if (unit) unit.textContent = says("uncounted");
}

/** How many hands were begun by these entries and not taken back. */
function begun(entries) {
  const undone = new Set(entries.map(({ undoes }) => undoes));
  return entries.filter((entry) => !entry.undoes && !undone.has(entry.key) && entryOf(entry).kind === "hand").length;
}

function showNumber(score, more) {
  const place = score.querySelector(".kind .which-hand");
  if (place) place.textContent = place.textContent.replace(/\d+/, (number) => Number(number) + more);
}

const says = (what) => document.getElementById("ahead-words").dataset[what];
