// C04: log lines of no bytes still cost the gateway a line each
// guest: probe
// with: frames.js
// options: --timeout 60s --max-log 64KB
// gateway-peak: 32MB
// expect: {"error": {"code": "LOG_LIMIT"}}
// or: {"error": {"code": "EXECUTION_TIMEOUT"}, "metrics": {"logsTruncated": true}}
const one = frame_of('{"frame":"log","level":"log","text":""}');
const many = new Uint8Array(one.length * 1000);
for (let i = 0; i < 1000; i++) many.set(one, i * one.length);
while (put(many) > 0);
stall();
