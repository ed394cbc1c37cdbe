// The big screen shows its rows leaf by leaf, with as many rows on each as fit.
import { follow } from "./live.js";
import { askTheTime, serverTime } from "./server_time.js";

const TURN = 12000; // ms to show a leaf
const SEATS = 24000; // ms to show the seats first after a draw
const LARGEST = 2.5; // times as large as usual
const TOGETHER = 6; // tables that share a leaf
const SMALLEST = 0.7; // times as large as usual, so that they do
const HIGHEST = 2; // times as high as usual: a line whose type cannot grow
const COLUMNS = { cards: [1, 2, 3, 4], people: [1, 2] }; // that a list can have
const CUT = 1.5; // leaves that a leaf with cut words counts for
const LINES = 2; // of a name, at most, in type that has grown
const { show: ONLY } = document.body.dataset; // the part that this screen holds
const WARNING = 5; // minutes before the end in which the seconds show

let leaves = []; // each with its section and the range of items on it
let at = 0;
let held = false;
let turning = 0;

const screen = () => document.getElementById("screen");
const key = (leaf) => leaf && `${leaf.section.dataset.leaf}/${leaf.section.dataset.piece ?? ""}/${leaf.from}`;

function start() {
  document.documentElement.classList.add("turning");
  lay();
  tick();
  askTheTime().then(tick);
  setInterval(tick, 1000);
  addEventListener("keydown", pressed);
  addEventListener("click", () => turn(1));
  addEventListener("resize", lay);
  document.fonts?.ready.then(lay);
  follow();
  // A live update replaces the whole screen.
  let seated = screen().dataset.seated;
  new MutationObserver(() => {
    const drawn = screen().dataset.seated !== seated;
    seated = screen().dataset.seated;
    lay();
    tick();
    if (drawn) showSeats();
  }).observe(document.body, { childList: true });
}

/** Divides every section into leaves, and stays on the current leaf. */
function lay() {
  const shown = key(leaves[at]);
  const portrait = innerHeight > innerWidth;
  const sections = [...screen().querySelectorAll(".leaf")];
  const of = (leaf) => sections.filter((section) => section.dataset.leaf === leaf);
  const only = [of(ONLY), of("next")].find((found) => ONLY && found.length) ?? sections;
  for (const section of sections) section.hidden = true;
  leaves = only.flatMap((section) => {
    section.hidden = false;
    const list = section.querySelector(".items");
    const divided = list && !portrait ? arrange(list) : [[0, Infinity]];
    section.hidden = true;
    return divided.map(([from, to], number) => ({ section, from, to, number, of: divided.length }));
  });
  const same = leaves.findIndex((leaf) => key(leaf) === shown);
  at = same < 0 ? Math.min(at, Math.max(leaves.length - 1, 0)) : same;
  show();
}

/** Ranges of items, in columns that need few leaves and let the type grow most. */
function arrange(list) {
  const items = [...list.children];
  const cards = list.matches(".cards");
  const least = cards && items.length <= TOGETHER ? SMALLEST : 1;
  const ways = COLUMNS[cards ? "cards" : "people"].map((columns) => {
    set(list, { columns, u: `${least}vh`, row: 1 });
    const leaves = fill(list, items, items.length).length;
    const cut = unfit(items);
    const size = grow(list, items, leaves, least, LARGEST, (u) => ({ u: `${u}vh` }));
    return { columns, leaves, size, price: leaves * (cut ? CUT : 1) };
  });
  ways.sort((one, other) => one.price - other.price || other.size - one.size);
  const [{ columns, leaves, size }] = ways;
  set(list, { columns, u: `${size}vh` });
  // Lines go apart to fill the screen where larger type would cut a word.
  if (!cards) set(list, { row: grow(list, items, leaves, 1, HIGHEST, (row) => ({ row })) });
  return evenly(list, items, leaves);
}

/** Gives the list, and the heads above it, these properties. */
function set(list, properties) {
  for (const part of list.parentElement.querySelectorAll(".items, .heads"))
    for (const [name, value] of Object.entries(properties)) part.style.setProperty(`--${name}`, value);
}

/** With about the same number of items on each leaf. */
function evenly(list, items, leaves) {
  let most = Math.ceil(items.length / leaves);
  let found = fill(list, items, most);
  while (found.length > leaves && most < items.length) found = fill(list, items, ++most);
  return found;
}

/** The largest size with which everything still has its place on this number of leaves, and no more names are cut. */
function grow(list, items, leaves, least, largest, properties) {
  set(list, properties(least));
  const cut = unfit(items);
  let [size, most] = [least, largest];
  for (let step = 0; step < 6; step++) {
    const middle = (size + most) / 2;
    set(list, properties(middle));
    if (fill(list, items, items.length).length <= leaves && unfit(items) <= cut) size = middle;
    else most = middle;
  }
  set(list, properties(size));
  return size;
}

/** The number of items with a word that is cut, or with a name on too many lines. */
function unfit(items) {
  for (const item of items) item.hidden = false;
  return items.filter((item) => outside(item) || long(item)).length;
}

const outside = (item) =>
  [item, ...item.querySelectorAll(".name, .names, .state")].some((each) => each.scrollWidth > each.clientWidth);

const long = (item) => [...item.querySelectorAll("bdi")].some((name) => name.getClientRects().length > LINES);

function fill(list, items, most) {
  const pairs = [];
  for (let from = 0; from < items.length; from = pairs[pairs.length - 1][1]) {
    for (const [number, item] of items.entries()) item.hidden = number < from;
    const room = list.getBoundingClientRect();
    const out = items.findIndex((item, number) => number >= from && !inside(item, room));
    // An item that is larger than the screen still gets a leaf.
    pairs.push([from, Math.min(from + most, Math.max(out < 0 ? items.length : out, from + 1))]);
  }
  return pairs.length ? pairs : [[0, Infinity]];
}

function inside(item, room) {
  const { right, bottom } = item.getBoundingClientRect();
  return right <= room.right + 1 && bottom <= room.bottom + 1;
}

function show() {
  const leaf = leaves[at];
  for (const each of leaves) if (each.section !== leaf.section) each.section.hidden = true;
  if (!leaf) return;
  leaf.section.hidden = false;
  const items = leaf.section.querySelector(".items")?.children ?? [];
  for (const [number, item] of [...items].entries()) item.hidden = number < leaf.from || number >= leaf.to;
  const heading = leaf.section.querySelector("h2");
  heading.querySelector(".of")?.remove();
  if (leaf.of > 1) {
    const of = Object.assign(document.createElement("span"), {
      className: "of",
      textContent: ` ${leaf.number + 1}/${leaf.of} `,
    });
    heading.insertBefore(of, heading.querySelector(".what"));
  }
}

function turn(by, patience = TURN) {
  at = leaves.length ? (at + by + leaves.length) % leaves.length : 0;
  show();
  again(patience);
}

function again(patience) {
  clearTimeout(turning);
  if (!held) turning = setTimeout(() => turn(1), patience);
}

/** Shows the seats after a draw, when everybody looks for theirs. */
function showSeats() {
  const seats = leaves.findIndex((leaf) => leaf.section.dataset.leaf === "seats");
  if (seats < 0) return;
  at = seats;
  show();
  again(SEATS);
}

function pressed(event) {
  if (event.key === "ArrowRight" || event.key === "PageDown") turn(1);
  else if (event.key === "ArrowLeft" || event.key === "PageUp") turn(-1);
  else if (event.key === " ") {
    held = !held;
    document.getElementById("held").hidden = !held;
    again(TURN);
  } else return;
  event.preventDefault();
}

/** Updates the clock and the time left to play. */
function tick() {
  const now = new Date();
  const clock = document.querySelector(".clock");
  const { zone: timeZone } = document.body.dataset;
  const text = now.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
  clock.hidden = false;
  if (clock.textContent !== text) clock.textContent = text;
  const left = document.querySelector("[data-until]");
  if (!left || serverTime() === null) return;
  const seconds = Math.ceil((Date.parse(left.dataset.until) - serverTime()) / 1000);
  const minutes = Math.ceil(seconds / 60);
  const soon = minutes > 0 && minutes <= WARNING;
  left.classList.toggle("up", minutes <= 0);
  left.classList.toggle("soon", soon);
  const clockwork = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const says = soon ? clockwork : `${minutes} min`;
  if (minutes <= 0) left.textContent = left.dataset.up;
  else if (left.querySelector("b").textContent !== says) left.querySelector("b").textContent = says;
}

start();
again(TURN);
