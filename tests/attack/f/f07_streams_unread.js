// F07: 200 streams, of which as many pieces are asked for and never taken
// guest: probe
// with: frames.js
// with: calls.js
// gateway-peak: 96MB
// options: --allow-net=good.test --timeout 1500ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
const streams = [];
for (let i = 0; i < 30; i++) streams.push(call('net.fetch', { method: 'GET', url: 'http://good.test/huge', headers: [], redirect: 'follow', body: 'none' }).value.stream);
for (let round = 0; round < 8; round++) for (const stream of streams) send(call_text('net.read', { stream }));
for (;;);
