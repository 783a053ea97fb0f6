// C03: a result that is not UTF-8
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
put(frame_of_bytes(Uint8Array.of(...utf8('{"frame":"done","result":"'), 0xff, 0xfe, ...utf8('"}')))); stall();
