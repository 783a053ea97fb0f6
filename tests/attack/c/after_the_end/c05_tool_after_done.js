// C05: calls after `done` are ignored
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"result": 1}
send('{"frame":"done","result":1}');
for (let i = 0; i < 100; i++) send(call_text('tool', { server: 'demo', tool: 'echo', arguments: {} }));
stall();
