// B02: an endless async generator
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
async function* endless() { while (true) yield 1; }
for await (const x of endless());
