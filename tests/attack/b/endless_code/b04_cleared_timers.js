// B04: timers that are cleared at once leave nothing behind that grows
// options: --timeout 20s --memory 64MB
// expect: {"result": "flat"}
// or: {"error": {"code": "TIMER_LIMIT"}}
for (let i = 0; i < 1e6; i++) clearTimeout(setTimeout(() => {}, 1e6));
return 'flat';
