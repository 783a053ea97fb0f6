// B06: the error can be caught, again and again
// expect: {"result": 1000}
let caught = 0;
const f = (a) => f([a]);
for (let i = 0; i < 1000; i++) { try { f(); } catch { caught++; } }
return caught;
