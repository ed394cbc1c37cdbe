// Says loudly what is unsent, why, and what can be done about it. Nothing of it is ever dropped but by the user.
import { entryOf, matchHere } from "./ahead.js";
import { filled, made } from "./elements.js";
import { lasts } from "./entry_store.js";
import { cutOff, drop, haltOf, matches, resume, sendAfter, unsentOf } from "./queue.js";

let others = ""; // what somebody else entered meanwhile, in words
let each = false; // one by one
let most = 0; // how many were unsent at once

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

const CALM = ["sending", "offline", "elsewhere"]; // nothing has to be decided

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

/** What cannot be brought back is tapped twice. */
function twice(button, what) {
  if (button.dataset.sure) return what();
  button.dataset.sure = "1";
  button.textContent = button.dataset.really;
}

/** What the user takes for entered and the server does not know. */
const shown = () => matches().flatMap((match) => unsentOf(match).filter((entry) => entry.shown || cutOff()));

/** The match to speak of: the one of this page, else the first. */
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
  for (const place of part.querySelectorAll("[data-n]")) {
    const alone = (place.dataset.of === "most" ? most : entries.length) === 1;
    place.textContent = (alone ? place.dataset.one : place.dataset.n)
      .replace("{n}", entries.length)
      .replace("{all}", most);
  }
  fill(part, "words", (place) => (place.textContent = entries.map(({ words }) => words).join(", ")));
  fill(part, "list", (place) =>
    place.replaceChildren(...entries.map(({ words }) => made("li", { textContent: words }))),
  );
  fill(part, "others", (place) => (place.textContent = others));
  fill(part, "why", (place) => (place.textContent = reasonIn(halt.html)));
  fill(part, "place", (place) => Object.assign(place, { href: entries[0].page, textContent: entries[0].place }));
  fill(part, "lasting", (place) => (place.hidden = lasts));
  fill(part, "save", (place) => Object.assign(place, { href: asText(entries), download: "unsent.txt" }));
  for (const place of part.querySelectorAll("[data-each]")) place.hidden = (place.dataset.each === "1") !== each;
  // Of one alone "the first" and "all" are the same.
  if (entries.length === 1) fill(part, "several", (place) => (place.hidden = true));
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

/** Brings what has to be decided into sight. */
export function pointAtUnsent() {
  const bar = document.getElementById("unsent");
  if (bar.hidden || CALM.includes(bar.dataset.state)) return;
  bar.scrollIntoView({ block: "start" });
  bar.focus({ preventScroll: true });
}

/** An entry as the table says it; where its board has no sentence for it, what stood on the button. */
export function worded(entry, hand, button) {
  const { kind, move, ...told } = entryOf(entry);
  const fields = new URLSearchParams(entry.body);
  const sentence = hand?.says[kind === "move" ? move.type : kind];
  if (!sentence) return button?.getAttribute("aria-label") ?? button?.textContent.trim() ?? "";
  if (kind === "left") {
    const left = hand.names.flatMap((name, seat) =>
      fields.get(`left-${seat}`) ? [`${name} ${fields.get(`left-${seat}`)}`] : [],
    );
    return left.length ? `${sentence}: ${left.join(", ")}` : sentence;
  }
  const said = Object.entries({ ...told, ...move }).map(([name, word]) => [name, hand.says.spoken?.[word] ?? word]);
  const words = { ...Object.fromEntries(said), player: hand.names[move?.seat ?? told.opener] };
  const end = move?.end && hand.says.ends ? ` ${hand.says.ends[move.end][0]}` : "";
  return filled(sentence, words) + end;
}
