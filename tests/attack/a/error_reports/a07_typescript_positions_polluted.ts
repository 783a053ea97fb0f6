// A07: setters on Array.prototype while the positions of rewritten TypeScript are looked up: the error still comes out, and
// nothing of the map goes to the guest
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "boom", "stack": "/:8:7|boom/"}, "logs": ["seen: 0"]}
enum Kind { A = 1 }
let seen = 0;
for (let i = 0; i < 10; i++) Object.defineProperty(Array.prototype, i, { configurable: true, get() { seen++; }, set() { seen++; } });
const error = new Error('boom');
void error.stack;
console.log('seen: ' + seen);
throw error;
