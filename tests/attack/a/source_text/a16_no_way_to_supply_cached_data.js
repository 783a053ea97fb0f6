// A16: nothing here takes cached data, serialised values or snapshots
// expect: {"result": {"found": [], "clone": "DataCloneError"}}
const found = ['v8', 'vm', 'Script', 'createContext', 'deserialize', 'startupSnapshot', 'internalBinding', 'compileFunction', 'readbuffer', 'load']
  .filter((name) => name in globalThis || name in WebAssembly);
let clone = 'none';
try { structuredClone(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)), { transfer: [{}] }); } catch (error) { clone = error.name; }
return { found, clone };
