// Tricks. If a player leads a tile with two suits, it waits until they choose the suit.
import { filled, made } from "../elements.js";
import { rest } from "../swap.js";
import { ALL, drawnTile } from "../tiles.js";

export function listen() {
  document.addEventListener("click", (event) => {
    const tile = event.target.closest("button[data-suits]");
    if (tile) choose(tile, event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") letGo(document.querySelector("#sheet .suits"));
  });
  // In the capture phase, so that it runs before the pad checks whether the form is complete.
  document.addEventListener("input", ({ target }) => target.closest(".tricks-won") && tricksChosen(target), true);
}

function tricksChosen(box) {
  fillLast(box);
  sumUp(box.closest(".tricks-won"));
}

/** Shows how many of the tricks are entered so far, and marks an impossible number. */
function sumUp(all) {
  const taken = [...all.querySelectorAll(":checked")];
  const sum = taken.reduce((sum, { value }) => sum + Number(value), 0);
  const output = all.querySelector("output");
  output.value = output.dataset.text.replace("{sum}", sum);
  const whole = taken.length === all.querySelectorAll(".counts").length;
  output.classList.toggle("wrong", sum > all.dataset.sum || (whole && sum < all.dataset.sum));
}

/** When the tricks of all players but one are entered, gives that player the rest. */
function fillLast(box) {
  const all = box.closest(".tricks-won");
  box.closest(".counts").dataset.chosen = "";
  const open = all.querySelectorAll(".counts:not([data-chosen])");
  if (open.length !== 1) return;
  const sum = [...all.querySelectorAll("[data-chosen] :checked")].reduce((sum, { value }) => sum + Number(value), 0);
  for (const choice of open[0].querySelectorAll("input"))
    choice.checked = Number(choice.value) === all.dataset.sum - sum && !choice.disabled;
}

/** Plays the tile if there is no suit to choose; otherwise asks the player to tap a suit. */
function choose(tile, event) {
  const suits = tile.dataset.suits.split(" ").filter(Boolean);
  if (suits.length < 2) return;
  event.preventDefault();
  const bar = tile.form.querySelector(".suits");
  const again = tile.matches(".chosen");
  letGo(bar);
  if (again) return;
  tile.classList.add("chosen");
  tile.setAttribute("aria-pressed", "true");
  const entry = JSON.parse(tile.value);
  for (const button of bar.querySelectorAll("button")) {
    button.hidden = !suits.includes(button.dataset.suit);
    button.value = JSON.stringify({ ...entry, move: { ...entry.move, suit: Number(button.dataset.suit) } });
  }
  bar.hidden = false;
  bar.scrollIntoView({ block: "nearest" });
  rest(tile.form, () => tile, undefined, "here");
}

function letGo(bar) {
  if (!bar) return;
  for (const tile of bar.closest("form").querySelectorAll(".chosen")) {
    tile.classList.remove("chosen");
    tile.removeAttribute("aria-pressed");
  }
  bar.hidden = true;
}

// --- without the server -----------------------------------------------------------------------------------
// `hand` comes from `ahead` in pages/boards/tricks.py. The code below guesses the next step, never the score.
// Without knowing who must follow suit, it allows every tile that has not been played.

/** The deal after an entry; null if only the server can tell. */
export function after(hand, entry) {
  if (entry.kind === "hand" && !entry.final && hand.openers?.includes(entry.opener)) return dealt(hand, entry.opener);
  if (entry.kind !== "move" || hand.openers || hand.over) return null;
  return MOVED[entry.move.type]?.(hand, entry.move) ?? null;
}

const MOVED = { contract: called, discard: exchanged, play: played };

function called(hand, { seat, contract, trump }) {
  const value = trump === undefined ? contract : `${contract}-${trump}`;
  if (hand.called || seat !== hand.order[0] || !hand.left[seat].includes(contract) || !hand.calls[value]) return null;
  return onTurn({ ...hand, called: value, waiting: hand.order });
}

function exchanged(hand, { seat, count }) {
  if (!hand.waiting.includes(seat) || count > hand.most) return null;
  const waiting = hand.waiting.slice(hand.waiting.indexOf(seat) + 1);
  return onTurn({ ...hand, waiting, most: hand.most - count, exchanged: { ...hand.exchanged, [seat]: count } });
}

function played(hand, { seat, tile, suit }) {
  if (!hand.called || seat !== hand.player || !hand.unseen.includes(tile)) return null;
  const led = hand.table.length ? hand.led : (suit ?? suitsOf(hand, tile)[0]);
  const now = {
    ...hand,
    led,
    table: [...hand.table, { seat, tile }],
    unseen: hand.unseen.filter((other) => other !== tile),
    held: hand.held.map((count, other) => count - (other === seat)),
    waiting: [],
    player: (seat + 1) % hand.names.length,
  };
  return now.table.length < hand.names.length ? onTurn(now) : taken(now);
}

/** The highest trump wins; without trumps, the highest tile of the suit led. */
function taken(hand) {
  const strength = ({ tile }) => {
    const suits = suitsOf(hand, tile);
    const { trump } = hand.calls[hand.called];
    const suit = [trump, hand.led].find((each) => suits.includes(each));
    if (suit === undefined) return -1;
    const [high, low] = halves(tile);
    return (suit === trump ? 8 : 0) + (high === low ? 7 : high + low - suit);
  };
  const winner = hand.table.reduce((best, each) => (strength(each) > strength(best) ? each : best)).seat;
  const tricks = hand.tricks.map((won, seat) => won + (seat === winner));
  const now = {
    ...hand,
    table: [],
    led: null,
    taken: { led: hand.led, table: hand.table, winner },
    tricks,
    player: winner,
  };
  return hand.held.some(Boolean) ? onTurn(now) : ended(now);
}

function ended(hand) {
  const [caller] = hand.order;
  const { contract } = hand.calls[hand.called];
  const left = hand.left.map((names, seat) => names.filter((name) => seat !== caller || name !== contract));
  if (!hand.rest) return { ...hand, seat: null, over: { by: "played", seat: null } };
  return { ...hand, seat: null, left, openers: [caller] };
}

/** The deal rotates: the player who called deals next. */
function dealt(hand, opener) {
  const order = hand.names.map((_, seat) => (opener + 1 + seat) % hand.names.length);
  return onTurn({
    ...hand,
    opener,
    openers: null,
    rest: hand.rest - 1,
    order,
    called: null,
    waiting: [],
    most: hand.dealt,
    exchanged: {},
    player: order[0],
    led: null,
    table: [],
    taken: null,
    tricks: hand.names.map(() => 0),
    held: hand.names.map(() => hand.dealt),
    unseen: ALL,
  });
}

const onTurn = (hand) => ({ ...hand, seat: exchanging(hand) ? hand.waiting[0] : hand.player, due: `due-${due(hand)}` });

function due(hand) {
  if (!hand.called) return "contract";
  if (exchanging(hand)) return "exchange";
  if (hand.table.length) return "follow";
  return hand.taken ? "lead-on" : "lead";
}

const exchanging = (hand) => hand.waiting.length > 0 && hand.most > 0;

const halves = (tile) => [Number(tile[0]), Number(tile[2])];

function suitsOf(hand, tile) {
  const { special } = hand.calls[hand.called];
  const both = [...new Set(halves(tile))];
  return both.includes(special) ? [special] : both;
}

/** Updates the server's form to match the deal: possible calls, exchanges and plays, and the current trick. */
export function show(form, hand) {
  form.querySelector(".calls").hidden = Boolean(hand.called);
  form.querySelector(".exchanges").hidden = !hand.called || !exchanging(hand);
  form.querySelector(".tray").hidden = !hand.called;
  showCalls(form, hand);
  for (const [at, row] of form.querySelectorAll(".exchange").entries()) showExchange(row, hand, hand.order[at]);
  for (const box of form.querySelectorAll(".tiles > [data-tile]")) box.replaceWith(tilePlace(box.dataset.tile, hand));
  showTrick(form, hand);
}

function showCalls(form, hand) {
  const seat = hand.order[0];
  for (const button of form.querySelectorAll("[data-call]")) {
    const { contract, trump } = hand.calls[button.dataset.call];
    const open = hand.left[seat].includes(contract);
    button.value = entryOf({ seat, type: "contract", contract, ...(trump !== null && { trump }) });
    button.disabled = !open;
    button.closest(".call").classList.toggle("used", !open);
  }
}

function showExchange(row, hand, seat) {
  const waits = hand.waiting.includes(seat);
  row.dataset.seat = seat;
  row.querySelector("bdi").textContent = hand.names[seat];
  row.querySelector(".state").textContent = waits
    ? hand.says.exchanges
    : filled(hand.says.exchanged, { n: hand.exchanged[seat] ?? 0 });
  const counts = row.querySelector(".counts");
  counts.hidden = !waits;
  const buttons = Array.from({ length: hand.most + 1 }, (_, count) => {
    const value = entryOf({ seat, type: "discard", count });
    const button = made("button", { className: "button quiet", name: "entry", value, textContent: count });
    button.setAttribute("aria-label", filled(hand.says.exchange, { player: hand.names[seat], n: count }));
    return button;
  });
  counts.replaceChildren(...buttons);
}

function tilePlace(tile, hand) {
  if (!hand.unseen.includes(tile)) return made("span", { className: "gone" }, { tile });
  const suits = hand.called && !hand.table.length ? suitsOf(hand, tile) : [];
  const value = entryOf({ seat: hand.player, type: "play", tile });
  const data = { tile, suits: suits.length > 1 ? suits.join(" ") : "" };
  const button = made("button", { name: "entry", value, className: "lit", ariaLabel: tile }, data);
  button.append(drawnTile(tile));
  return button;
}

function showTrick(form, hand) {
  const { trump, contract, quotas } = hand.calls[hand.called] ?? {};
  const lies = hand.table.length || !hand.taken ? hand : hand.taken;
  const line = form.querySelector(".trick .called");
  line.hidden = !hand.called;
  line.querySelector("b").textContent = hand.says.contracts[contract] ?? "";
  showHalf(form, line.querySelector(".trumps"), trump);
  showHalf(form, line.querySelector(".led"), lies.led);
  const seats = form.querySelector(".trick-seats");
  seats.classList.toggle("bare", !hand.called || (exchanging(hand) && !lies.table.length));
  [...seats.children].forEach((box, seat) => {
    const tile = lies.table.find((each) => each.seat === seat)?.tile;
    box.classList.toggle("won", lies.winner === seat);
    box.classList.toggle("leads", lies.table[0]?.seat === seat);
    box
      .querySelector(".slot")
      .replaceChildren(...(tile ? [drawnTile(tile), made("span", { className: "hear", textContent: tile })] : []));
    const role = hand.order.indexOf(seat);
    box.querySelector("small").textContent = hand.says.roles[role];
    const won = made("b", { textContent: hand.tricks[seat] });
    box
      .querySelector(".tally")
      .replaceChildren(...(quotas ? [won, ` ${filled(hand.says.of, { quota: quotas[role] })}`] : []));
  });
}

/** The drawing of a number on a tile, copied from the buttons for the suits. */
function showHalf(form, box, number) {
  box.hidden = number === null || number === undefined;
  if (!box.hidden)
    box.querySelector(".pip").replaceWith(form.querySelector(`[data-suit="${number}"] .pip`).cloneNode(true));
}

const entryOf = (move) => JSON.stringify({ kind: "move", move });
