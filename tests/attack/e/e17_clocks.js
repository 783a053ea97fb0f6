// E17: the clock stands still while code runs, and moves by whole milliseconds when it waits
// expect: {"result": {"still": true, "whole": true, "moved": true}}
const read = () => [Date.now(), performance.now(), new Date().getTime()];
const first = read();
let still = true;
for (let i = 0; i < 2e6; i++) if (i % 1000 === 0 && String(read()) !== String(first)) still = false;
await new Promise((resolve) => setTimeout(resolve, 5));
const last = read();
return { still, whole: last.every((value) => value === Math.floor(value)), moved: last[0] >= first[0] + 5 };
