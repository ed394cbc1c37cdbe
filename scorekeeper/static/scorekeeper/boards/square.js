// The square of cards. The player taps a cell and a card, in either order, sees the score and confirms it.

import { filled, made } from "../elements.js";
import { preview } from "../preview.js";
import { rest } from "../swap.js";

const PAD = 'form[data-board="square"]:not(.practice)';
const RANKS = "A23456789TJQK";
const SUITS = "SHCD";
const CORNERS = ["r1c1", "r1c4", "r4c1", "r4c4"];
const CELLS = 16;

export function listen() {
  listenOnTheHand();
  openSuit(document.querySelector(`${PAD} a[data-card].chosen`)?.dataset.card[1] ?? SUITS[0]);
  document.addEventListener("news", () => openSuit(document.documentElement.dataset.suit));
  document.addEventListener("click", ({ target }) => {
    const tab = target.closest(`${PAD} [data-suit]`);
    if (tab) openSuit(tab.dataset.suit);
  });
  document.addEventListener("click", (event) => {
    const tapped = event.target.closest(`${PAD} :is(a[data-cell], a[data-card], a.another)`);
    if (!tapped || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const form = tapped.closest("form");
    if (tapped.dataset.refused) return refuse(form, tapped);
    if (tapped.matches(".another")) choose(form, chosen(form, "card"), false);
    else choose(form, tapped, !tapped.matches(".chosen"));
    turn(form);
  });
  document.addEventListener("keydown", (event) => {
    const form = document.querySelector(PAD);
    if (event.key !== "Escape" || !form) return;
    for (const kind of ["card", "cell"]) choose(form, chosen(form, kind), false);
    turn(form);
  });
}

/** At the practice table: a card of the hand waits for its cell, and each cell says what it would score there. */
function listenOnTheHand() {
  document.addEventListener("click", (event) => {
    const card = event.target.closest("a[data-hand-card]");
    if (!card || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    hold(card.closest("form"), card.matches(".chosen") ? null : card);
  });
  document.addEventListener("keydown", ({ key }) => {
    const card = key === "Escape" && document.querySelector("a[data-hand-card].chosen");
    if (card) hold(card.closest("form"), null);
  });
}

/** Chooses this card of the hand; null puts it back. */
function hold(form, card) {
  for (const each of form.querySelectorAll("a[data-hand-card]")) mark(each, each === card);
  const { handCard, worth } = card?.dataset ?? {};
  const worths = JSON.parse(worth ?? "{}");
  const seat = Number(form.querySelector("[data-seat]").dataset.seat);
  for (const cell of form.querySelectorAll("button[data-at]")) {
    const { at } = cell.dataset;
    cell.disabled = !card;
    cell.classList.toggle("lit", Boolean(card));
    cell.value = card ? JSON.stringify({ kind: "move", move: { seat, type: "place", card: handCard, at } }) : "";
    cell.querySelector(".worth").textContent = worths[at] ?? "";
  }
  if (card) rest(form, undefined, undefined, "here");
}

/** Shows the cards of one suit, also on later sheets, until the player taps another suit. */
function openSuit(suit) {
  document.documentElement.dataset.suit = suit;
  for (const tab of document.querySelectorAll(`${PAD} [data-suit]`))
    tab.setAttribute("aria-pressed", tab.dataset.suit === suit);
}

/** Says at once why a cell cannot take a card. */
function refuse(form, cell) {
  choose(form, chosen(form, "cell"), false);
  turn(form);
  acquit(form);
  cell.classList.add("blamed");
  form.querySelector(".why").textContent = cell.dataset.refused;
}

const chosen = (form, kind) => form.querySelector(`a[data-${kind}].chosen`);

/** Chooses this cell or card instead of the previous one, or clears the choice. */
function choose(form, tapped, take) {
  if (!tapped) return;
  const before = chosen(form, tapped.dataset.cell ? "cell" : "card");
  for (const each of [before, tapped]) mark(each, take && each === tapped);
}

function mark(each, on) {
  each?.classList.toggle("chosen", on);
  each?.classList.remove("blamed");
  if (on) each.setAttribute("aria-current", "true");
  else each?.removeAttribute("aria-current");
}

/** Updates the pad for the current choice: puts the card in its cell and shows its score instead of the tray. */
function turn(form) {
  const cell = chosen(form, "cell");
  const card = chosen(form, "card");
  form.querySelector(".ghost")?.remove();
  if (cell && card && !cell.querySelector("svg")) {
    cell.append(card.querySelector("svg").cloneNode(true));
    cell.lastChild.classList.add("ghost");
  }
  if (cell) acquit(form);
  const words = form.querySelector(".choosing-what b");
  words.textContent = words.dataset[cell ? "cell" : card ? "card" : "none"];
  form.querySelector("#preview-move").replaceChildren();
  form.querySelector(".no-answer").hidden = true;
  layOut(form, Boolean(cell && card));
  if (!cell || !card) return;
  rest(form);
  ask(form);
}

/** Clears the refusal, because the player chose another cell. */
function acquit(form) {
  form.querySelector(".why").textContent = "";
  for (const blamed of form.querySelectorAll(".cell.blamed")) blamed.classList.remove("blamed");
}

function layOut(form, asking) {
  for (const choosing of [".choosing-what", ".deck", ".thumb"]) form.querySelector(choosing).hidden = asking;
  form.querySelector(".telling").hidden = !asking;
  form.querySelector(".another").hidden = false;
}

function entryOf(form) {
  const at = chosen(form, "cell")?.dataset.cell;
  const card = chosen(form, "card")?.dataset.card;
  if (!at || !card) return "";
  return JSON.stringify({
    kind: "move",
    move: { seat: Number(form.querySelector(".deck").dataset.seat), type: "place", card, at },
  });
}

let asking = false;

/** Asks the server for the score of the choice. If the choice changes before the answer, asks again. */
async function ask(form) {
  if (asking) return;
  asking = true;
  let entry, answered;
  do {
    const button = form.querySelector("[data-count]");
    button.value = entry = entryOf(form);
    answered = await preview(form, "sheet", button);
  } while (form.isConnected && entryOf(form) && entryOf(form) !== entry);
  asking = false;
  if (!form.isConnected || !entryOf(form)) return;
  form.querySelector(".no-answer").hidden = answered;
  rest(form.querySelector(".telling"));
  // The refusal is shown above; the tray comes back for another choice.
  if (answered && !form.querySelector("#preview-move button")) layOut(form, false);
}

// --- without the server -----------------------------------------------------------------------------------
// `hand` comes from `ahead` in pages/boards/square.py. The code below guesses the next step, never the score.

/** The hand after an entry; null if only the server can tell. */
export function after(hand, entry) {
  if (entry.kind === "move" && entry.move.seat === hand.seat) return placed(hand, entry.move);
  if (entry.kind === "hand" && !entry.final && hand.openers?.includes(entry.opener)) return dealt(hand, entry.opener);
  return null;
}

function placed(hand, { seat, card, at }) {
  if (!open(hand).includes(at) || !playable(hand).includes(card)) return null;
  const now = {
    ...hand,
    square: { ...hand.square, [at]: card },
    held: hand.held.map((count, other) => count - (other === seat)),
    last: at,
  };
  if (Object.keys(now.square).length < CELLS) return { ...now, seat: 1 - seat };
  return { ...now, seat: null, ...(hand.rest ? { openers: [1 - hand.opener] } : { over: { by: "played", seat } }) };
}

function dealt(hand, opener) {
  const held = hand.names.map(() => CELLS / hand.names.length);
  return {
    ...hand,
    square: {},
    last: null,
    opener,
    openers: null,
    seat: 1 - opener,
    held,
    deals: [null, null],
    rest: hand.rest - 1,
  };
}

function open(hand) {
  if (!Object.keys(hand.square).length) return CORNERS;
  return [1, 2, 3, 4]
    .flatMap((row) => [1, 2, 3, 4].map((column) => `r${row}c${column}`))
    .filter((at) => !hand.square[at]);
}

/** The cards the current player may hold: the cards dealt to them, or every card not dealt to the other player. */
function playable(hand) {
  const placed = Object.values(hand.square);
  const [mine, other] = [hand.deals[hand.seat], hand.deals[1 - hand.seat]];
  const all =
    mine ??
    [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)).filter((card) => !other?.includes(card));
  return all.filter((card) => !placed.includes(card));
}

/** Updates the server's form to match the hand: cards on the square, cards in the tray and open cells. */
export function show(form, hand) {
  const drawn = new Map(
    [...form.querySelectorAll("svg[data-card]")].map((svg) => [svg.dataset.card, svg.cloneNode(true)]),
  );
  for (const margin of form.querySelectorAll(".margin")) margin.remove();
  form.querySelector(".deck").dataset.seat = hand.seat;
  showAsking(form.querySelector(".choosing-what b"), hand);
  const free = open(hand);
  for (const cell of form.querySelectorAll("a[data-cell]")) {
    const card = hand.square[cell.dataset.cell];
    cell.replaceChildren(...(card ? [drawn.get(card).cloneNode(true)] : []));
    cell.className = [
      "cell",
      card && "taken",
      free.includes(cell.dataset.cell) && "lit",
      cell.dataset.cell === hand.last && "last",
    ]
      .filter(Boolean)
      .join(" ");
    cell.setAttribute("aria-label", cell.dataset.where + (card ? `: ${hand.says.spoken[card]}` : ""));
    if (card) cell.dataset.refused = taken(hand, cell.dataset.cell);
    else delete cell.dataset.refused;
  }
  const lit = playable(hand);
  const gone = Object.values(hand.square);
  form.querySelectorAll(".suit-row").forEach((row, suit) => {
    row.replaceChildren(...[...RANKS].map((rank) => cardPlace(rank + SUITS[suit], hand, drawn, lit, gone)));
  });
  turn(form);
}

/** Asks the current player for whatever is not chosen yet. */
function showAsking(words, { square, says, names, seat }) {
  const asks = Object.keys(square).length ? says.asks : says.corner;
  for (const [chosen, sentence] of Object.entries(asks))
    words.dataset[chosen] = filled(sentence, { player: names[seat] });
}

function cardPlace(card, hand, drawn, lit, gone) {
  if (gone.includes(card)) return made("span", { className: "gone" });
  const link = made("a", { href: `?card=${card}`, className: lit.includes(card) ? "lit" : "" }, { card });
  link.setAttribute("aria-label", hand.says.spoken[card]);
  link.append(drawn.get(card).cloneNode(true));
  return link;
}

function taken({ square, says }, at) {
  const words = { card: says.spoken[square[at]], row: at[1], column: at[3] };
  return filled(says.taken, words);
}
