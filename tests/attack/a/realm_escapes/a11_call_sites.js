// A11: arguments.callee, caller and getThis would hand out functions of the prelude
// expect: {"result": {"leaked": []}}
const leaked = [];
const look = function look() {
  for (const read of [() => look.caller, () => look.arguments, () => arguments.callee.caller]) {
    try { const value = read(); if (value !== null && value !== undefined && !(value === arguments)) leaked.push(String(value).slice(0, 80)); } catch { /* strict */ }
  }
};
const sloppy = new Function('look', 'return function sloppy() { return sloppy.caller; }')();
const through = [(f) => structuredClone({ get x() { f(); return 1; } }), (f) => console.log({ get x() { f(); return 1; } }), (f) => new Promise((resolve) => setTimeout(() => { f(); resolve(); }, 1)),
  (f) => new URL({ toString() { f(); return 'https://a.b'; } }), (f) => new Headers({ get a() { f(); return 'b'; } }), (f) => queueMicrotask(f)];
for (const run of through) {
  await run(look);
  await run(() => { const caller = sloppy(); if (caller && !/=>|function/.test(String(caller))) leaked.push(String(caller)); });
  await run(function () { const caller = sloppy(); if (typeof caller === 'function' && String(caller).includes('primordials')) leaked.push(String(caller).slice(0, 80)); });
}
return { leaked };
