// C02: a length prefix of 4 GiB - 1
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "FRAME_TOO_LARGE"}}
put(prefix(0xffffffff)); stall();
