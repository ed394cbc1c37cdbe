// Turns a tap into an entry: saves it on this phone, sends it and shows the next sheet from the answer. If no answer
// comes, the page moves on by itself and shows clearly what is unsent.
import { goOn, hands, isAhead, isBehind, keepForLater, matchHere, showDrawn, stopWaiting, waits } from "./ahead.js";
import { preview } from "./preview.js";
import { attempt, cutOff, enter, haltOf, restore, show, takeBack, unsentOf } from "./queue.js";
import { showRefusal } from "./refusal.js";
import { reload, swap } from "./swap.js";
import { pointAtUnsent, worded } from "./unsent.js";

const PATIENCE = 400; // ms to wait for an answer before the page moves on by itself

let entering = false; // true from the tap until the answer comes or the page moves on
let waiting = null; // the entry whose answer may still come in time

export function listenForEntries() {
  const submitted = (event) => {
    const form = event.target.closest("form[data-entry]");
    if (!form) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    if (body.has("preview")) return void previewed(form, event.submitter);
    submit(form, body, event.submitter);
  };
  // In the capture phase: a submit inside a refusal over the tray does not bubble up through the form around it.
  document.addEventListener("submit", submitted, true);
  document.addEventListener("answered", ({ detail }) => answered(detail));
  document.addEventListener("unsent", () => isBehind() && !unsentOf(matchHere()).length && !entering && showDrawn());
  document.addEventListener("unsent", () => waiting && cutOff() && goesOn(waiting));
  addEventListener("online", attempt);
  document.addEventListener("visibilitychange", () => document.hidden || attempt());
}

/** Sends what an earlier page could not send, with the same keys. */
export function sendUnsent() {
  restore();
  setTimeout(step, PATIENCE);
}

async function submit(form, body, button) {
  if (entering || waits()) return pointAtUnsent();
  const [, match] = form.action.match(/\/matches\/(\d+)\//);
  const halt = haltOf(match);
  if (halt && halt.status !== 422) return pointAtUnsent();
  const before = unsentOf(match);
  const stands = before.filter((entry) => !entry.undoes && !before.some(({ undoes }) => undoes === entry.key));
  const undo = !halt && before.length > 0 && body.get("entry") === '{"kind":"undo"}';
  const undone = undo && stands.at(-1);
  if (undone && before.at(-1) === undone && (await takeBack(undone))) return step();
  entering = true;
  document.body.dataset.sending = "1";
  document.querySelector("[data-until-entered]")?.remove();
  const seen = Number(body.get("seen") ?? -1);
  for (const field of ["csrfmiddlewaretoken", "key", "seen"]) body.delete(field);
  const entry = { match, url: form.action, body: `${body}`, seen, ...(undone && { undoes: undone.key }), ...here() };
  entry.words = worded(entry, halt ? hands([]).at(-1) : hands(before).at(-1), button);
  const kept = await enter(entry, halt && before[0]);
  if (cutOff()) return goesOn(kept);
  waiting = kept;
  setTimeout(() => goesOn(kept), PATIENCE);
}

/** The page where the entry was made, so that other pages can link to it. */
const here = () => ({ page: location.pathname, title: document.title });

/** The answer is late, or there is no network: treats the entry as accepted and moves the page on. */
async function goesOn(entry) {
  waiting = null;
  if (entry.shown || !unsentOf(entry.match).some(({ key }) => key === entry.key)) return;
  await show(entry);
  step();
}

function step() {
  done();
  if (unsentOf(matchHere()).length) goOn();
  document.dispatchEvent(new CustomEvent("unsent"));
}

function done() {
  entering = false;
  delete document.body.dataset.sending;
}

function answered({ entry, status, html }) {
  if (!entry.shown) done();
  const mine = entry.match === matchHere();
  const more = unsentOf(entry.match).length;
  if (!mine) return;
  if (status === 200 && more) {
    keepForLater(html);
    if (haltOf(entry.match) || !isAhead()) showDrawn();
    return;
  }
  if (haltOf(entry.match)) return heldUp(status, html);
  stopWaiting();
  if (status !== 200 && isAhead()) showDrawn();
  if (!showDrawn(html).length) reload();
  showRefusal();
}

/** The server did not accept an entry that was shown as entered: goes back to the server's sheet. */
function heldUp(status, html) {
  if (status === 409) keepForLater(html);
  if (status === 409 || !waits()) showDrawn();
  stopWaiting();
  if (status === 422 || (status === 403 && html.includes("data-take"))) {
    swap(html);
    showRefusal();
  }
}

/** For a button that previews the score: without network, says how to save the entry without a preview. */
async function previewed(form, button) {
  const kept = document.getElementById("ahead-keep")?.content.firstElementChild;
  const slot = form.querySelector(".preview");
  if ((await preview(form, "sheet", button)) || !kept || !slot) return;
  slot.replaceChildren(kept.cloneNode(true));
}
