// C01: fewer bytes than announced, and then silence: only this run waits
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 500ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 10));
put(data_frame(1, utf8('abc')));
stall();
