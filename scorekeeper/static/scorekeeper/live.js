// Updates the page by server-sent events. After a break in the connection, the server sends the current state first.
import { keepForLater, matchHere, matchIn } from "./ahead.js";
import { haltOf, resume, unsentOf } from "./queue.js";
import { reload, swap } from "./swap.js";

const PATIENCE = 1500; // ms without a connection before the page says so
const AGAIN = 3000; // ms to wait after the browser gives up before connecting again
const UNSEEN = 5000; // ms in a hidden tab before it lets go: a browser opens six connections to a server

let source = null;
let alarm = 0;
let retry = 0;
let hiddenAt = 0;
let leaving = 0;

/** Follows the part of the page with data-live and data-part, if there is one. */
export function follow() {
  if (!followed()) return;
  connect();
  document.addEventListener("visibilitychange", () => {
    clearTimeout(leaving);
    if (document.hidden) {
      hiddenAt = Date.now();
      if (followed().dataset.part !== "pad") leaving = setTimeout(() => source.close(), UNSEEN);
    }
    // After sleep, a connection may be dead without any error.
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
  source.addEventListener("reset", reloadPage);
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

/** If the server refuses the stream (for example, a pass has expired), loads a new page instead of trying again. */
async function refused(url) {
  const asked = new AbortController();
  try {
    const answer = await fetch(url, { signal: asked.signal });
    if (answer.status === 403 || answer.status === 404) reloadPage();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network: it is tried again
  } finally {
    asked.abort();
  }
}

/** Reloads the page after another phone took the pad, a pass expired or the data changed. Keeps what was typed. */
async function reloadPage() {
  source.close();
  if (document.body.dataset.sending) return later(reloadPage);
  if (document.querySelector("#refusal [data-take]")) return;
  const handed = (typedInto(followed()) || unsentHere()) && (await whereThePadIs());
  if (handed === undefined) return later(reloadPage);
  // What is typed stays until it is sent: the answer, or the bar with what is unsent, says why it is refused.
  const told = unsentHere() && !handed?.querySelector("[data-take]");
  if (told || (!handed && typedInto(followed()))) return later(connect);
  if (!handed) return reload();
  swap(`<div id="refusal" class="message" role="alert">${handed.outerHTML}</div>`);
}

/** The notice that says why the pad is not here; null if it is here, undefined without network. */
async function whereThePadIs() {
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
    // Replacing the parts next to the sheet does not lose anything typed in the sheet.
    for (const part of drawn.children) if (part !== sheet) swap(part.outerHTML);
    if (sheet.dataset.version === here.dataset.version) return;
    html = sheet.outerHTML;
  }
  if (unsentHere()) {
    keepForLater(html);
    if (haltOf(matchHere())) offer(html);
    return;
  }
  // Keep what was typed, and offer the newer sheet.
  if (typedInto(here) || document.body.dataset.sending) offer(html);
  // In another match, the owner of this phone may sit at another table: only the whole page says where.
  else if (document.querySelector("[data-mine]") && matchIn(sheet) !== matchHere()) reload();
  else swap(html);
}

/** Whether the page shows unsent entries. */
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
