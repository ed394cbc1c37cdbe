// The worker that follows streams for all tabs of a browser. A tab sends the address of its stream, or nothing when it
// leaves.
import { follow } from "./source.js";

const streams = new Map(); // by address: the tabs that follow it, the newest data, and what ends it

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data: address }) => {
    leave(port);
    if (address) join(port, address);
  };
};

function join(port, address) {
  const stream = streams.get(address) ?? begin(address);
  stream.tabs.add(port);
  if (stream.newest !== null) port.postMessage(stream.newest); // it may be newer than the page
}

function begin(address) {
  const stream = { tabs: new Set(), newest: null };
  stream.end = follow(address, (data) => {
    stream.newest = data;
    for (const tab of stream.tabs) tab.postMessage(data);
  });
  streams.set(address, stream);
  return stream;
}

function leave(port) {
  for (const [address, { tabs, end }] of streams) {
    if (!tabs.delete(port) || tabs.size) continue;
    end();
    streams.delete(address);
  }
}
