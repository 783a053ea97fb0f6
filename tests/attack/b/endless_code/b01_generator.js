// B01: an endless generator, spread
// options: --timeout 300ms --memory 64MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
function* endless() { while (true) yield; }
for (const x of endless());
