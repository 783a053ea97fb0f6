// E10: plain memory may be mapped, written, moved and returned: that much is allowed
// guest: probe
// expect: {"result": {"written": 7, "unmapped": 0}}
const at = BigInt(syscall(9, 0, 8192, 3, 0x22, -1, 0));
poke(at, Uint8Array.of(7));
const written = peek(at, 1)[0];
return { written, unmapped: syscall(11, at, 8192) };
