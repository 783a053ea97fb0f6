// C03: one repetition among 10^5 keys
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
const members = []; for (let i = 0; i < 1e5; i++) members.push('"k' + i + '":0'); members.push('"k500":1');
send('{"frame":"done","result":{' + members.join() + '}}'); stall();
