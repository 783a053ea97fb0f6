// A17: what the shells of JavaScript engines, Node, Deno and Bun offer is not here
// expect: {"result": []}
return ['d8', 'quit', 'load', 'read', 'print', 'readline', 'write', 'os', 'std', 'bjson', 'gc', 'version', 'Realm', 'testRunner', 'inspector', 'Bun', 'global',
  'setImmediate', 'module', 'exports', '__dirname', '__filename', 'internalBinding', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'RTCPeerConnection',
  'SharedArrayBuffer', 'Atomics', 'navigator', 'localStorage', 'caches', 'syscall', 'peek', 'poke', 'crash', 'rdtsc', 'addressOf']
  .filter((name) => name in globalThis);
