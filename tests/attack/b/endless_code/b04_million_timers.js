// B04: 10^6 timers at one time
// expect: {"error": {"code": "TIMER_LIMIT", "type": "LimitError"}}
for (let i = 0; i < 1e6; i++) setTimeout(() => {}, 1e6);
