// Sends entries in order, one at a time, until the server answers. Each entry has its own key, so that the server
// counts it once even if two tabs, a lost answer or a reload send it again.
import { all, forget, keep } from "./entry_store.js";

const PAUSES = [1000, 2000, 4000, 8000];
const LONGEST = 10000; // ms before a request is given up: a network may lose it without an error
const SLOW = 3000; // ms without an answer before the page says it is offline

let unsent = []; // entries of all matches, in order
let busy = false;
let again = false; // true if another attempt was requested during this one
let tries = 0;
let slow = false;
let timer = 0;
const mine = new Set(); // keys of the entries made on this page
const tried = new Set(); // keys of entries that the server may have
const lengths = new Map(); // key → how many entries the match had after this one
const halted = new Map(); // match → the answer that stopped its entries

export const unsentOf = (match) => unsent.filter((entry) => entry.match === match);

export const matches = () => [...new Set(unsent.map(({ match }) => match))];

export const haltOf = (match) => halted.get(match);

/** Whether the server did not answer the last request, or is slow to answer the current one. */
export const cutOff = () => tries > 0 || slow;

/** Sends what an earlier page could not send. */
export async function restore() {
  await readAgain();
  changed();
  attempt();
}

/** Reads the stored entries again: another page on this phone may have added, sent or dropped some. */
async function readAgain() {
  const kept = await all();
  unsent = kept.flatMap(
    (entry) => unsent.find(({ key }) => key === entry.key) ?? (mine.has(entry.key) ? [] : came(entry)),
  );
}

function came(entry) {
  tried.add(entry.key);
  return { ...entry, shown: true, queued: true };
}

/** Stores the entry and sends it after the ones before it. Replaces the entry `instead`, if there is one. */
export async function enter(entry, instead) {
  const before = unsentOf(entry.match).at(-1);
  const position = instead
    ? { order: instead.order, seen: instead.seen, follows: null }
    : { seen: before ? before.seen + 1 : entry.seen, follows: before?.key ?? null, queued: Boolean(before) };
  const key = freshKey();
  mine.add(key);
  const kept = await keep({ ...entry, ...position, key, made: new Date().toISOString() });
  if (instead) {
    unsent = unsent.map((other) => (other === instead ? kept : other));
    for (const next of unsent.filter(({ follows }) => follows === instead.key))
      await change(next, { follows: kept.key });
    halted.delete(entry.match);
  } else unsent.push(kept);
  attempt();
  return kept;
}

/** Marks the entry as shown: the page has moved on from it. */
export const show = (entry) => change(entry, { shown: true, queued: entry.queued || cutOff() });

/** Removes an entry that was never sent. Returns false if the server may have it. */
export async function takeBack(entry) {
  if (tried.has(entry.key)) return false;
  await drop([entry]);
  return true;
}

/** Drops these entries and the undos that belong to them. */
export async function drop(entries) {
  const keys = new Set(entries.map(({ key }) => key));
  const gone = unsent.filter(({ key, undoes }) => keys.has(key) || keys.has(undoes));
  unsent = unsent.filter((entry) => !gone.includes(entry));
  for (const { match } of gone) {
    // In a conflict, the user still has to decide about the remaining entries.
    if (halted.get(match)?.status !== 409 || !unsentOf(match).length) halted.delete(match);
  }
  for (const entry of gone) {
    // The next entry now follows the one before the dropped entry.
    for (const next of unsent.filter(({ follows }) => follows === entry.key)) {
      await change(next, { follows: entry.follows, seen: entry.seen });
    }
    await forget(entry);
  }
  changed();
  attempt();
}

/** Sends the entries of a match after the entries of other phones; with `one`, only the first of them. */
export async function sendAfter(match, one = false) {
  const [first] = unsentOf(match);
  const { length } = halted.get(match);
  halted.delete(match);
  await change(first, { seen: length, follows: null, alone: one });
  attempt();
}

/** Tries again after access was refused: a code was scanned, the pad is back or the user asked for it. */
export function resume() {
  for (const [match, { status }] of halted) if (status !== 409 && status !== 422) halted.delete(match);
  return attempt();
}

export async function attempt() {
  clearTimeout(timer);
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  try {
    await sendAll();
  } finally {
    busy = false;
    changed();
  }
  if (again) {
    again = false;
    if (!cutOff()) attempt();
  }
}

async function sendAll() {
  await readAgain();
  const first = () => unsent.find(({ match }) => !halted.has(match));
  for (let next = first(); next; next = first()) {
    const answer = await send(next);
    if (!answer) {
      next.queued = true;
      timer = setTimeout(attempt, PAUSES[Math.min(tries++, PAUSES.length - 1)]);
      return;
    }
    tries = 0;
    await answered(next, answer);
  }
}

async function answered(entry, answer) {
  const first = unsent.find(({ key }) => key === entry.key);
  if (!first) return; // dropped while it was being sent
  if (answer.status === 200) {
    lengths.set(entry.key, answer.length);
    for (const next of unsent.filter(({ follows }) => follows === entry.key)) {
      await change(next, { seen: answer.length, follows: null });
    }
    await remove(first);
    if (first.alone && unsentOf(entry.match).length)
      halted.set(entry.match, { ...answer, status: 409, stepping: true });
  } else if (answer.status === 422 && unsent.some(({ undoes }) => undoes === entry.key)) {
    return drop([first]); // the user has already undone it
  } else if (mustBeDecided(first) || answer.status === 404) halted.set(entry.match, answer);
  else await remove(first); // the refusal on the page explains it: there is nothing to decide
  document.dispatchEvent(new CustomEvent("answered", { detail: { entry: first, ...answer } }));
  changed();
}

/** The user must decide about an entry that was made offline and shown, or that has later entries after it. */
const mustBeDecided = (entry) => entry.shown && (entry.queued || unsentOf(entry.match).length > 1);

async function remove(entry) {
  unsent = unsent.filter((other) => other !== entry);
  await forget(entry);
}

/** Sends the entry. Returns the answer, or null if it has to be sent again. */
async function send(entry, once = false) {
  const seen = lengths.get(entry.follows) ?? entry.seen;
  const body = new URLSearchParams(entry.body);
  body.set("seen", seen);
  body.set("key", entry.key);
  tried.add(entry.key);
  const late = setTimeout(isLate, SLOW);
  const answer = await post(entry.url, body, "sheet");
  clearTimeout(late);
  slow = false;
  if (!answer || answer.status === 0 || answer.status === 429 || answer.status >= 502) return null;
  const { status } = answer;
  const length = Number(answer.headers.get("X-Length") ?? -1);
  if (status === 200 && length < 0) return null; // not our server: the sign-in page of a network
  const html = await answer.text();
  const csrf = status === 403 && /data-csrf="(\w+)"[\s\S]*data-too-old/.exec(html);
  if (csrf && !once) {
    document.body.dataset.csrf = csrf[1]; // the page is old and had an expired token
    return send(entry, true);
  }
  return { status, length, html };
}

function isLate() {
  slow = true;
  changed();
}

/** Returns the answer, or null if there is none. */
export async function post(url, body, part) {
  const patience = new AbortController();
  const limit = setTimeout(() => patience.abort(), LONGEST);
  const headers = { "X-Part": part, "X-CSRFToken": document.body.dataset.csrf };
  try {
    return await fetch(url, { method: "POST", body, headers, redirect: "manual", signal: patience.signal });
  } catch (error) {
    if (!(error instanceof TypeError) && error.name !== "AbortError") throw error;
    return null;
  } finally {
    clearTimeout(limit);
  }
}

async function change(entry, what) {
  Object.assign(entry, what);
  if (unsent.includes(entry)) await keep(entry);
}

const changed = () => document.dispatchEvent(new CustomEvent("unsent"));

/** Makes a unique key. crypto.randomUUID does not exist on plain http. */
export const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
