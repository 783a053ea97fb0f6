// F04: redirects to where no grant leads, of every status
// with: fetches.js
// options: --allow-net=good.test,local.test --max-log 1MB --timeout 20s
// expect: {"result": []}
const wrong = [];
for (const way of ['to', 'to307', 'to308']) {
  wrong.push(...await other_than(['PermissionDenied', 'TypeError'], ['http://127.0.0.1/', 'http://[::1]/', 'http://localhost/', 'http://other.test/ok', 'http://good.test:81/', 'https://good.test/', 'http://local.test/', '//127.0.0.1/', 'http://2130706433/', 'http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd', 'data:text/plain,x', 'blob:x', 'javascript:1', 'ftp://good.test/', 'gopher://127.0.0.1:80/', 'dict://127.0.0.1:80/', 'http://good.test@127.0.0.1/', 'http://127.0.0.1#@good.test/', 'http://127.0.0.1\\@good.test/', 'http:///127.0.0.1/', 'http:127.0.0.1', '\\\\127.0.0.1/'].map((to) => `http://good.test/${way}?${to}`)));
}
return wrong;
