// A16: 2000 damaged WebAssembly modules: the compiler refuses or compiles, and does not fall over
// options: --timeout 10s --memory 256MB
// expect: {"result": {"refused": true}}
const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102, 0, 0, 3, 2, 1, 0, 7, 7, 1, 3, 114, 117, 110, 0, 1, 10, 6, 1, 4, 0, 16, 0, 11);
let refused = 0;
let state = 12345;
const random = (limit) => { state = (state * 1103515245 + 12345) & 0x7fffffff; return state % limit; };
for (let i = 0; i < 2000; i++) {
  const damaged = bytes.slice();
  for (let k = 0; k <= random(3); k++) damaged[8 + random(damaged.length - 8)] = random(256);
  try { new WebAssembly.Module(damaged); } catch { refused++; }
}
return { refused: refused > 100 };
