// A stream of server-sent events. All tabs share one, because a browser opens only six connections to a server.
import { follow } from "./source.js";

/** Calls `told` with the data of each new drawing of the part. */
export function stream(topic, part, told) {
  const address = `/live/?topic=${topic}&part=${part}`;
  if (!window.SharedWorker) return follow(address, told);
  const { lang } = document.documentElement;
  const { port } = new SharedWorker(new URL("./shared_streams.js", import.meta.url), { type: "module", name: lang });
  port.onmessage = ({ data }) => told(data);
  port.postMessage(address);
  addEventListener("pagehide", () => port.postMessage(""));
  addEventListener("pageshow", (event) => event.persisted && port.postMessage(address));
}
