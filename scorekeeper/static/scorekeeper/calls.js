// Calling the host from a table, and showing the calling tables to the hosts.

import { stream } from "./stream.js";
import { reload, swap } from "./swap.js";
import { beep, unlock } from "./turn_cue.js";

const QUIET = "calls-quiet"; // key in localStorage: no sound on this device when a table calls

export function listenForCalls() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-call]");
    if (!form) return;
    event.preventDefault();
    send(form, new URLSearchParams(new FormData(form, event.submitter)));
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest('a[href$="#call"]') && open()) event.preventDefault();
    if (list() && sounds()) unlock();
  });
  if (location.hash === "#call") open();
  if (!list()) return;
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-call-sound]")) localStorage.setItem(QUIET, target.checked ? "" : "1");
  });
  const title = document.title;
  markCalls(title);
  document.addEventListener("news", ({ target, detail }) => {
    if (target.id !== "calls") return;
    const before = numbers(detail.before.open);
    if (sounds() && numbers(list().dataset.open).some((call) => !before.includes(call))) beep();
    markCalls(title);
  });
  setInterval(tellMinutes, 10_000);
  stream(`club:${list().dataset.calls}`, "calls", (data) => refresh(data.match(/data-stamp="([^"]*)"/)[1]));
}

const list = () => document.getElementById("calls");

const numbers = (text) => text.split(" ").filter(Boolean);

const sounds = () => !localStorage.getItem(QUIET);

/** Opens the list of reasons. Returns false if the host cannot be called from this page. */
function open() {
  const call = document.getElementById("call");
  if (call?.querySelector("details")) call.querySelector("details").open = true;
  call?.scrollIntoView({ block: "nearest" });
  return Boolean(call);
}

async function send(form, body) {
  const headers = { "X-Part": "call", "X-CSRFToken": document.body.dataset.csrf };
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers });
    if (!swap(await answer.text()).length) reload();
    const refusal = document.querySelector("#refusal.loud");
    if (!answer.ok && refusal) refusal.scrollIntoView({ block: "start" });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the button is still there
    const unheard = document.querySelector("#call .unheard");
    if (unheard) unheard.hidden = false;
  }
}

async function refresh(stamp) {
  if (stamp === list().dataset.stamp) return;
  const answer = await fetch(list().dataset.from, { headers: { "X-Part": "calls" } });
  if (answer.ok) swap(await answer.text());
}

/** Marks the rows of the calling tables and counts them in the page title. */
export function markCalls(title) {
  const at = numbers(list().dataset.at);
  for (const row of document.querySelectorAll("[data-table]"))
    row.classList.toggle("calling", at.includes(row.dataset.table));
  if (title) document.title = at.length ? `(${at.length}) ${title}` : title;
  for (const box of document.querySelectorAll("[data-call-sound]")) box.checked = sounds();
  tellMinutes();
}

function tellMinutes() {
  for (const since of document.querySelectorAll("[data-since]")) {
    const minutes = Math.floor((Date.now() - Date.parse(since.dataset.since)) / 60_000);
    since.textContent = minutes > 0 ? ` · ${minutes} ${since.dataset.minutes}` : "";
  }
}
