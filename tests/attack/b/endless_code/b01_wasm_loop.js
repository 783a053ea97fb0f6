// B01: an endless loop in WebAssembly
// options: --timeout 5s --cpu 200ms
// expect: {"error": {"code": "CPU_LIMIT", "type": "TimeoutError"}}
// (module (func (export "f") (loop br 0)))
const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11);
new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();
