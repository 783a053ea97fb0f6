// F06: a server that would change the protocol, the place or the rules
// with: fetches.js
// options: --allow-net=good.test --timeout 20s
// expect: {"result": {"switch": "TypeError", "alt": "200 ok", "after": "200 ok", "need": "401 no", "proxy": true, "ssh": "TypeError", "old": "TypeError"}}
return { switch: await outcome_of('http://good.test/switch', { headers: { 'sec-websocket-key': 'x' } }), alt: await outcome_of('http://good.test/alt'), after: await outcome_of('http://good.test/ok'), need: await outcome_of('http://good.test/need'), proxy: ['407 no', 'TypeError'].includes(await outcome_of('http://good.test/need-proxy')), ssh: await outcome_of('http://good.test/not-http'), old: await outcome_of('http://good.test/old') };
