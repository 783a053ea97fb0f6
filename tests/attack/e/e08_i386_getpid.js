// E08: getpid of the i386 table by int 0x80
// guest: probe
// expect: {"error": {"code": "FORBIDDEN_SYSTEM_CALL"}}
// or: {"error": {"code": "GUEST_CRASHED"}}
return syscall32(20);
