// The clock of a match: counts down, then shows what the server drew for the end.
import { askTheTime, serverTime } from "./server_time.js";

let asked = false;

const WARNING = 300; // seconds before the end

export function startClock() {
  document.addEventListener("news", (event) => show(event.target));
  setInterval(() => show(document), 1000);
  show(document);
}

function show(inside) {
  if (!inside.querySelector("[data-from]")) return;
  const now = serverTime();
  if (now === null) {
    if (!asked) askTheTime().then(() => show(document));
    asked = true;
    return;
  }
  for (const left of inside.querySelectorAll("[data-left]")) {
    const seconds = Math.max(0, Math.ceil((Date.parse(left.dataset.left) - now) / 1000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    warn(left.closest("[data-warn]"), seconds <= WARNING);
  }
  for (const each of inside.querySelectorAll("[data-until]")) each.hidden = now >= Date.parse(each.dataset.until);
  for (const each of inside.querySelectorAll("[data-from]")) {
    const rings = each.hidden && now >= Date.parse(each.dataset.from);
    each.hidden = now < Date.parse(each.dataset.from);
    if (rings && each.matches(".ending")) ring(each);
  }
}

/** Marks a clock that will soon run out, and says so once. A page that opens later only shows it. */
function warn(clock, soon) {
  if (!clock) return;
  if (soon && clock.dataset.soon === "no") document.getElementById("announce").textContent = clock.dataset.warn;
  clock.dataset.soon = soon ? "yes" : "no";
}

/** Announces the end now, so that the same news from the server is not announced again. */
function ring(ending) {
  ending.closest("[data-live]").dataset.ending = ending.textContent;
  document.getElementById("announce").textContent = ending.textContent;
}
