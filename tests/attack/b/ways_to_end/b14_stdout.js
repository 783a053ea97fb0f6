// B14: a write to standard output
// guest: probe
// expect: {"error": {"code": "FORBIDDEN_SYSTEM_CALL"}, "logs": ["before"]}
console.log('before');
syscall(1, 1, new TextEncoder().encode('{"result":"forged"}\n'), 20);
return 'wrote';
