// Sends what is entered, in order and one at a time, each under its own key, until the server has answered. What is
// sent again under its key is still one entry, so that two tabs, a lost answer or a reload double nothing.
import { all, forget, keep } from "./entry_store.js";

const PAUSES = [1000, 2000, 4000, 8000];
const LONGEST = 10000; // ms for an answer: a network may swallow what is sent without a word
const SLOW = 3000; // ms after which nobody takes an answer for being on its way

let unsent = []; // of every match, in order
let busy = false;
let again = false; // asked for while an entry was on its way
let tries = 0;
let slow = false;
let timer = 0;
const mine = new Set(); // keys of what this page entered
const tried = new Set(); // keys of what may have arrived
const lengths = new Map(); // key → how many entries the match had right after it
const halted = new Map(); // match → the answer that holds up its entries

export const unsentOf = (match) => unsent.filter((entry) => entry.match === match);

export const matches = () => [...new Set(unsent.map(({ match }) => match))];

export const haltOf = (match) => halted.get(match);

/** Whether the server did not answer when it was asked last, or has kept us waiting for long. */
export const cutOff = () => tries > 0 || slow;

/** What an earlier page could not send goes on its way. */
export async function restore() {
  await readAgain();
  changed();
  attempt();
}

/** Another page of this phone may have entered, sent or dropped something. */
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

/** Keeps the entry and sends it as soon as those before it are answered. With `instead` it takes the place of one. */
export async function enter(entry, instead) {
  const before = unsentOf(entry.match).at(-1);
  const place = instead
    ? { order: instead.order, seen: instead.seen, follows: null }
    : { seen: before ? before.seen + 1 : entry.seen, follows: before?.key ?? null, queued: Boolean(before) };
  const key = freshKey();
  mine.add(key);
  const kept = await keep({ ...entry, ...place, key, made: new Date().toISOString() });
  if (instead) {
    unsent = unsent.map((other) => (other === instead ? kept : other));
    for (const next of unsent.filter(({ follows }) => follows === instead.key))
      await change(next, { follows: kept.key });
    halted.delete(entry.match);
  } else unsent.push(kept);
  attempt();
  return kept;
}

/** Counts as entered from now on: the page has gone on from it. */
export const show = (entry) => change(entry, { shown: true, queued: entry.queued || cutOff() });

/** Takes an entry off that has not been sent; false if it may have arrived. */
export async function takeBack(entry) {
  if (tried.has(entry.key)) return false;
  await drop([entry]);
  return true;
}

/** These entries, and what took them back, are not sent any more. */
export async function drop(entries) {
  const keys = new Set(entries.map(({ key }) => key));
  const gone = unsent.filter(({ key, undoes }) => keys.has(key) || keys.has(undoes));
  unsent = unsent.filter((entry) => !gone.includes(entry));
  for (const { match } of gone) {
    // Whether the others go after somebody else's is still to be said.
    if (halted.get(match)?.status !== 409 || !unsentOf(match).length) halted.delete(match);
  }
  for (const entry of gone) {
    // What followed it follows what was before it.
    for (const next of unsent.filter(({ follows }) => follows === entry.key)) {
      await change(next, { follows: entry.follows, seen: entry.seen });
    }
    await forget(entry);
  }
  changed();
  attempt();
}

/** Sends the entries of a match after those that others have entered; `one`: the first of them alone. */
export async function sendAfter(match, one = false) {
  const [first] = unsentOf(match);
  const { length } = halted.get(match);
  halted.delete(match);
  await change(first, { seen: length, follows: null, alone: one });
  attempt();
}

/** Something has changed for who was not let in: a code was scanned, the pad is back, somebody asks for it. */
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
  if (!first) return; // dropped meanwhile
  if (answer.status === 200) {
    lengths.set(entry.key, answer.length);
    for (const next of unsent.filter(({ follows }) => follows === entry.key)) {
      await change(next, { seen: answer.length, follows: null });
    }
    await remove(first);
    if (first.alone && unsentOf(entry.match).length)
      halted.set(entry.match, { ...answer, status: 409, stepping: true });
  } else if (answer.status === 422 && unsent.some(({ undoes }) => undoes === entry.key)) {
    return drop([first]); // it was taken back already
  } else if (mustBeDecided(first) || answer.status === 404) halted.set(entry.match, answer);
  else await remove(first); // it was answered at the first try, be it late: the refusal says what became of it
  document.dispatchEvent(new CustomEvent("answered", { detail: { entry: first, ...answer } }));
  changed();
}

/** What was taken for entered while the server could not be reached, or is followed by more, is not just refused. */
const mustBeDecided = (entry) => entry.shown && (entry.queued || unsentOf(entry.match).length > 1);

async function remove(entry) {
  unsent = unsent.filter((other) => other !== entry);
  await forget(entry);
}

/** What the server says to the entry; null where nothing comes of it but to try again. */
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
  if (!answer || answer.status === 0 || answer.status >= 502) return null;
  const { status } = answer;
  const length = Number(answer.headers.get("X-Length") ?? -1);
  if (status === 200 && length < 0) return null; // not our server: a network that wants to be signed in to
  const html = await answer.text();
  const csrf = status === 403 && /data-csrf="(\w+)"[\s\S]*data-too-old/.exec(html);
  if (csrf && !once) {
    document.body.dataset.csrf = csrf[1]; // the page is of another day
    return send(entry, true);
  }
  return { status, length, html };
}

function isLate() {
  slow = true;
  changed();
}

/** The answer, or null where there is none. */
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

/** A key no other entry has. On plain http in a hall there is no crypto.randomUUID. */
export const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
