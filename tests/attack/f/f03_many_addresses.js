// F03: a name with public and inner addresses: only public ones are tried
// with: fetches.js
// options: --allow-net=many.test,manylast.test,alias.test
// expect: {"result": true}
const ends = [await outcome_of('http://many.test/ok'), await outcome_of('http://manylast.test/ok')];
return ends.every((end) => ['200 ok', 'PermissionDenied'].includes(end)) && (await outcome_of('http://alias.test/ok')) === 'PermissionDenied';
