// B11: BigInt to decimal and back
// options: --timeout 500ms --memory 128MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const x = 7n ** 3000000n;
for (;;) BigInt(x.toString());
