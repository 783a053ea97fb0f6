// B11: compiling WebAssembly, in native code
// options: --timeout 500ms --memory 256MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
// What modules take outside of the heap stays until the collector comes to it: the clock is not always checked before.
const leb = (n) => { const out = []; do { out.push(n > 127 ? (n & 127) | 128 : n); n >>>= 7; } while (n); return out; };
const count = 3e4, functions = [...leb(count)], code = [...leb(count)];
for (let i = 0; i < count; i++) { functions.push(0); code.push(8, 0, 65, 1, 65, 2, 106, 26, 11); }
const wrap = (id, body) => [id].concat(leb(body.length), body);
const bytes = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0].concat(wrap(3, functions), wrap(10, code)));
for (;;) { WebAssembly.validate(bytes); try { new WebAssembly.Module(bytes); } catch { /* no room for code */ } }
