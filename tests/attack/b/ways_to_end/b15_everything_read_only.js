// B15: the engine makes its own memory read-only
// guest: probe
// expect: {"error": {"code": "GUEST_CRASHED"}}
const near = addressOf(new Uint8Array(1 << 20)) & ~0xfffffn;
for (let i = -64n; i < 64n; i++) syscall(10, near + i * 0x100000n, 0x100000, 1);
for (let i = 0; i < 1e6; i++) new Uint8Array(1 << 16).fill(1);
return 'still here';
