// F03: a name that is public when it is looked up and inner a moment later: what was vetted is what is connected to
// with: fetches.js
// options: --allow-net=rebind.test --timeout 20s
// expect: {"result": true}
const ends = new Set();
for (let i = 0; i < 20; i++) ends.add(await outcome_of('http://rebind.test/ok', { headers: { connection: 'close' } }));
for (const end of await Promise.all(Array.from({ length: 20 }, () => outcome_of('http://rebind.test/ok')))) ends.add(end);
return [...ends].every((end) => ['200 ok', 'PermissionDenied'].includes(end)) && ends.has('200 ok');
