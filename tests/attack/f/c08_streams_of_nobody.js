// C08: a stream that was never opened
// guest: probe
// with: frames.js
// with: calls.js
// options: --allow-net=good.test --timeout 5s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
call('net.fetch', { method: 'GET', url: 'http://good.test/ok', headers: [], redirect: 'follow', body: 'none' });
send(call_text('net.read', { stream: 2 })); stall();
