// F07: lies about lengths
// with: fetches.js
// gateway-peak: 16MB
// options: --allow-net=good.test --timeout 20s
// expect: {"result": []}
const wrong = [];
for (const path of ['short', 'two-lengths', 'negative-length', 'chunk-huge', 'chunk-negative', 'chunk-cut', 'not-gzip']) {
  const end = await outcome_of('http://good.test/' + path);
  if (!/^(TypeError|Error|LimitError)/.test(end)) wrong.push(path + ': ' + end);
}
// More codings than are in use are left as they are.
if (!/^(TypeError|200 abc)/.test(await outcome_of('http://good.test/encodings'))) wrong.push('encodings');
if (!['200 ok', 'TypeError'].includes(await outcome_of('http://good.test/both-lengths'))) wrong.push('both');
return wrong;
