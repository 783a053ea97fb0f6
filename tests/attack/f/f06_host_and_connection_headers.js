// F06: headers that belong to the connection are not the guest's to set
// options: --allow-net=good.test
// expect: {"result": {"host": ["Host: good.test"], "evil": []}}
const names = ['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Proxy-Connection', 'Proxy-Authorization', 'Keep-Alive', 'TE', 'Trailer', 'Expect', 'HTTP2-Settings', 'Via', 'Cookie2'];
const headers = Object.fromEntries(names.map((name) => [name, name === 'Content-Length' ? '5' : 'evil.test']));
let text = '';
try { text = await (await fetch('http://good.test/echo', { headers })).text(); } catch (error) { text = error.name; }
const lines = text.split('\r\n');
const allowed = /^(via|cookie2|te|trailer|expect): /i;
return { host: lines.filter((line) => /^host:/i.test(line)), evil: lines.filter((line) => line.includes('evil.test') && !allowed.test(line) || /^(transfer-encoding|content-length)/i.test(line)) };
