// Stores unanswered entries on this phone, so that they survive a reload or an empty battery.

const NAME = "scorekeeper";
const ENTRIES = "entries";

let opened = null;
const here = new Map(); // used when the browser cannot store anything: lost when the page closes

/** Whether stored entries survive closing the page. */
export let lasts = true;

export const all = () =>
  run(
    "readonly",
    (entries) => entries.getAll(),
    () => [...here.values()],
  );

/** Stores the entry, last in order if it is new. Returns it with its order. */
export async function keep(entry) {
  const order = await run(
    "readwrite",
    (entries) => entries.put(entry),
    () => {
      const order = entry.order ?? here.size + performance.now();
      here.set(order, { ...entry, order });
      return order;
    },
  );
  return { ...entry, order };
}

export const forget = ({ order }) =>
  run(
    "readwrite",
    (entries) => entries.delete(order),
    () => here.delete(order),
  );

async function run(mode, work, without) {
  const database = await open();
  if (!database) return without();
  return new Promise((resolve, reject) => {
    // Write to disk, not only to a buffer, before the page shows the entry.
    const transaction = database.transaction(ENTRIES, mode, { durability: "strict" });
    const request = work(transaction.objectStore(ENTRIES));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

function open() {
  opened ??= new Promise((resolve) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(ENTRIES, { keyPath: "order", autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => {
      lasts = false; // the unsent bar shows a warning
      resolve(null);
    };
  });
  return opened;
}
