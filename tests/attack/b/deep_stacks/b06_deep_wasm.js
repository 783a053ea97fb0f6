// B06: endless recursion in WebAssembly
// expect: {"error": {"code": "STACK_LIMIT"}}
// (module (func (export "f") call 0))
const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 6, 1, 4, 0, 16, 0, 11);
new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();
