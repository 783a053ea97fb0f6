// B05: back references
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
/^(a*)*(b*)*\1\2c$/.test('a'.repeat(60) + 'b'.repeat(60));
