# G04: WebAssembly of the program's own reads far beyond its memory: guard pages end the guest, and nothing is read
# options: --timeout 20s
# expect: {"error": {"type": "SandboxError", "code": "GUEST_CRASHED"}}
import js
code = bytes.fromhex("0061736d0100000001060160017f017f03020100050301000107050101660000" "0a0901070020002802000b")
view = js.Uint8Array.new(len(code))
view.assign(code)
read = js.WebAssembly.Instance.new(js.WebAssembly.Module.new(view)).exports.f
print("inside", read(0))
[read(-65536), read(1 << 20)]
