// C03: an overlong encoding of a slash
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
put(frame_of_bytes(Uint8Array.of(...utf8('{"frame":"done","result":"'), 0xc0, 0xaf, ...utf8('"}')))); stall();
