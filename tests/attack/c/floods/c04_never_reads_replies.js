// C04: calls that are answered at once, and answers that are never read: they must not pile up in the gateway
// guest: probe
// with: frames.js
// options: --timeout 10s
// gateway-peak: 16MB
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
// Few enough at a time that none is too many in flight.
const batch = 50;
let sink = 1;
const pause = () => { for (let i = 0; i < 2e6; i++) sink = (sink * 7 + i) % 1000003; };
for (let id = 1; ; id += batch) {
  const parts = [];
  for (let i = id; i < id + batch; i++) parts.push(...frame_of('{"frame":"call","id":' + i + ',"op":"sleep","args":{"until":0}}'));
  if (put(Uint8Array.from(parts)) < 0) break;
  pause();
}
stall();
