// suite.py in Pyodide under Node: plain.mjs FOLDER MODULE. Prints what `glovebox exec --json` would, abridged.
import { readFileSync } from 'node:fs';
import { loadPyodide } from '../../node_modules/pyodide/pyodide.mjs';

const [tests, module] = process.argv.slice(2);
const print = (outcome) => console.log(JSON.stringify(outcome));
console.error = console.warn = () => {};
try {
  const pyodide = await loadPyodide({ env: { HOME: '/', TZ: 'UTC' }, stdout: () => {}, stderr: () => {} });
  for (const folder of [tests, '/usr/share/zoneinfo']) {
    pyodide.FS.mkdirTree(folder);
    pyodide.mountNodeFS(folder, folder);
  }
  pyodide.globals.set('context', pyodide.toPy({ tests, module }));
  const result = pyodide.runPython(readFileSync(new URL('suite.py', import.meta.url), 'utf8'));
  print({ result: result.toJs({ dict_converter: Object.fromEntries }) });
} catch (error) {
  print({ result: null, error: { code: 'BREAKDOWN', message: String(error.message).trim().split('\n').at(-1) } });
}
process.exit(0);
