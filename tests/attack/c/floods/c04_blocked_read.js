// C04: native code that waits on its socket for what never comes
// guest: probe
// with: frames.js
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
stall();
