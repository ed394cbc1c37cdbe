// A stream of server-sent events that comes back, even after an answer that makes the browser give up.

const AGAIN = 3000; // ms to wait before connecting again

/** Calls `told` with the data of each new drawing of the part. */
export function stream(topic, part, told) {
  const source = new EventSource(`/live/?topic=${topic}&part=${part}`);
  source.addEventListener(part, ({ data }) => told(data));
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(stream, AGAIN, topic, part, told);
  });
}
