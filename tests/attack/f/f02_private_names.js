// F02: names that lead to loopback, private, link-local, metadata, carrier and other inner addresses, all of them granted
// with: fetches.js
// options: --allow-net=* --max-log 1MB --timeout 20s
// expect: {"result": []}
const names = ['localhost', 'local.test', 'local2.test', 'zero.test', 'ten.test', 'metadata.test', 'home.test', 'office.test', 'carrier.test', 'bench.test', 'broadcast.test', 'multicast.test', 'alias.test', '127-0-0-1.nip.test', 'trap.good.test', 'LOCAL.test', 'local.test.'];
const six = ['six.test', 'unique.test', 'link.test', 'mapped.test', 'compatible.test', 'nat64.test', 'sixtofour.test', 'teredo.test', 'unspecified.test', 'ip6-localhost'];
return [...await other_than(['PermissionDenied'], names.map((name) => `http://${name}/`)), ...await other_than(['PermissionDenied', 'TypeError'], six.map((name) => `http://${name}/`))];
