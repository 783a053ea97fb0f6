// D01: a path whose bytes are not UTF-8
// guest: probe
// with: frames.js
// files: spare.txt = spare
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
const [before, after] = ['{"frame":"call","id":1,"op":"fs.read","args":{"path":"{folder}/', '"}}'].map(utf8);
put(frame_of_bytes(Uint8Array.of(...before, ...[0xed, 0xa0, 0x80], ...after)));
stall();
