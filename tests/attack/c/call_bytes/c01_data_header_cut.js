// C01: a piece that ends inside its header
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 3));
put(frame_of_bytes(Uint8Array.of(0, 1, 0, 0, 0)));
stall();
