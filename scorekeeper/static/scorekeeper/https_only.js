// What browsers allow only on https (or on the server's own machine): the page opens without network, the screen stays on.

import { isAhead, pageAsDrawn } from "./ahead.js";

const PAGES = "pages";

export function openOffline() {
  if (!isSecureContext) return;
  if (navigator.serviceWorker) keepThePage();
  if (navigator.wakeLock) stayAwake();
}

/** The worker keeps what this phone shows of its table; who signs out or loses the pad keeps nothing. */
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
  // What was loaded before there was a worker.
  active.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
}

/** Entered since it was loaded: the page is kept as it would be loaded now, if it is kept at all. */
async function keepNewest() {
  const pages = await caches.open(PAGES);
  const before = await pages.match(location.pathname);
  if (before) await pages.put(location.pathname, new Response(pageAsDrawn(), { headers: before.headers }));
}

/** The pad does not go dark while somebody thinks. */
function stayAwake() {
  const ask = () => {
    if (document.hidden || !document.querySelector("[data-part=pad] form.play")) return;
    navigator.wakeLock.request("screen").catch(() => {}); // an empty battery may refuse it
  };
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("news", ({ target }) => target.id === "sheet" && ask());
  ask();
}
