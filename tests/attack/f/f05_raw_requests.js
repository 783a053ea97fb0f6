// F05: the same as raw calls, past the guest's own fetch
// guest: probe
// with: frames.js
// with: calls.js
// options: --allow-net=good.test --max-log 1MB
// expect: {"result": []}
const wrong = [];
const expect = (args, about) => {
  const reply = call('net.fetch', { method: 'GET', url: 'http://good.test/echo', headers: [], redirect: 'follow', body: 'none', ...args });
  if (reply.ok && !about(reply)) wrong.push(args);
};
const never = () => false;
for (const url of ['http://127.0.0.1/', 'file:///etc/passwd', 'http://good.test@127.0.0.1/', 'http://good.test\r\nHost: x/', 'http://good.test/\r\nX: y', 'http://good.test\u0000/', 'HTTP://127.0.0.1:80/', '', 'good.test', 'http://good.test:99999/', 'scp://good.test/', 'ldap://127.0.0.1/', 'smtp://good.test:25/', 'telnet://good.test:80/', 'http://' + 'a'.repeat(100000) + '/', 'unix:///tmp/x', 'http+unix://x/', 'tftp://127.0.0.1/', 'rtsp://good.test/', 'http://good.test/echo\u0000'])
  expect({ url }, (reply) => url.startsWith('http://good.test/') && !/\nX: y/.test(reply.text));
for (const headers of [[['x', 'a\r\nb: c']], [['x\n', 'a']], [['', 'a']], [['x', 'a\u0000']], [['x y', 'z']], Array.from({ length: 5000 }, (_, i) => ['x' + i, 'y']), [['x', 'y'.repeat(900000)]]]) expect({ headers }, never);
for (const method of ['CONNECT', 'TRACE', 'GET /x HTTP/1.1\r\n', '', 'a b', 'G\u0000T', 'M'.repeat(100000)]) expect({ method }, never);
return wrong;
