// C03: a bare zero byte inside of a string
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
put(frame_of_bytes(Uint8Array.of(...utf8('{"frame":"done","result":"a'), 0, ...utf8('b"}')))); stall();
