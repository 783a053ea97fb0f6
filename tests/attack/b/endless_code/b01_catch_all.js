// B01: a loop that catches whatever is thrown at it
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const spin = () => { try { for (;;); } catch { spin(); } finally { for (;;) try { spin(); } finally { continue; } } };
spin();
