// Shows clearly what is unsent, why, and what the user can do. Only the user can drop unsent entries.
import { entryOf, matchHere } from "./ahead.js";
import { filled, made } from "./elements.js";
import { lasts } from "./entry_store.js";
import { cutOff, drop, haltOf, matches, resume, sendAfter, unsentOf } from "./queue.js";

let others = ""; // what another phone entered in between, in words
let each = false; // true if the user decides about entries one by one
let most = 0; // the largest number of unsent entries so far

export function listenForUnsent() {
  const bar = document.getElementById("unsent");
  document.addEventListener("unsent", () => draw(bar));
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-do]");
    if (button) DO[button.dataset.do](matchOf(bar), button);
  });
  addEventListener(
    "beforeunload",
    (event) => document.querySelector("[data-part=pad]") && shown().length && event.preventDefault(),
  );
}

const CALM = ["sending", "offline", "elsewhere"]; // states in which the user has nothing to decide

const DO = {
  try: () => resume(),
  after: (match) => sendAfter(match),
  one: (match) => sendAfter(match, true),
  each: () => {
    each = true;
    draw(document.getElementById("unsent"));
  },
  drop: (match, button) => twice(button, () => drop(unsentOf(match))),
  first: (match, button) => twice(button, () => drop(unsentOf(match).slice(0, 1))),
};

/** Asks for a second tap before something that cannot be undone. */
function twice(button, what) {
  if (button.dataset.sure) return what();
  button.dataset.sure = "1";
  button.textContent = button.dataset.really;
}

/** Entries that look entered to the user but have not reached the server. */
const shown = () => matches().flatMap((match) => unsentOf(match).filter((entry) => entry.shown || cutOff()));

/** The match that the bar is about: the one on this page, or else the first. */
const matchOf = () => matches().find((match) => match === matchHere()) ?? matches()[0];

function draw(bar) {
  const match = matchOf();
  const entries = match ? unsentOf(match) : [];
  const halt = haltOf(match);
  const note = match !== matchHere() && location.pathname !== entries[0]?.page;
  bar.hidden = !entries.some((entry) => entry.shown || cutOff());
  if (bar.hidden) {
    each = false;
    most = 0;
    delete bar.dataset.state;
    return;
  }
  const state = note ? "elsewhere" : kindOf(halt);
  most = Math.max(most, entries.length);
  if (halt) others = othersIn(halt.html) || (state === "conflict" ? others : "");
  const part = bar.querySelector(`template[data-state="${state}"]`).content.cloneNode(true);
  for (const element of part.querySelectorAll("[data-n]")) {
    const alone = (element.dataset.of === "most" ? most : entries.length) === 1;
    element.textContent = (alone ? element.dataset.one : element.dataset.n)
      .replace("{n}", entries.length)
      .replace("{all}", most);
  }
  fill(part, "words", (element) => (element.textContent = entries.map(({ words }) => words).join(", ")));
  fill(part, "list", (element) =>
    element.replaceChildren(...entries.map(({ words }) => made("li", { textContent: words }))),
  );
  fill(part, "others", (element) => (element.textContent = others));
  fill(part, "why", (element) => (element.textContent = reasonIn(halt.html)));
  fill(part, "title", (element) => Object.assign(element, { href: entries[0].page, textContent: entries[0].title }));
  fill(part, "lasting", (element) => (element.hidden = lasts));
  fill(part, "save", (element) => Object.assign(element, { href: asText(entries), download: "unsent.txt" }));
  for (const element of part.querySelectorAll("[data-each]")) element.hidden = (element.dataset.each === "1") !== each;
  // With only one entry, "the first" and "all" are the same.
  if (entries.length === 1) fill(part, "several", (element) => (element.hidden = true));
  const fresh = bar.dataset.state !== state;
  if (!fresh && bar.textContent.trim() && bar.dataset.drawn === signature(entries, others, each)) return;
  Object.assign(bar.dataset, { state, drawn: signature(entries, others, each) });
  bar.className = `unsent unsent-${state}`;
  if (state === "sending") bar.removeAttribute("role");
  else bar.setAttribute("role", "alert");
  bar.querySelector("[data-shown]").replaceChildren(part);
  if (fresh && !CALM.includes(state)) pointAtUnsent();
}

const signature = (entries, ...more) => JSON.stringify([entries.map(({ key }) => key), more]);

const fill = (part, name, how) => part.querySelectorAll(`[data-${name}]`).forEach(how);

function kindOf(halt) {
  if (!halt) return cutOff() ? "offline" : "sending";
  return { 409: "conflict", 422: "refused", 404: "gone" }[halt.status] ?? "stopped";
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

const othersIn = (html) => parsed(html).querySelector("[data-others] b")?.textContent ?? "";

const reasonIn = (html) => parsed(html).querySelector("#refusal :is(h1, p)")?.textContent.trim() ?? "";

const asText = (entries) =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(entries.map(({ made, words, body }) => `${made} ${words} (${body})`).join("\n"))}`;

/** Moves the focus to the bar if the user has to decide something. Over the pad it is always on screen. */
export function pointAtUnsent() {
  const bar = document.getElementById("unsent");
  if (bar.hidden || CALM.includes(bar.dataset.state)) return;
  if (getComputedStyle(bar).position !== "sticky") bar.scrollIntoView({ block: "start" });
  bar.focus({ preventScroll: true });
}

/** An entry in words: the board's sentence for it, or the text of the button. */
export function worded(entry, hand, button) {
  const { kind, move, ...details } = entryOf(entry);
  const fields = new URLSearchParams(entry.body);
  const sentence = hand?.says[kind === "move" ? move.type : kind];
  if (!sentence) return button?.getAttribute("aria-label") ?? button?.textContent.trim() ?? "";
  if (kind === "left") {
    const left = hand.names.flatMap((name, seat) =>
      fields.get(`left-${seat}`) ? [`${name} ${fields.get(`left-${seat}`)}`] : [],
    );
    return left.length ? `${sentence}: ${left.join(", ")}` : sentence;
  }
  const spoken = Object.entries({ ...details, ...move }).map(([name, word]) => [
    name,
    hand.says.spoken?.[word] ?? word,
  ]);
  const words = { ...Object.fromEntries(spoken), player: hand.names[move?.seat ?? details.opener] };
  const end = move?.end && hand.says.ends ? ` ${hand.says.ends[move.end][0]}` : "";
  return filled(sentence, words) + end;
}
