// Sends an entry without leaving the page: once, under its own key, until the server has answered.
import { swap } from "./swap.js";

const KEPT = "unsent"; // in sessionStorage: what must survive a reload
const PAUSES = [1000, 2000, 4000, 8000];

let waiting = null; // the entry that is on its way: {url, body}
let tries = 0;
let timer = 0;

export function listenForEntries() {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-entry]");
    if (!form) return;
    event.preventDefault();
    if (waiting) return; // a second tap
    const body = new URLSearchParams(new FormData(form, event.submitter));
    if (body.has("preview")) return void preview(form, "sheet");
    body.set("key", freshKey());
    send(form.action, body);
  });
  document.querySelector("#unsent button").addEventListener("click", attempt);
  addEventListener("online", () => waiting && attempt());
  addEventListener("beforeunload", (event) => waiting && tries && event.preventDefault());
}

/** What a reload found unsent goes on its way again, under the same key: entered twice it is one entry. */
export function sendUnsent() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  const { url, body } = JSON.parse(kept);
  send(url, new URLSearchParams(body));
}

/** What the form would count, shown in it; nothing is entered. As part "sheet" a refusal comes with its ways on. */
export async function preview(form, part = "preview") {
  const body = new URLSearchParams(new FormData(form));
  body.set("preview", "1");
  try {
    const answer = await post(form.action, body, part);
    if (!form.isConnected) return;
    swap(await answer.text());
    if (part === "sheet") showRefusal();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: the button is still there
  }
}

function send(url, body) {
  waiting = { url, body };
  tries = 0;
  sessionStorage.setItem(KEPT, JSON.stringify({ url, body: body.toString() }));
  document.body.dataset.sending = "1";
  document.querySelector("[data-until-entered]")?.remove();
  attempt();
}

async function attempt() {
  clearTimeout(timer);
  if (!waiting || waiting.busy) return;
  waiting.busy = true;
  let answer;
  try {
    answer = await post(waiting.url, waiting.body, "sheet");
    if (answer.status >= 502) throw new TypeError("the server is on its way back");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    waiting.busy = false;
    return later();
  }
  const html = await answer.text();
  done();
  const parts = swap(html);
  if (!parts.length) location.reload();
  showRefusal();
}

function showRefusal() {
  const refusal = document.getElementById("refusal");
  if (!refusal?.matches(".loud")) return;
  refusal.scrollIntoView({ block: "start" });
  refusal.focus({ preventScroll: true });
}

function later() {
  document.getElementById("unsent").hidden = false;
  timer = setTimeout(attempt, PAUSES[Math.min(tries++, PAUSES.length - 1)]);
}

function done() {
  waiting = null;
  sessionStorage.removeItem(KEPT);
  delete document.body.dataset.sending;
  document.getElementById("unsent").hidden = true;
}

function post(url, body, part) {
  const headers = { "X-Part": part, "X-CSRFToken": document.body.dataset.csrf };
  return fetch(url, { method: "POST", body, headers, redirect: "manual" });
}

/** A key no other entry has. On plain http in a hall there is no crypto.randomUUID. */
export function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
