// Follows what the page shows, by server-sent events: after sleep, a tunnel or a restart the present state comes first.
import { keepForLater, matchHere } from "./ahead.js";
import { haltOf, resume, unsentOf } from "./queue.js";
import { swap } from "./swap.js";

const PATIENCE = 1500; // ms without a connection before it is said
const AGAIN = 3000; // ms before a connection the browser gave up is tried again

let source = null;
let alarm = 0;
let retry = 0;
let hiddenAt = 0;

/** Follows the part of the page that says what it shows (data-live, data-part), if there is one. */
export function follow() {
  if (!followed()) return;
  connect();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    // A phone that slept may hold a connection that died without a word.
    else if (Date.now() - hiddenAt > 3000 || source?.readyState !== EventSource.OPEN) connect();
  });
  addEventListener("online", connect);
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("pagehide", () => source?.close());
}

export const followed = () => document.querySelector("[data-live]");

export function connect() {
  const { live, part } = followed().dataset;
  clearTimeout(retry);
  source?.close();
  source = new EventSource(`/live/?topic=${live}&part=${part}`);
  source.onopen = () => {
    connected();
    resume();
  };
  source.onerror = lost;
  source.addEventListener(part, (event) => arrived(event.data));
  source.addEventListener("reset", anew);
}

function connected() {
  clearTimeout(alarm);
  alarm = 0;
  document.getElementById("waiting").hidden = true;
}

function lost() {
  alarm ||= setTimeout(() => (document.getElementById("waiting").hidden = false), PATIENCE);
  if (source.readyState !== EventSource.CLOSED) return;
  later(connect);
  refused(source.url);
}

function later(what) {
  retry = setTimeout(what, AGAIN);
}

/** A stream that is refused (a pass that ran out) needs another page, not another try. */
async function refused(url) {
  const asked = new AbortController();
  try {
    const answer = await fetch(url, { signal: asked.signal });
    if (answer.status === 403 || answer.status === 404) anew();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: it is tried again
  } finally {
    asked.abort();
  }
}

/** Another page is due: another phone took the pad, a pass ran out, other data. Nothing typed is taken away. */
async function anew() {
  source.close();
  if (document.body.dataset.sending) return later(anew);
  if (document.querySelector("#refusal [data-take]")) return;
  const handed = (typedInto(followed()) || unsentHere()) && (await whoHasThePad());
  if (handed === undefined) return later(anew);
  if (!handed && unsentHere()) return later(connect); // what is unsent says why
  if (!handed) return location.reload();
  swap(`<div id="refusal" class="said" role="alert">${handed.outerHTML}</div>`);
}

/** Null where nobody else has it, undefined where there is no network to ask over. */
async function whoHasThePad() {
  try {
    const answer = await fetch(location.pathname);
    return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".handed");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

function arrived(html) {
  connected();
  const here = followed();
  const drawn = new DOMParser().parseFromString(html, "text/html").body;
  const sheet = drawn.querySelector("[data-live][data-version]");
  if (sheet) {
    // What stands beside the sheet takes nothing away from what is typed in it.
    for (const part of drawn.children) if (part !== sheet) swap(part.outerHTML);
    if (sheet.dataset.version === here.dataset.version) return;
    html = sheet.outerHTML;
  }
  if (unsentHere()) {
    keepForLater(html);
    if (haltOf(matchHere())) offer(html);
    return;
  }
  // Nothing typed is taken away: it is said that there is a newer sheet.
  if (typedInto(here) || document.body.dataset.sending) offer(html);
  else swap(html);
}

/** Whether the page has gone on from what the server knows. */
const unsentHere = () => unsentOf(matchHere()).some(({ shown }) => shown);

function typedInto(part) {
  return [...part.querySelectorAll("input:not([type=hidden])")].some((input) =>
    "checked" in input && /radio|checkbox/.test(input.type)
      ? input.checked !== input.defaultChecked
      : input.value !== input.defaultValue,
  );
}

function offer(html) {
  const note = document.getElementById("newer");
  if (!note || document.body.dataset.sending) return;
  swap(note.innerHTML);
  document.querySelector("[data-newer]").addEventListener("click", () => {
    swap(`<div id="refusal"></div>${html}`);
  });
}
