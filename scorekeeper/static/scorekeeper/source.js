// A connection for server-sent events that comes back, even after an answer that makes the browser give up.

const AGAIN = 3000; // ms to wait before connecting again

/** Calls `told` with the data of each message. Returns what ends it. */
export function follow(address, told) {
  const part = address.split("part=")[1];
  let source;
  let retry = 0;
  const connect = () => {
    source = new EventSource(address);
    source.addEventListener(part, ({ data }) => told(data));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, AGAIN);
    });
  };
  connect();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}
