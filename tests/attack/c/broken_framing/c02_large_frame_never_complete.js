// C02: a frame of 16 MB of which the last byte never comes costs the gateway no more than its reading buffer
// guest: probe
// with: frames.js
// options: --timeout 2s
// gateway-peak: 56MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
const size = 16 << 20;
put(prefix(size));
const piece = new Uint8Array(1 << 20).fill(32);
for (let i = 0; i < 15; i++) put(piece);
put(piece.subarray(1));
stall();
