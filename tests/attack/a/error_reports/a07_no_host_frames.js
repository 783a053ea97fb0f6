// A07: every stack that the guest can see names its own file only
// expect: {"result": []}
Error.stackTraceLimit = 1000;
const stacks = [];
const keep = (error) => { stacks.push(String(error?.stack)); };
const failing = [
  () => Deno.readTextFileSync('/x'), () => require('fs'), () => new URL(''), () => structuredClone(() => {}), () => atob('%'),
  () => new Headers([[1]]), () => crypto.getRandomValues(1), () => new TextDecoder('nonsense'), () => process.exit(),
  () => { const f = () => f(); f(); }, () => JSON.parse('{'), () => new WebAssembly.Module(new Uint8Array(1)),
  () => setTimeout(1), () => 'x'.repeat(2 ** 30), () => [].reduce(() => {}), () => eval('('),
];
for (const fail of failing) { try { fail(); } catch (error) { keep(error); } }
for (const fail of [() => import('x'), () => fetch('http://localhost/'), () => Deno.readFile('/x'), () => crypto.subtle.digest('x', new Uint8Array())]) {
  try { await fail(); } catch (error) { keep(error); }
}
return stacks.flatMap((stack) => stack.split('\n').filter((line) => line.startsWith('    at ') && !line.includes('a07_no_host_frames.js')));
