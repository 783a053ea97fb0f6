// C05: calls behind the result are not made
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": "first", "metrics": {"calls": 0}}
const parts = [frame_of('{"frame":"done","result":"first"}'), frame_of(call_text('fs.write', { path: '{folder}/late', create: true }, 3)), data_frame(1, utf8('abc')), frame_of(call_text('fs.remove', { path: '{folder}/x.txt' }))];
const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
let at = 0;
for (const part of parts) { bytes.set(part, at); at += part.length; }
put(bytes);
stall();
