// B17: a write that announces 2^53 bytes and sends them: the quota ends it, and the gateway keeps none of it
// guest: probe
// with: frames.js
// with: calls.js
// files: spare.txt = spare
// gateway-peak: 16MB
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --max-write 1MB --timeout 1s
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
send(call_text('fs.write', { path: '{folder}/x', create: true }, 2 ** 53));
const piece = data_frame(1, new Uint8Array(262144));
for (;;) if (put(piece) < 0) stall();
