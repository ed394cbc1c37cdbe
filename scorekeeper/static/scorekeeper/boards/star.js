// The star of tiles: dice, claims and cards. The form asks step by step for what an entry still needs. A button named
// "ask" carries the answers so far; without scripts, the address of the page carries them.
import { cardButtons } from "../cards.js";
import { filled, made } from "../elements.js";
import { rest } from "../swap.js";

const board = (inside) => inside.closest('form[data-board="star"]');

export function listen() {
  document.addEventListener("news", ({ target }) => target.id === "sheet" && reach(target));
  reach(document);
  document.addEventListener("click", (event) => {
    const button = event.target.closest('button[name="ask"]');
    const form = button && board(button);
    if (!form) return;
    event.preventDefault();
    const again = button.matches(".chosen");
    const answers = new URLSearchParams(again ? "" : button.value);
    ask(form, answers);
    if (!answers.has("number")) rest(form, () => form.querySelector(".claims:not([hidden])") ?? button);
    if (!button.checkVisibility())
      form.querySelector(".rolling:not([hidden]) [data-face]")?.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    const form = document.querySelector('form[data-board="star"]:has(.claims)');
    if (event.key === "Escape" && form && !form.querySelector("[data-roll]:not([hidden])"))
      ask(form, new URLSearchParams());
  });
}

/** Shows the next question after the answers in `answers`: dice, end, claim or card to drop. Otherwise shows the tiles. */
function ask(form, answers) {
  if (answers.has("number")) return askRoll(form, Number(answers.get("number")), answers.get("dice") ?? "");
  const tile = form.querySelector(`button[data-tile="${CSS.escape(answers.get("tile") ?? "")}"]`);
  const made = tile ? JSON.parse(tile.dataset.made) : [];
  const at = made.length === 1 ? made[0] : made.find((each) => each.end === answers.get("end"));
  for (const each of form.querySelectorAll(".tiles button")) choose(each, each === tile && !at);
  askEnd(form, at ? [] : made);
  askClaim(form, at, answers.get("by") === "virtual");
}

/** Scrolls dice or tiles out from under the bottom bar, unless somebody is typing. */
function reach(inside) {
  const form = inside.querySelector('form[data-board="star"]:has(.thumb)');
  const taps = [...(form?.querySelectorAll(".faces, .tiles") ?? [])].find((each) => each.checkVisibility());
  if (!taps || document.activeElement?.matches("input")) return;
  const { top } = form.querySelector(".thumb").getBoundingClientRect();
  if (taps.getBoundingClientRect().bottom > top) taps.scrollIntoView({ block: "nearest" });
}

function choose(tile, chosen) {
  tile.classList.toggle("chosen", chosen);
  tile.toggleAttribute("aria-pressed", chosen);
  if (chosen) tile.setAttribute("aria-pressed", "true");
}

const claimable = ({ cards, multiple, virtual }) => cards.length > 0 || multiple || virtual;

const json = (form, move) => JSON.stringify({ kind: "move", move: { seat: seatOf(form), ...move } });

const seatOf = (form) => Number(form.querySelector("[data-seat-on-turn]").dataset.seatOnTurn);

const play = ({ tile, end }, claim) => ({ type: "play", tile, ...(end && { end }), ...(claim && { claim }) });

/** What a button sends for a play at one of these ends: the entry, or the question about the claim. */
function put(form, button, made) {
  const asks = claimable(made);
  button.name = asks ? "ask" : "entry";
  button.value = asks
    ? new URLSearchParams({ tile: made.tile, ...(made.end && { end: made.end }) })
    : json(form, play(made));
}

// --- the end --------------------------------------------------------------------------------------------------------
function askEnd(form, made) {
  const bar = form.querySelector(".ends");
  for (const button of bar.querySelectorAll("[data-at]")) {
    const here = made.find(({ end }) => end === button.dataset.at);
    button.hidden = !here;
    if (here) put(form, button, here);
    if (here) button.querySelector("[data-makes]").textContent = here.total;
    light(
      form.querySelector(`.ground:not(.broad) .line [data-end="${button.dataset.at}"]`),
      here && button.textContent.trim(),
    );
  }
  bar.hidden = !made.length;
  if (made.length) bar.scrollIntoView({ block: "nearest" });
}

function light(element, words) {
  if (!element) return;
  element.classList.toggle("lit", Boolean(words));
  for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": words })) {
    if (words) element.setAttribute(name, value);
    else element.removeAttribute(name);
  }
}

// --- claims ---------------------------------------------------------------------------------------------------------
function askClaim(form, made, dropping) {
  const panel = form.querySelector(".claims");
  const asked = Boolean(made);
  panel.hidden = !asked;
  form.querySelector(".tray").hidden = asked;
  const lacking = form.querySelector("[data-lacking]");
  if (lacking) lacking.hidden = asked || !form.querySelector(".ends [data-at]");
  if (!asked) return;
  panel.toggleAttribute("data-dropping", dropping);
  const picture = form.querySelector(`button[data-tile="${made.tile}"] svg`).cloneNode(true);
  const letter = form.querySelector(`.ends [data-at="${made.end}"] [aria-hidden]`)?.cloneNode(true) ?? "";
  panel.querySelector(".laying").replaceChildren(picture, letter);
  panel.querySelector("[data-claim-total]").textContent = made.total;
  const offered = dropping ? panel.dataset.droppable.split(" ") : made.cards;
  const cards = cardButtons(offered.filter(Boolean), { name: "entry" });
  for (const card of cards) {
    const name = card.dataset.card;
    card.value = json(form, play(made, dropping ? { by: "virtual", drop: name } : { by: "card", card: name }));
  }
  panel.querySelector(".pack").replaceChildren(...cards);
  const offer = (by, offered, value) => {
    const button = panel.querySelector(`[data-claim="${by}"]`);
    Object.assign(button, { hidden: !offered, value });
  };
  offer("multiple", made.multiple, json(form, play(made, { by: "multiple" })));
  const so = { tile: made.tile, ...(made.end && { end: made.end }), by: "virtual" };
  offer("virtual", made.virtual && !dropping, new URLSearchParams(so));
  offer("none", true, json(form, play(made)));
  panel.scrollIntoView({ block: "nearest" });
}

// --- dice -----------------------------------------------------------------------------------------------------------
function askRoll(form, number, dice) {
  const faces = [...form.querySelectorAll("[data-face]")];
  for (const each of form.querySelectorAll("[data-number]")) {
    each.toggleAttribute("aria-pressed", Number(each.dataset.number) === number);
    if (each.hasAttribute("aria-pressed")) each.setAttribute("aria-pressed", "true");
  }
  const asking = (chosen) => new URLSearchParams({ number, ...(chosen && { dice: chosen }) });
  const element = form.querySelector(".slots");
  const slots = Array.from({ length: number }, (_none, at) => {
    const face = faces.find(({ dataset }) => dataset.face === dice[at]);
    const slot = made(face ? "button" : "span", { className: "slot" });
    if (!face) return slot;
    slot.append(face.querySelector("svg").cloneNode(true));
    slot.setAttribute("aria-label", element.dataset.off.replace("{n}", dice[at]));
    return Object.assign(slot, { name: "ask", value: asking(dice.slice(0, at) + dice.slice(at + 1)) });
  });
  element.replaceChildren(...slots);
  showUndo(form, dice && asking(dice.slice(0, -1)));
  const phone = form.querySelector("[data-roll]");
  phone.value = phone.name === "roll" ? number : json(form, { type: "roll", dice: thrown(number) });
  for (const button of faces) {
    const rolled = dice + button.dataset.face;
    const whole = rolled.length === number;
    button.name = whole ? "entry" : "ask";
    button.value = whole ? json(form, { type: "roll", dice: [...rolled].map(Number) }) : asking(rolled);
  }
}

/** Undo removes the last die while dice are being tapped; otherwise it undoes the last entry. */
function showUndo(form, without) {
  const [die, entry] = ["untap", "undo"].map((each) => form.querySelector(`[data-${each}]`));
  if (!without && !die.hidden) rest(entry);
  die.value = without;
  die.hidden = !without;
  entry.hidden = !die.hidden;
}

/** Rolls fair dice: each face gets 42 of the first 252 values of a byte; the last four are rolled again. */
function thrown(number) {
  const faces = [];
  while (faces.length < number) {
    const [value] = crypto.getRandomValues(new Uint8Array(1));
    if (value < 252) faces.push((value % 6) + 1);
  }
  return faces;
}

// --- without the server: guesses the next step, never the score ------------------------------------------------------
const ENDS = ["w", "e", "n", "s"];
const SHORT = ["n", "s"]; // the sides of the first double that count until a tile is played on them
const RANKS = { 1: "A", 10: "T", 11: "J", 12: "Q", 13: "K", 14: "A" };

/** The hand after an entry; null if only the server can tell. */
export function after(hand, { kind, move }) {
  if (kind !== "move" || move.seat !== hand.seat) return null;
  const seats = hand.names.length;
  const dice = hand.turns > 1 ? hand.dice : [];
  const next = { ...hand, seat: (hand.seat + 1) % seats, dice, turns: hand.turns - 1, passes: 0 };
  const held = (change) => hand.held.map((number, seat) => number + (seat === hand.seat ? change : 0));
  if (move.type === "roll") return { ...hand, dice: move.dice, turns: seats + 1 };
  if (move.type === "draw") return { ...hand, boneyard: hand.boneyard - move.count, held: held(move.count), passes: 0 };
  if (move.type === "pass") return hand.passes + 1 < seats ? { ...next, passes: hand.passes + 1 } : null;
  if (move.type !== "play" || !madeOf(hand, move.tile).some(({ end }) => !move.end || end === move.end)) return null;
  const cards = without(hand, move.claim?.card ?? move.claim?.drop);
  if (held(-1).includes(0) || cards.some((each) => !each.held)) return null; // the hand is over: the server counts it
  const laid = lay(hand, move);
  const unseen = hand.unseen.filter((tile) => tile !== move.tile);
  return { ...next, ...laid, held: held(-1), cards, unseen, laid: [...hand.laid, { tile: move.tile, end: move.end }] };
}

/** The cards of all seats after the current player drops this one. */
function without(hand, card) {
  return hand.cards.map(({ held, droppable }, seat) => ({
    held: held - (card && seat === hand.seat ? 1 : 0),
    droppable: droppable.filter((each) => each !== card),
  }));
}

const halves = (tile) => [Number(tile[0]), Number(tile[2])];

const shownAt = (hand, end) => hand.arms[end]?.[1] ?? halves(hand.first)[0];

const fitting = (hand, tile) => (hand.first ? ENDS.filter((end) => halves(tile).includes(shownAt(hand, end))) : []);

function lay(hand, { tile, end }) {
  if (!hand.first) return { first: tile };
  const at = end ?? fitting(hand, tile)[0];
  const inner = shownAt(hand, at);
  const [high, low] = halves(tile);
  return { arms: { ...hand.arms, [at]: [inner, high === inner ? low : high] } };
}

function totalOf({ first, arms }) {
  const open = SHORT.filter((end) => !arms[end]).length * halves(first)[0];
  return Object.values(arms).reduce((sum, [inner, outer]) => sum + outer * (inner === outer ? 2 : 1), open);
}

/** The result of the tile at every end it fits, in the format of the server's data-made. */
function madeOf(hand, tile) {
  const [high, low] = halves(tile);
  const ends = hand.first ? fitting(hand, tile) : high === low ? [null] : [];
  return ends.map((end) => {
    const total = totalOf({ ...hand, ...lay(hand, { tile, end }) });
    const sum = hand.dice.reduce((all, die) => all + die, 0);
    const { droppable } = hand.cards[hand.seat];
    const rank = RANKS[total] ?? String(total);
    return {
      tile,
      end,
      total,
      cards: droppable.filter((card) => card[0] === rank && rank.length === 1),
      multiple: hand.dice.length === 2 && total > 0 && total % sum === 0,
      virtual: hand.dice.length === 4 && total === sum && droppable.length > 0,
    };
  });
}

/** Updates the server's form to match the hand: turn, dice, tiles, totals and claims. */
export function show(form, hand) {
  const due = !hand.turns;
  form.querySelector("[data-seat-on-turn]").dataset.seatOnTurn = hand.seat;
  form.querySelector(".rolling").hidden = !due;
  showEnds(form, hand);
  for (const element of form.querySelectorAll(".tiles > *")) showTile(form, element, hand);
  ask(form, new URLSearchParams());
  form.querySelector(".tray").hidden = due;
  showLacking(form.querySelector("[data-lacking]"), hand, due);
  showRoll(form, hand, due);
  showInForce(form.querySelector(".in-force"), form, hand);
  showClaims(form.querySelector(".claims"), hand);
  showLaid(form.querySelector(".ground"), form, hand);
}

const player = (hand) => ({ player: hand.names[hand.seat] });

function showTile(form, element, hand) {
  const tile = element.dataset.tile;
  if (!tile) return;
  if (!hand.unseen.includes(tile)) return element.classList.add("played");
  const made = madeOf(hand, tile);
  element.disabled = !made.length; // offline, nothing could explain why the tile cannot be played
  const total = [...new Set(made.map((each) => each.total))].sort((one, other) => one - other).join("/");
  element.dataset.made = JSON.stringify(made);
  element.classList.toggle("lit", made.length > 0);
  element.querySelector(".makes").textContent = total;
  element.setAttribute(
    "aria-label",
    made.length ? `${tile}, ${filled(hand.says.total, { total })}` : `${tile} (${hand.says.unlit})`,
  );
  if (made.length) put(form, element, made.length > 1 ? { tile, cards: [tile] } : made[0]);
}

function showEnds(form, hand) {
  const bar = form.querySelector(".ends");
  for (const button of bar.querySelectorAll("[data-at]")) button.remove();
  for (const end of hand.first ? ENDS : []) {
    const [letter, where] = hand.says.ends[end];
    const button = made("button", { className: "button", hidden: true }, { at: end });
    const says = filled(hand.says.at, { pips: shownAt(hand, end) });
    const makes = made("small", { className: "makes" }, {}, made("span", {}, { makes: "" }));
    const heard = made("span", { className: "hear", textContent: `(${where})` });
    button.append(made("b", { ariaHidden: "true", textContent: letter }), ` ${says} `, heard, " ", makes);
    bar.append(button);
  }
}

function showLacking(button, hand, due) {
  const draws = hand.boneyard > 0;
  button.hidden = due || !hand.first; // the first player of a hand must play a tile
  button.value = JSON.stringify({
    kind: "move",
    move: { seat: hand.seat, ...(draws ? { type: "draw", count: 1 } : { type: "pass" }) },
  });
  button.textContent = filled(draws ? hand.says.draws : hand.says.passes, player(hand));
}

function showRoll(form, hand, due) {
  const phone = form.querySelector("[data-roll]");
  phone.hidden = !due;
  phone.name = "entry"; // the phone rolls by itself
  form.querySelector("[data-asks]").textContent = filled(hand.says.asks, player(hand));
  const number = form.querySelector("[data-number][aria-pressed]")?.dataset.number ?? hand.numbers[0];
  askRoll(form, Number(number), "");
}

function showInForce(bar, form, hand) {
  const faces = hand.dice.map((die) => form.querySelector(`[data-face="${die}"] svg`).cloneNode(true));
  const turns = made("span", { className: "turns" });
  const then = hand.names[(hand.seat + hand.turns) % hand.names.length];
  const says = hand.turns > 1 ? hand.says.turns : hand.turns ? hand.says.last : hand.says.now;
  turns.textContent = filled(says, { n: hand.turns, player: then });
  bar.querySelector(".rolled").replaceChildren(...faces, turns);
  const total = bar.querySelector("[data-total]");
  if (total && hand.first) total.textContent = totalOf(hand);
}

function showClaims(panel, hand) {
  const { droppable } = hand.cards[hand.seat];
  const sum = hand.dice.reduce((all, die) => all + die, 0);
  panel.dataset.droppable = droppable.join(" ");
  panel.toggleAttribute("data-few", droppable.length <= hand.few);
  for (const by of ["multiple", "virtual"]) {
    panel.querySelector(`[data-claim="${by}"]`).textContent = filled(hand.says[by], { sum });
  }
}

/** Lists the tiles laid since the server's drawing below it, with the end each was played at. */
function showLaid(ground, form, hand) {
  const strip = made("p", { className: "laid-since" });
  for (const { tile, end } of hand.laid) {
    strip.append(
      form.querySelector(`button[data-tile="${tile}"] svg`).cloneNode(true),
      end ? hand.says.ends[end][0] : "",
    );
  }
  if (hand.laid.length) ground.append(strip);
}
