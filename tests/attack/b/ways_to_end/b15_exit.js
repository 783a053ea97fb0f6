// B15: every known way to leave
// expect: {"result": {"left": []}}
const left = [];
for (const leave of [() => process.exit(1), () => Deno.exit(1), () => quit(), () => exit(), () => close(), () => process.abort(), () => process.kill(process.pid), () => globalThis.abort()]) {
  try { leave(); left.push(String(leave)); } catch { /* denied or absent */ }
}
return { left };
