// F04: two places to go to: neither is taken on trust
// with: fetches.js
// options: --allow-net=good.test
// expect: {"result": true}
return ['200 ok', 'TypeError', 'PermissionDenied', '302 '].includes(await outcome_of('http://good.test/two-locations'));
