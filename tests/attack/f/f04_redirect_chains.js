// F04: redirects without end
// with: fetches.js
// options: --allow-net=good.test --timeout 20s
// expect: {"result": {"ends": ["TypeError", "TypeError", "TypeError"], "modes": ["TypeError", 302, ""], "nested": "200 ok"}}
const ends = [await outcome_of('http://good.test/loop'), await outcome_of('http://good.test/flip'), await outcome_of('http://good.test/longer?')];
const manual = await fetch('http://good.test/to?http://127.0.0.1/', { redirect: 'manual' });
const modes = [await outcome_of('http://good.test/to?/ok', { redirect: 'error' }), manual.status, await manual.text()];
return { ends, modes, nested: await outcome_of('http://good.test/to?/to307?/to308?/ok') };
