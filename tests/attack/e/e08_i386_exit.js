// E08: exit of the i386 table, whose number is write's here
// guest: probe
// expect: {"error": {"code": "FORBIDDEN_SYSTEM_CALL"}}
// or: {"error": {"code": "GUEST_CRASHED"}}
return syscall32(1, 0);
