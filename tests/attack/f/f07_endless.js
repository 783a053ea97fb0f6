// F07: responses without end, of an impossible length, compressed bombs: cut at the limit, whatever was said before
// with: fetches.js
// gateway-peak: 24MB
// options: --allow-net=good.test --max-fetch 4MB --timeout 20s
// expect: {"result": {"huge": "Error", "length": "Error", "bomb": "Error", "twice": true, "alive": "200 ok"}}
const end = async (path) => (await outcome_of('http://good.test/' + path)).split(' ')[0];
return { huge: await end('huge'), length: await end('huge-length'), bomb: await end('bomb'), twice: ['Error', '200'].includes(await end('bomb-in-bomb')), alive: await outcome_of('http://good.test/ok') };
