// C03: a surrogate as UTF-8
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
put(frame_of_bytes(Uint8Array.of(...utf8('{"frame":"done","result":"'), 0xed, 0xa0, 0x80, ...utf8('"}')))); stall();
