// C02: half a frame, then silence: the wall clock ends it
// guest: probe
// with: frames.js
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
put(frame_of('{"frame":"done","result":1}').subarray(0, 20));
stall();
