// Features that browsers allow only on https or localhost: opening the page offline and keeping the screen on.

import { isAhead, pageAsDrawn } from "./ahead.js";

const PAGES = "pages";

export function openOffline() {
  if (!isSecureContext) return;
  if (navigator.serviceWorker) keepThePage();
  if (navigator.wakeLock) stayAwake();
}

/** The worker stores this phone's table page, and deletes it after signing out or losing the pad. */
async function keepThePage() {
  document.addEventListener("submit", ({ target }) => {
    if (target.action?.endsWith("/logout/")) caches.delete(PAGES);
  });
  document.addEventListener(
    "news",
    ({ target }) => target.matches("#sheet[data-part=pad]") && !isAhead() && keepNewest(),
  );
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  // Files that were loaded before the worker started.
  active.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
}

/** Replaces the stored page, if there is one, with the page as the server would send it now. */
async function keepNewest() {
  const pages = await caches.open(PAGES);
  const before = await pages.match(location.pathname);
  if (before) await pages.put(location.pathname, new Response(pageAsDrawn(), { headers: before.headers }));
}

/** Keeps the screen on while players think. */
function stayAwake() {
  const ask = () => {
    if (document.hidden || !document.querySelector("[data-part=pad] form.play")) return;
    navigator.wakeLock.request("screen").catch(() => {}); // the browser may refuse when the battery is low
  };
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("news", ({ target }) => target.id === "sheet" && ask());
  ask();
}
