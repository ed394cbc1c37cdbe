// The line of play. A tile that fits two ends waits until the player taps one of them.
import { filled, made } from "../elements.js";
import { rest } from "../swap.js";
import { ALL, drawnTile } from "../tiles.js";

const UNCOUNTED = "uncounted"; // key in localStorage and class of the page: do not show what a tile would score

export function listen() {
  hideCounts(countsHidden());
  document.addEventListener("news", () => hideCounts(countsHidden()));
  document.addEventListener("click", (event) => {
    const tile = event.target.closest("button[data-ends]");
    if (tile) return choose(tile, event);
    if (event.target.closest("[data-counts]")) return hideCounts(!countsHidden());
    const end = event.target.closest("[data-end]");
    if (end) document.querySelector(`.ends [data-at="${end.dataset.end}"]:not([hidden])`)?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") letGo();
    const end = event.target.closest?.("[data-end].lit");
    if (end && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      document.querySelector(`.ends [data-at="${end.dataset.end}"]`).click();
    }
  });
}

/** Plays the tile if it fits one end only; otherwise lights up the ends so that the player can tap one. */
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
  const worth = tile.dataset.worth?.split(" ") ?? [];
  const bar = document.querySelector(".ends");
  for (const button of bar.querySelectorAll("[data-at]")) {
    const end = button.dataset.at;
    button.hidden = !ends.includes(end);
    const points = worth[ends.indexOf(end)];
    const shown = button.querySelector(".worth");
    if (shown) shown.textContent = Number(points) ? `+${points}` : "";
    button.value = JSON.stringify({ ...entry, move: { ...entry.move, end } });
    const element = document.querySelector(`.line [data-end="${end}"]`);
    if (!button.hidden) light(element, button.textContent.trim());
  }
  bar.hidden = false;
  bar.scrollIntoView({ block: "nearest" });
  rest(tile.form, () => tile, undefined, "here");
}

function light(element, words) {
  if (!element) return; // an end that was added while the server was out of reach
  element.classList.add("lit");
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.setAttribute("aria-label", words);
}

const countsHidden = () => localStorage.getItem(UNCOUNTED) !== null;

/** Some players prefer to count for themselves. The setting stays on this phone. */
function hideCounts(hide) {
  if (hide) localStorage.setItem(UNCOUNTED, "1");
  else localStorage.removeItem(UNCOUNTED);
  document.documentElement.classList.toggle(UNCOUNTED, hide);
  document.querySelector("[data-counts]")?.setAttribute("aria-pressed", !hide);
}

function letGo() {
  for (const tile of document.querySelectorAll(".chosen")) {
    tile.classList.remove("chosen");
    tile.removeAttribute("aria-pressed");
  }
  for (const element of document.querySelectorAll(".line .lit")) {
    element.classList.remove("lit");
    for (const name of ["role", "tabindex", "aria-label"]) element.removeAttribute(name);
  }
  const bar = document.querySelector(".ends");
  if (bar) bar.hidden = true;
}

// --- without the server -----------------------------------------------------------------------------------
// `hand` comes from `ahead` in pages/boards/line.py. The code below guesses the next step, never the score.

/** The hand after an entry. `over` says what to ask for if the hand has ended. Null if only the server can tell. */
export function after(hand, entry) {
  if (entry.kind === "move" && !hand.over && hand.seat === entry.move.seat)
    return MOVED[entry.move.type]?.(hand, entry.move);
  if (entry.kind === "left" && hand.over) return { ...hand, over: null, ...nextAfter(hand, hand.over) };
  if (entry.kind === "hand" && hand.openers) return dealt(hand, entry.opener);
  return null;
}

const MOVED = { play: laid, pass: passed, draw: drew };

function laid(hand, { seat, tile, end }) {
  const at = begun(hand) ? (end ?? fitting(hand, tile)[0]) : null;
  if (!hand.unseen.includes(tile) || (at !== null && !fitting(hand, tile).includes(at))) return null;
  const [high, low] = halves(tile);
  const inner = at && hand.shown[at];
  const outer = at && (high === inner ? low : high);
  const held = hand.held.map((count, other) => count - (other === seat));
  return {
    ...hand,
    ...(at ? joined(hand, tile, at, outer) : led(hand, tile)),
    laid: [...hand.laid, { tile, end: at, turned: high !== low && inner === (["w", "n"].includes(at) ? high : low) }],
    unseen: hand.unseen.filter((other) => other !== tile),
    held,
    passes: 0,
    drew: 0,
    ...(held[seat] ? { seat: (seat + 1) % held.length } : ended(hand, { by: "out", seat })),
  };
}

function passed(hand, { seat }) {
  const passes = hand.passes + 1;
  const lacks = hand.lacks.map((tiles, other) =>
    other === seat ? [...new Set([...tiles, ...hand.unseen.filter((tile) => fitting(hand, tile).length)])] : tiles,
  );
  const blocked = passes === hand.held.length;
  return {
    ...hand,
    passes,
    drew: 0,
    lacks,
    ...(blocked ? ended(hand, { by: "blocked", seat: null }) : { seat: (seat + 1) % hand.held.length }),
  };
}

/** After a draw, the player may hold any tile that was in the boneyard. */
function drew(hand, { seat, count }) {
  if (count > hand.boneyard) return null;
  return {
    ...hand,
    boneyard: hand.boneyard - count,
    drew: hand.drew + count,
    held: hand.held.map((tiles, other) => tiles + (other === seat ? count : 0)),
    lacks: hand.lacks.map((tiles, other) => (other === seat ? [] : tiles)),
  };
}

/** The line after its first tile. A double may be the spinner, whose other two sides open later. */
function led(hand, tile) {
  const [high, low] = halves(tile);
  const spins = hand.kind === "spinner" && high === low;
  return { shown: { w: high, e: low }, spinner: spins ? high : null, sides: [spins, spins] };
}

function joined(hand, tile, at, outer) {
  let { spinner, sides } = hand;
  const shown = { ...hand.shown, [at]: outer };
  if (hand.kind === "spinner") {
    if (spinner !== null) {
      sides = [sides[0] && at !== "w", sides[1] && at !== "e"];
      if (!("n" in shown) && !sides.some(Boolean)) shown.n = shown.s = spinner;
    } else if (tile[0] === tile[2]) {
      spinner = outer; // its inner side is already joined
      sides = [at === "w", at === "e"];
    }
  }
  return { shown, spinner, sides };
}

/** If every tile is known, nobody has to enter what is left. */
const ended = (hand, over) => ({ seat: null, ...(hand.known ? nextAfter(hand, over) : { over }) });

function nextAfter(hand, over) {
  const { out, blocked } = hand.next[hand.opener];
  return over.by === "out" ? out[over.seat] : blocked;
}

function dealt(hand, opener) {
  return {
    ...hand,
    opener,
    openers: null,
    seat: opener,
    shown: {},
    spinner: null,
    sides: [false, false],
    laid: [],
    unseen: ALL,
    lacks: hand.names.map(() => []),
    held: hand.names.map(() => hand.dealt),
    boneyard: hand.stock,
    passes: 0,
    drew: 0,
    known: false,
    fresh: true,
  };
}

const halves = (tile) => [Number(tile[0]), Number(tile[2])];

const begun = (hand) => Object.keys(hand.shown).length > 0;

const fitting = (hand, tile) => Object.keys(hand.shown).filter((end) => halves(tile).includes(hand.shown[end]));

/** Updates the server's form to match the hand: playable tiles, ends, the pass button and the tiles laid since. */
export function show(form, hand) {
  for (const element of form.querySelectorAll(".tiles > [data-tile]"))
    element.replaceWith(tilePlace(element.dataset.tile, hand));
  showEnds(form.querySelector(".ends"), hand);
  showLacking(form.querySelector(".thumb .main"), hand);
  showLaid(form.querySelector(".ground"), hand);
  // Only the server knows what the table counts.
  form.querySelector(".count")?.remove();
}

function tilePlace(tile, hand) {
  if (!hand.unseen.includes(tile)) return made("span", { className: "gone" }, { tile });
  const ends = fitting(hand, tile);
  const fits = begun(hand) ? ends.length > 0 : !hand.double || tile[0] === tile[2];
  const lit = fits && !hand.lacks[hand.seat].includes(tile);
  const value = entry({ seat: hand.seat, type: "play", tile, ...(ends.length === 1 && { end: ends[0] }) });
  const button = made("button", { name: "entry", value, className: lit ? "lit" : "" }, { tile, ends: ends.join(" ") });
  button.setAttribute("aria-label", lit ? tile : `${tile} (${hand.says.unlit})`);
  button.disabled = !fits; // offline, nothing could explain why the tile cannot be played
  button.append(drawnTile(tile));
  return button;
}

function showEnds(bar, hand) {
  for (const button of bar.querySelectorAll("[data-at]")) button.remove();
  bar.hidden = true;
  for (const [end, pips] of Object.entries(hand.shown)) {
    const [arrow, where] = hand.says.ends[end];
    const button = made("button", { className: "button", name: "entry", hidden: true }, { at: end });
    button.append(
      unheard(arrow),
      ` ${filled(hand.says.at, { pips })} `,
      made("span", { className: "hear" }, {}, `(${where})`),
    );
    bar.append(button);
  }
}

function showLacking(button, hand) {
  const draws = hand.boneyard > 0;
  button.value = entry({ seat: hand.seat, ...(draws ? { type: "draw", count: 1 } : { type: "pass" }) });
  const words = made(
    "span",
    {},
    {},
    filled(draws ? hand.says.draws : hand.says.passes, { player: hand.names[hand.seat] }),
  );
  if (draws) words.append(" ", smallCount(hand.says.remain, hand.boneyard));
  if (hand.drew) words.append(" ", smallCount(hand.says.drew, hand.drew));
  button.replaceChildren(words);
  button.classList.remove("quiet");
  button.hidden = !begun(hand); // the first player of a hand must play a tile
}

/** A number in small print, with the text for one or the text for more. */
const smallCount = ([one, more], n) => made("small", { textContent: filled(n === 1 ? one : more, { n }) });

/** Lists the tiles laid since the server's drawing below it, arm by arm, in their order on the table. */
function showLaid(ground, hand) {
  const drawing = ground.querySelector("svg.line");
  if (hand.fresh) drawing.remove();
  for (const { end } of hand.laid) drawing.querySelector(`[data-end="${end}"]`)?.classList.add("covered");
  const strip = made("div", { className: "laid-since" });
  for (const end of ["w", "n", null, "s", "e"]) {
    const arm = hand.laid.filter((each) => each.end === end).map(({ tile, turned }) => drawnTile(tile, turned));
    if (!arm.length) continue;
    if (end) arm.push(unheard(hand.says.ends[end][0]));
    strip.append(made("p", {}, {}, ...(["w", "n"].includes(end) ? arm.reverse() : arm)));
  }
  if (strip.children.length) ground.append(strip);
}

const entry = (move) => JSON.stringify({ kind: "move", move });

const unheard = (text) => made("span", { ariaHidden: "true" }, {}, text);
