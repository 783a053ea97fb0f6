// C04: results of 8 MB each, none of which is read; what waits is bounded
// guest: probe
// with: frames.js
// with: calls.js
// gateway-peak: 220MB
// options: --tools demo --cpu 2s
// expect: {"error": {"code": "CPU_LIMIT"}}
for (let i = 0; i < 60; i++) send(call_text('tool', { server: 'demo', tool: 'big', arguments: { bytes: 8_000_000 } }));
for (;;) ;
