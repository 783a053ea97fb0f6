// A12: import() of anything is denied, and no system call is made for it (one would kill the guest)
// expect: {"result": {"outcomes": ["MODULE_DENIED-like"], "tried": 27}}
const specifiers = ['fs', 'node:fs', 'node:child_process', 'node:worker_threads', 'node:v8', 'node:vm', 'file:///etc/passwd', 'file:' + context.canary.file,
  'http://127.0.0.1:' + context.canary.port + '/', 'https://example.com/x.js', 'data:text/javascript,export default 1', 'blob:null/1', 'npm:left-pad', 'jsr:@std/fs',
  'left-pad', './x.js', '../x.js', '../../../../etc/passwd', '/etc/passwd', '%2e%2e%2fx', 'a\0b', '', ' ', 'glovebox:prelude/00_primordials.js', 'a07_prepare_stack_trace.js',
  'x'.repeat(1e6), '\ud800'];
const outcomes = new Set();
for (const specifier of specifiers) {
  try { await import(specifier); outcomes.add('loaded ' + specifier); } catch (error) {
    outcomes.add(error.name === 'PermissionDenied' && error.message.length < 1000 ? 'MODULE_DENIED-like' : error.name + ': ' + error.message.slice(0, 100));
  }
}
return { outcomes: [...outcomes], tried: specifiers.length };
