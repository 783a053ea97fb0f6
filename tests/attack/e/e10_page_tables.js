// E10: one byte of every 2 MB is read: each takes a page of the kernel's tables, and none that is data or resident
// guest: probe
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT"}}
const at = BigInt(syscall(9, 0, 2 ** 38, 1, 0x4022, -1, 0));
for (let i = 0n; i < 2n ** 17n; ++i) peek(at + (i << 21n), 1);
return 'half a gigabyte of tables';
