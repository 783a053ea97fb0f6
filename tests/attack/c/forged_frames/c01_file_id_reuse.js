// C01: the id of a call that is answered, once more
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
call('fs.stat', { path: '{folder}/x.txt' });
send(call_text('fs.stat', { path: '{folder}/x.txt' }, 0, 1));
stall();
