// B15: the engine unmaps its own heap
// guest: probe
// expect: {"error": {"code": "GUEST_CRASHED"}}
const near = addressOf(new Uint8Array(1 << 12)) & ~0xfffffn;
for (let i = 0n; i < 4096n; i++) syscall(11, near + i * 0x100000n, 0x100000);
for (let i = 0n; i < 4096n; i++) syscall(11, near - i * 0x100000n, 0x100000);
return 'still here';
