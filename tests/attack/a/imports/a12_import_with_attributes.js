// A12: import attributes, import phases and import.meta give no other way in
// expect: {"result": {"loaded": []}}
const loaded = [];
for (const code of ["import('x', { with: { type: 'json' } })", "import('/etc/passwd', { with: { type: 'text' } })", "import('x', { with: { type: 'bytes' } })",
  "import.defer('x')", "import.source('x')", 'import.meta.url', "import('x', new Proxy({}, { get() { throw 1 } }))"]) {
  try { loaded.push(String(await new Function('return ' + code)())); } catch { /* refused, now or as syntax */ }
}
return { loaded };
