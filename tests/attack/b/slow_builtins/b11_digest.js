// B11: digests of a large buffer, in native code
// options: --timeout 500ms --memory 256MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const bytes = new Uint8Array(5e7);
for (;;) await crypto.subtle.digest('SHA-512', bytes);
