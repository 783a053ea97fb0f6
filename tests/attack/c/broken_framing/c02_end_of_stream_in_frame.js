// C02: the process ends in the middle of a frame
// guest: probe
// with: frames.js
// expect: {"error": {"code": "GUEST_CRASHED"}}
put(frame_of('{"frame":"done","result":1}').subarray(0, 20));
syscall(231, 0);
