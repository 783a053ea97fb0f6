// C02: random bytes with a proper length
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
const bytes = new Uint8Array(1000); crypto.getRandomValues(bytes); put(frame_of_bytes(bytes)); stall();
