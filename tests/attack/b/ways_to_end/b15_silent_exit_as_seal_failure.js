// B15: an exit that looks like a failed seal step, before anything was said
// guest: probe
// expect: {"error": {"code": "GUEST_CRASHED"}}
// or: {"error": {"code": "SEAL_FAILED"}}
syscall(231, 64 + 8);
