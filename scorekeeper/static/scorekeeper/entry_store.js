// What is entered and not answered yet, kept on this phone: it survives a reload, an empty battery, a night.

const NAME = "scorekeeper";
const ENTRIES = "entries";

let opened = null;
const here = new Map(); // where the browser keeps nothing: only as long as the page is open

/** Whether what is kept outlives the page. */
export let lasts = true;

export const all = () =>
  run(
    "readonly",
    (entries) => entries.getAll(),
    () => [...here.values()],
  );

/** Keeps the entry, behind all others if it is new; gives it with its place in the order. */
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
    // Written to disk, not only to a buffer, before it is shown as entered.
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
      lasts = false; // said with what is unsent
      resolve(null);
    };
  });
  return opened;
}
