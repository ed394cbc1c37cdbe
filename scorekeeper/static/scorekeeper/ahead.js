// Keeps the pad going while the server is out of reach. Unsent entries are assumed to be valid, and the board's script
// works out what comes next. It only guesses the play: new points appear once the server has counted them.
import { BOARDS } from "./boards.js";
import { filled, made } from "./elements.js";
import { haltOf, unsentOf } from "./queue.js";
import { swap } from "./swap.js";

const FINGER = 500; // ms: a tap this soon after the page moved on by itself is the same tap

let drawn; // the last sheet that the server drew
let playing = ""; // the last form for entering moves, reused for the next hand
let ahead = false; // true while the page shows entries that the server does not have

export function keepWhatIsDrawn() {
  remember(sheetHere());
  document.addEventListener("news", ({ target }) => target.id === "sheet" && remember(target));
}

function remember(sheet) {
  if (!sheet || sheet.matches(".ahead")) return;
  const copy = sheet.cloneNode(true);
  delete copy.dataset.rests;
  drawn = copy.outerHTML;
  ahead = false;
  playing = sheet.querySelector("form.play")?.outerHTML ?? playing;
}

function sheetHere() {
  return document.querySelector("#sheet[data-part=pad]");
}

/** The number of the match on this page, as text; undefined on other pages. */
export const matchHere = () => matchIn(document.querySelector("#sheet[data-version]"));

export const matchIn = (sheet) => sheet?.dataset.version.match(/^(\d+):/)?.[1];

/** How many entries the match had when the server drew the sheet. */
export const lengthOf = (sheet) => Number(sheet?.dataset.version.match(/^\d+:(\d+)/)?.[1] ?? -1);

export const isAhead = () => ahead;

/** Whether the page shows something other than the server's last sheet. */
export const isBehind = () =>
  ahead || Boolean(drawn && !drawn.includes(` data-version="${sheetHere()?.dataset.version}"`));

/** The page as the server would send it, with the last sheet it drew. */
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

/** Whether the pad is blocked until the server answers. */
export const waits = () => Boolean(sheetHere()?.matches("[data-waits]"));

/** Frees the pad, because the server has answered. */
export const stopWaiting = () => sheetHere()?.removeAttribute("data-waits");

/** Stores a newer sheet without showing it, because there are unsent entries on the page. */
export function keepForLater(html) {
  const sheet = new DOMParser().parseFromString(html, "text/html").querySelector("#sheet[data-part=pad]");
  if (sheet) drawn = sheet.outerHTML;
  return Boolean(sheet);
}

/** Shows the server's sheet (`html`, or the last one) instead of the guess. Text typed into the guess is kept. */
export function showDrawn(html = drawn ?? "") {
  const typed = ahead ? [...sheetHere().querySelectorAll("input[id]")].map(({ id, value }) => [id, value]) : [];
  const parts = swap(html);
  for (const [id, value] of typed) {
    const field = document.getElementById(id);
    if (field && !field.value) field.value = value;
  }
  return parts;
}

/** The hand the server drew, then the hand after each unsent entry; null once only the server can tell. */
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

/** Reads an entry from the fields of its form. */
export function entryOf({ body }) {
  const fields = new URLSearchParams(body);
  if (fields.get("entry")) return JSON.parse(fields.get("entry"));
  return { kind: fields.get("form") };
}

/** Removes the refusal, because something else was entered instead. */
const forgive = () => swap('<div id="refusal"></div>');

/** Shows the sheet as it will be after the unsent entries. */
export function goOn() {
  const match = matchHere();
  const entries = unsentOf(match);
  if (!entries.length || haltOf(match) || !sheetHere()) return;
  forgive();
  const hand = hands(entries).at(-1);
  const sheet = hand && sheetAt(hand, entries);
  if (!sheet) return void sheetHere().setAttribute("data-waits", "");
  // On the same tray, the next tile may be tapped at once.
  swap(
    sheet.outerHTML,
    FINGER,
    sheetHere().querySelector("form.play") && sheet.querySelector("form.play") ? "here" : "",
  );
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
  // Players who lose track can still enter the final state of the hand.
  const final = form.matches(".play") && sheet.querySelector("#final");
  sheet.replaceChildren(
    score,
    form,
    ...(final ? [made("div", { className: "page narrow more-list" }, {}, final)] : []),
  );
  showSeats(score, hand);
  showNumber(score, begun(entries));
  const line = form.querySelector(".saying");
  if (line) {
    const turn = hand.seat === null ? "" : filled(hand.says[hand.due ?? "turn"], { player: hand.names[hand.seat] });
    line.replaceChildren(`${words}. `, made("b", { textContent: turn }));
  }
  for (const undo of form.querySelectorAll(`[name=entry][value='{"kind":"undo"}']`)) {
    undo.disabled = false;
    undo.classList.remove("hosts-only");
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

/** The form that asks how many pips each player has left. */
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

/** How many hands these entries started, without the ones that were undone. */
function begun(entries) {
  const undone = new Set(entries.map(({ undoes }) => undoes));
  return entries.filter((entry) => !entry.undoes && !undone.has(entry.key) && entryOf(entry).kind === "hand").length;
}

function showNumber(score, more) {
  const heading = score.querySelector(".kind .which-hand");
  if (heading) heading.textContent = heading.textContent.replace(/\d+/, (number) => Number(number) + more);
}

const says = (what) => document.getElementById("ahead-words").dataset[what];
