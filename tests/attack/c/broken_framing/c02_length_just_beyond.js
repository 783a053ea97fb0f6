// C02: a length just beyond what a result may have
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "FRAME_TOO_LARGE"}}
put(prefix((16 << 20) + 4097)); stall();
