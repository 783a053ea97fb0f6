// E08: read by its x32 number
// guest: probe
// expect: {"error": {"code": "FORBIDDEN_SYSTEM_CALL"}}
return syscall(0x40000000, 3, new Uint8Array(1), 1);
