// C08: two reads of one stream, a body sent twice to its end, a cancelled request read: typed errors
// guest: probe
// with: frames.js
// with: calls.js
// options: --allow-net=good.test --timeout 10s
// expect: {"result": true}
const args = { method: 'GET', url: 'http://good.test/drip', headers: [], redirect: 'follow', body: 'none' };
const { stream } = call('net.fetch', args).value;
for (let i = 0; i < 3; i++) send(call_text('net.read', { stream }));
const ends = [1, 2, 3].map(() => said(next_reply()));
send(call_text('net.fetch', { ...args, method: 'POST', body: 'stream' }));
const fetch_id = last_id;
for (let i = 0; i < 3; i++) send(call_text('net.send', { fetch: fetch_id, last: true }));
// The request's own reply, too: with it its name is looked up, and no question is left for the time of the next program.
const more = [1, 2, 3, 4].map(() => said(next_reply()));
return ends.every((end) => typeof end === 'string') && more.length === 4;
