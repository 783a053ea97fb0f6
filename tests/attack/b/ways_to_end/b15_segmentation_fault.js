// B15: a segmentation fault
// guest: probe
// expect: {"error": {"code": "GUEST_CRASHED", "type": "SandboxError", "message": "/Segmentation fault/"}, "logs": ["before"]}
console.log('before');
crash();
