// A15: regular expressions nested 10^5 deep, made at run time
// options: --timeout 10s
// expect: {"result": {"tried": 3, "strange": []}}
let tried = 0;
const strange = [];
const depth = 1e5;
for (const [open, close, flags] of [['(', ')', ''], ['(?:', ')', 'v'], ['(?=', ')', 'u']]) {
  try { new RegExp(open.repeat(depth) + 'x' + close.repeat(depth), flags).test('x'); } catch (error) { if (!(error instanceof SyntaxError)) strange.push(String(error)); }
  tried++;
}
return { tried, strange };
