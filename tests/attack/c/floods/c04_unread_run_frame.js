// C04: a guest that floods the socket while it reads nothing: log lines beyond the limit end it
// guest: probe
// with: frames.js
// options: --timeout 3s
// gateway-peak: 16MB
// expect: {"error": {"code": "LOG_LIMIT"}, "metrics": {"logsTruncated": true}}
const line = frame_of('{"frame":"log","level":"log","text":"' + 'x'.repeat(60000) + '"}');
while (put(line) > 0);
stall();
