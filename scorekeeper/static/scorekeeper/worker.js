// The service worker, if the browser allows one: opens a table's page offline as this phone last showed it.
// It always tries the network first. It stores only pages that the server marks, for as long as the server allows.

const PAGES = "pages";
const FILES = "files";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (mode === "navigate") event.respondWith(page(event.request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(file(event.request));
});

/** Stores what a page loaded before the worker started. */
self.addEventListener("message", (event) => event.waitUntil(keepFiles(event.data, event.source.url)));

async function page(request, pathname) {
  const kept = await caches.open(PAGES);
  let answer;
  try {
    answer = await fetch(request);
    if (answer.status < 502) {
      await keepOrForget(kept, pathname, answer);
      return answer;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network
  }
  return (await kept.match(pathname)) ?? answer ?? Response.error();
}

async function keepOrForget(kept, pathname, answer) {
  if (answer.headers.has("X-Keep")) await kept.put(pathname, answer.clone());
  else await kept.delete(pathname);
}

async function file(request) {
  const kept = await caches.open(FILES);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no network
    return (await kept.match(request)) ?? Response.error();
  }
}

async function keepFiles(addresses, from) {
  const files = await caches.open(FILES);
  const ours = addresses.filter((address) => new URL(address).pathname.startsWith("/static/"));
  await Promise.allSettled(ours.map((address) => files.add(address)));
  const answer = await fetch(from);
  await keepOrForget(await caches.open(PAGES), new URL(from).pathname, answer);
}
