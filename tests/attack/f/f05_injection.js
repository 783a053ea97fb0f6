// F05: line breaks and headers that would become another request
// with: fetches.js
// options: --allow-net=good.test
// expect: {"result": {"wrong": [], "paths": []}}
const wrong = [];
for (const [name, value] of [['x', 'a\r\nHost: 127.0.0.1'], ['x\r\nHost', '127.0.0.1'], ['x', 'a\0b'], ['x y', 'a'], ['x:', 'a'], ['', 'a'], ['x', 'a\nb'], ['x', '\u0100']]) {
  try { await fetch('http://good.test/echo', { headers: { [name]: value } }); wrong.push([name, value]); } catch (error) { if (!(error instanceof TypeError)) wrong.push([name, error.name]); }
}
for (const method of ['GET / HTTP/1.1\r\nX: y\r\n\r\nGET', 'CONNECT', 'TRACE', 'TRACK', 'G ET', '', 'GET\0', 'POST\r\n']) {
  try { await fetch('http://good.test/echo', { method }); wrong.push(method); } catch (error) { if (!(error instanceof TypeError)) wrong.push([method, error.name]); }
}
const paths = [];
for (const path of ['/echo?\r\nX-Evil:%20y', '/echo?%0d%0aX-Evil: y', '/echo?a b\r\n\r\nGET /forged HTTP/1.1', '/echo?\0', '/echo?\u2028', '/echo?#\r\nX-Evil: y']) {
  const end = await outcome_of('http://good.test' + path);
  if (/\nx-evil|forged HTTP\/1.1\r/i.test(end)) paths.push(end);
}
return { wrong, paths };
