// B14: a frame that comes one byte now and then: the wall clock does not wait for its end
// guest: probe
// with: frames.js
// options: --timeout 500ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}, "logs": []}
let sink = 1;
const pause = () => { for (let i = 0; i < 1e6; i++) sink = (sink * 7 + i) % 1000003; };
const bytes = frame_of('{"frame":"log","level":"log","text":"' + 'x'.repeat(60000) + '"}');
for (const byte of bytes) { put(Uint8Array.of(byte)); pause(); }
return 'sent';
