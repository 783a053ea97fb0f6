// E17: waiting on shared WebAssembly memory is an error, not a pause that could be measured
// options: --timeout 2s
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/RuntimeError/"}}
// or: {"error": {"code": "RUNTIME_ERROR", "message": "/CompileError/"}}
// (module (memory 1 1 shared) (func (export "f") (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const 1000000)))))
const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 4, 1, 3, 1, 1, 7, 5, 1, 1, 102, 0, 0,
  10, 17, 1, 15, 0, 65, 0, 65, 0, 66, 192, 132, 61, 254, 1, 2, 0, 26, 11);
new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();
