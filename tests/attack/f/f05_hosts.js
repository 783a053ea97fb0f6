// F05: hosts that one parser reads as granted and another as something else
// with: fetches.js
// options: --allow-net=good.test --max-log 1MB --timeout 20s
// expect: {"result": {"wrong": [], "same": []}}
const elsewhere = ['http://127.0.0.1#@good.test/', 'http://127.0.0.1?@good.test/', 'http://127.0.0.1/@good.test/', 'http://good.test@127.0.0.1/', 'http://good.test:80@127.0.0.1/', 'http://good.test%40127.0.0.1/', 'http://127.0.0.1\\@good.test/', 'http://127.0.0.1:80\\good.test/', 'http://good.test\0.other.test/', 'http://other.test\0.good.test/', 'http://other.test%00.good.test/', 'http://other.test%2f.good.test/', 'http://other.test%23.good.test/', 'http://g\u043e\u043ed.test/', 'http://good\u3002other.test/', 'http://good.test:0/', 'http://good.test:65536/', 'http://good.test:-1/', 'http://good.test:80:81/', 'http://[good.test]/', 'http://good.test /', 'http:// good.test/', 'http://good_.test/', 'http://good.test:8 0/', 'http://..good.test/', 'http://good..test/', 'http://good.test../', 'ws://good.test/', 'ftp://good.test/', 'file://good.test/etc/passwd', '//good.test/', 'good.test', '', 'http://', 'about:blank'];
const wrong = await other_than(['PermissionDenied', 'TypeError', 'SyntaxError'], elsewhere);
// The same host, however it is written; a backslash is a slash.
const same = await other_than(['200 ok', '404 '], ['http://good.test\\@127.0.0.1/', 'http://GOOD.test/ok', 'http://good.TEST:80/ok', 'http:good.test/ok', 'http:/good.test/ok', 'http:\\\\good.test\\ok', 'http://g%6fod.test/ok', 'http://\uff47ood.test/ok', 'http://good\u3002test/ok', 'h\nttp://good\t.test/ok', 'http://good.test/a/../ok', 'http://good.test/%6fk'.replace('%6f', 'o')]);
return { wrong, same: same.filter((text) => !/PermissionDenied|TypeError/.test(text)) };
