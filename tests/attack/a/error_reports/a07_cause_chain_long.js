// A07: a chain of 10^5 causes is not walked to its end
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "99999"}}
let error = new Error('0');
for (let i = 1; i < 1e5; i++) error = new Error(String(i), { cause: error });
throw error;
