// E17: console.time and stack or log activity reveal no time either
// expect: {"logs": ["t: 0ms"], "result": null}
console.time("t");
for (let i = 0; i < 1e7; i++);
console.timeEnd("t");
