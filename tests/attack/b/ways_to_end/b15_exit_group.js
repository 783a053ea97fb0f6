// B15: a silent exit with status 0
// guest: probe
// expect: {"error": {"code": "GUEST_CRASHED"}, "logs": ["before"]}
console.log('before');
syscall(231, 0);
