// C08: streams and requests that are over, sent to and cancelled again
// guest: probe
// with: frames.js
// with: calls.js
// options: --allow-net=good.test
// expect: {"result": ["ok", "BadResource", "ok", "ok", "ok", "ok", "ok", "ok"]}
const args = { method: 'GET', url: 'http://good.test/ok', headers: [], redirect: 'follow', body: 'none' };
const { stream } = call('net.fetch', args).value;
while (!call('net.read', { stream }).value?.done);
const first = last_id;
return [said(call('net.fetch', args)), said(call('net.read', { stream })), said(call('net.cancel', { stream })), said(call('net.cancel', { stream: 999 })), said(call('net.cancel', { fetch: 1 })), said(call('net.cancel', { fetch: -1, stream: -1 })), said(call('net.send', { fetch: 1, last: true })), said(call('net.cancel', {}))];
