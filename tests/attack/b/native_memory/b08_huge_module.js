// B08: a module with 2*10^5 functions: compiling it takes memory that is not the heap's
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
// or: {"error": {"code": "EXECUTION_TIMEOUT"}}
const leb = (n) => { const out = []; do { out.push(n > 127 ? (n & 127) | 128 : n); n >>>= 7; } while (n); return out; };
const count = 2e5;
const functions = [...leb(count)]; for (let i = 0; i < count; i++) functions.push(0);
const code = [...leb(count)]; for (let i = 0; i < count; i++) code.push(8, 0, 65, 1, 65, 2, 106, 26, 11);
const concat = (...parts) => { const out = []; for (const part of parts) for (let i = 0; i < part.length; i++) out.push(part[i]); return out; };
const wrap = (id, body) => concat([id], leb(body.length), body);
const bytes = Uint8Array.from(concat([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0], wrap(3, functions), wrap(10, code)));
const keep = [];
for (;;) keep.push(new WebAssembly.Instance(new WebAssembly.Module(bytes)));
