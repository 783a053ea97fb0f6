// E10: single pages a gigabyte apart: little is mapped, and each takes two pages of the kernel's tables
// guest: probe
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT"}}
for (let i = 1n; i < 60000n; ++i) peek(BigInt(syscall(9, Number((1n << 40n) + (i << 30n)), 4096, 1, 0x4022, -1, 0)), 1);
return 'half a gigabyte of tables';
