// A08: an array that changes its kind of elements while it is walked: what engines' fast paths forget
// expect: {"result": [1.5, "x", 3.5, 4.5]}
const list = [1.5, 2.5, 3.5, 4.5];
Object.defineProperty(list, 1, { enumerable: true, get() { for (let i = 4; i < 1e5; i++) list[i] = {}; list.length = 4; gc_pressure(); return 'x'; } });
function gc_pressure() { for (let i = 0; i < 1e4; i++) new Array(100).fill({}); }
return list;
