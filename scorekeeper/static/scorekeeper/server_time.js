// The server's time, because the clocks of phones and TVs are often wrong.

let ahead = null; // ms by which the server's clock is ahead of this device's, at most; null until it is known

/** The server's time in ms, or a moment later: so no clock shows more time than is left. null until it is known. */
export const serverTime = () => (ahead === null ? null : Date.now() + ahead);

/** Compares the clocks by the header of an answer. Without it, the device's own clock is used. */
export async function askTheTime() {
  const asked = Date.now();
  try {
    const answer = await fetch(document.querySelector("link[rel=icon]").href, { method: "HEAD", cache: "no-store" });
    ahead = Number.parseInt(answer.headers.get("X-Time"), 10) - asked || 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    ahead = 0; // no network
  }
}
