// F07: 10^5 headers, a header of a megabyte, one without end, ones that are none
// with: fetches.js
// gateway-peak: 16MB
// options: --allow-net=good.test --timeout 20s
// expect: {"result": []}
const wrong = [];
for (const path of ['many-headers', 'long-header', 'header-forever', 'bad-header']) {
  const end = (await outcome_of('http://good.test/' + path)).split(' ')[0];
  if (!['TypeError', 'Error', 'LimitError'].includes(end)) wrong.push(path + ': ' + end);
}
try {
  const split = await fetch('http://good.test/split-header');
  if (split.headers.get('x-c') || /[\r\n]/.test([...split.headers].flat().join(''))) wrong.push([...split.headers]);
} catch (error) { if (!(error instanceof TypeError)) wrong.push(error.name); }
const control = await fetch('http://good.test/control-header').catch(() => null);
console.log(control?.statusText ?? '', control?.headers.get('x-a') ?? '');
return wrong;
