'use strict';
// Boots Pyodide in this realm, which has no files, no network and no Node. Pyodide takes it for the shell of an engine.
// `bridge` is natives; with `bridge.snapshot()` the interpreter resumes where the image left it.

// What Pyodide examines to find out where it is, and what a Python program has no use for.
for (const name of ['Deno', 'process', 'require', 'fetch', 'mcp', 'context', 'args']) delete globalThis[name];

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base64 = (bytes) => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const left = bytes.length - i;
    text += BASE64[word >> 18] + BASE64[(word >> 12) & 63] + (left > 1 ? BASE64[(word >> 6) & 63] : '=') +
      (left > 2 ? BASE64[word & 63] : '=');
  }
  return text;
};
// In a shell, Pyodide gets its randomness from a command.
globalThis.os = Object.freeze({ __proto__: null, system(_, args) {
  const bytes = new Uint8Array(Number(/head -c(\d+)/.exec(args[1])[1]));
  bridge.random_bytes(bytes);
  return base64(bytes);
} });

const folder = 'pack/';
const pack_name = (path) => path.slice(folder.length);
globalThis.readbuffer = (path) => (path.endsWith('.wasm') ? new ArrayBuffer(0) : bridge.pack_bytes(pack_name(path)).buffer);
globalThis.read = () => { throw new Error('there are no files'); };
globalThis.load = globalThis.read;

// The interpreter's module is compiled already; of all modules it is the one that comes without bytes.
const { compile, instantiate } = WebAssembly;
WebAssembly.instantiate = async (source, imports) => {
  if (source?.byteLength !== 0) return instantiate(source, imports);
  const module = bridge.wasm_module();
  return { module, instance: new WebAssembly.Instance(module, imports) };
};

const snapshot = bridge.snapshot();
const { loadPyodide } = bridge.pack_module('pyodide.mjs');
const pyodide = await loadPyodide({
  indexURL: folder,
  createPyodideModule: bridge.pack_module('pyodide.asm.mjs').default,
  // No packages: nothing can be fetched, and what a run may import comes in the pack.
  lockFileContents: { info: JSON.parse(bridge.pack_text('pyodide-lock.json')).info, packages: {} },
  packageBaseUrl: folder,
  env: { HOME: '/', PYTHONHASHSEED: '0', PYTHONINSPECT: '', TZ: 'UTC' },
  stdin: () => null,
  stdout: (text) => bridge.send_log('log', text),
  stderr: (text) => bridge.send_log('error', text),
  ...(snapshot === undefined ? { _makeSnapshot: true } : { _loadSnapshot: snapshot }),
});
WebAssembly.instantiate = instantiate;
for (const name of ['read', 'load', 'readbuffer']) delete globalThis[name];
// When the interpreter breaks down, Pyodide prints all it knows. The run's error says what is of interest.
pyodide._module._dump_traceback = () => {};
console.error = console.warn = () => {};
// Nothing here runs on a second stack: a guest waits inside its calls. What Pyodide would call on one is called at once.
pyodide._module.jspiSupported = false;
// Pyodide would wait for ever for what cannot be fetched.
for (const name of ['loadPackage', 'loadPackagesFromImports']) {
  pyodide[name] = async () => { throw new Error('packages cannot be installed in the sandbox'); };
}

// Our own modules, in an order in which each finds what it imports.
const MODULES = ['host', 'results', 'source', 'logs', 'imports', 'loop', 'tools', 'artifacts', 'device', 'files', 'environ', 'errors', 'net', 'plan', 'written_calls', 'wheels', 'runner'];
const INSTALL = `
import sys, types
package = types.ModuleType('glovebox_guest')
package.__path__ = []
sys.modules['glovebox_guest'] = package
for name, text in sources:
    module = types.ModuleType('glovebox_guest.' + name)
    module.__package__ = 'glovebox_guest'
    sys.modules[module.__name__] = module
    setattr(package, name, module)
    exec(compile(text, '<glovebox>', 'exec'), module.__dict__)
exec(compile(warm, '<glovebox>', 'exec'), {})
package.runner.install()
del sources, warm, name, text, module, package
`;
if (snapshot === undefined) {
  const { globals } = pyodide;
  globals.set('sources', pyodide.toPy(MODULES.map((name) => [name, bridge.pack_text(name + '.py')])));
  globals.set('warm', bridge.pack_text('warm.py'));
  pyodide.runPython(INSTALL);
  const last = pyodide.runPython(bridge.pack_text('lasting.py'), { globals: pyodide.globals.get('dict')() });
  last((addresses) => {
    const IMMORTAL = 5 << 28;  // as CPython's own, where a pointer has 32 bits
    const view = addresses.getBuffer('u32');  // may make the memory another one
    const counts = new Int32Array(pyodide._module.HEAPU8.buffer);
    for (const address of view.data) counts[address >>> 2] = IMMORTAL;
    view.release();
  });
  last.destroy();
}

let run;
const connect = () => {
  new Function('pyodide', 'bridge', bridge.pack_text('files.js'))(pyodide, bridge);
  const runner = pyodide.pyimport('glovebox_guest.runner');
  runner.connect(bridge);
  run = runner.run;
};
if (snapshot !== undefined) {
  connect();
  bridge.give_back_empty_pages(pyodide._module.HEAPU8.buffer);
}

return {
  run: (frame) => run(frame),
  // Before anything of ours is connected: what the snapshot holds must not point out of it.
  take_snapshot: () => pyodide.makeMemorySnapshot(),
  connect,
  // Both at build time.
  precompile: () => pyodide.runPython(bridge.pack_text('precompile.py')).toJs(),
  train: () => pyodide.runPython(bridge.pack_text('train.py')),
};
