// B15: an exit that looks like a failed seal step
// guest: probe
// expect: {"error": {"code": "GUEST_CRASHED"}}
console.log('x');
syscall(231, 64 + 8);
