// A17: process answers nothing but a denial
// expect: {"result": {"answered": []}}
const answered = [];
for (const key of ['env', 'argv', 'binding', 'dlopen', 'mainModule', 'kill', 'pid', 'exit', 'abort', 'memoryUsage', 'hrtime', 'versions', 'stdout', 'cwd', '_linkedBinding', 'report', 'constructor']) {
  try { const value = process[key]; if (value !== undefined) answered.push(key); } catch { /* denied */ }
}
for (const reflect of [() => Object.keys(process), () => Object.getPrototypeOf(process), () => Object.getOwnPropertyNames(process)]) {
  const value = reflect();
  if (value !== null && value.length > 0) answered.push(String(value));
}
return { answered };
