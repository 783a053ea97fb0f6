// B15: memory of the engine overwritten at random: whatever happens, happens to the guest
// guest: probe
// options: --timeout 2s
// expect: {"error": {"code": "GUEST_CRASHED"}}
// or: {"error": {"code": "FORBIDDEN_SYSTEM_CALL"}}
// or: {"error": {"code": "EXECUTION_TIMEOUT"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
// or: {"error": {"code": "STACK_LIMIT"}}
// or: {"error": {"code": "PROTOCOL_VIOLATION"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
const near = addressOf(new Uint8Array(1 << 12));
const junk = new Uint8Array(64).fill(0x41);
for (let i = 0n; ; i++) poke(near + (i % 2n ? 1n : -1n) * i * 64n, junk);
