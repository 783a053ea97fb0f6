// F07: a program that gives up on a slow server goes on
// with: fetches.js
// options: --allow-net=good.test --timeout 20s
// expect: {"result": [["TimeoutError", "TimeoutError", "TimeoutError"], "200 ok"]}
return [await Promise.all(['drip', 'drip-head', 'silence'].map((path) => outcome_of('http://good.test/' + path, { signal: AbortSignal.timeout(200) }).then((end) => end.split(' ')[0]))), await outcome_of('http://good.test/ok')];
