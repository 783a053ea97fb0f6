// C13: names of artifacts that lead elsewhere, fake a line of a screen or a header, past the bridge
// guest: probe
// with: frames.js
// with: calls.js
// expect: {"result": ["TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "ok"], "artifacts": [{"name": "fine.txt", "type": "text/plain"}]}
const names = ['../../etc/cron.d/x', '/tmp/x', 'a\u0000b', 'a\r\nSet-Cookie: x=y', '\u202egpj.exe', '\u001b[2J'];
return [...names, 'fine.txt'].map((name) => said(call('emit', { name, type: 'text/html\r\nX: y' }, utf8('x'))));
