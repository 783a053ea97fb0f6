// C01: after the first result nothing counts any more
// guest: probe
// with: frames.js
// expect: {"result": "first", "logs": []}
const both = [frame_of('{"frame":"done","result":"first"}'), frame_of('{"frame":"log","level":"log","text":"late"}'), frame_of('{"frame":"done","result":"second"}')];
const bytes = new Uint8Array(both.reduce((sum, part) => sum + part.length, 0));
let at = 0;
for (const part of both) { bytes.set(part, at); at += part.length; }
put(bytes);
stall();
