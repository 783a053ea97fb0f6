// F08: what was meant for one origin is not sent to another, and no cookies are kept
// options: --allow-net=good.test,other.test,sub.good.test
// expect: {"result": {"other": [], "sub": [], "same": true, "cookie": []}}
const headers = { authorization: 'Bearer SECRETWORD', cookie: 'a=SECRETWORD', 'x-api-key': 'SECRETWORD', 'proxy-authorization': 'Basic SECRETWORD' };
const lines = async (url, options) => (await (await fetch(url, options)).text()).split('\r\n');
const secret = (list) => list.filter((line) => line.includes('SECRETWORD'));
const other = secret(await lines('http://good.test/to?http://other.test/echo', { headers }));
const sub = secret(await lines('http://good.test/to307?http://sub.good.test/echo', { headers }));
const same = secret(await lines('http://good.test/to?/echo', { headers })).length > 0;
await (await fetch('http://good.test/cookie')).text();
const cookie = (await lines('http://good.test/echo')).filter((line) => /cookie/i.test(line));
return { other, sub, same, cookie };
