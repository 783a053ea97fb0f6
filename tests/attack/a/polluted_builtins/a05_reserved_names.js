// A05: names that mean something to objects, asked of everything that dispatches by name
// expect: {"result": {"polluted": false, "ownKey": true, "denied": true, "strange": []}}
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', '', 'valueOf', '__defineGetter__', 'prototype'];
const strange = [];
for (const [label, object] of [['Deno', Deno], ['Deno.env', Deno.env], ['Deno.errors', Deno.errors]]) {
  for (const name of names) {
    const found = object[name];
    if (found !== undefined && found !== null && object !== Object.prototype[name] && found !== Object.prototype[name]) strange.push(label + '.' + name);
  }
}
const parsed = JSON.parse('{"__proto__": {"polluted": true}}');
let denied = false;
try { Deno.env.get('__proto__'); } catch (error) { denied = error.name === 'PermissionDenied'; }
return { polluted: ({}).polluted === true, ownKey: Object.hasOwn(parsed, '__proto__'), denied, strange };
