// What the declarations are checked with: TypeScript itself, and the program that prints them.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const [, , toolTypes, root] = process.argv;
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

export const declarations = (shapes, form) =>
  execFileSync(toolTypes, [form], { input: JSON.stringify(shapes), encoding: 'utf8', maxBuffer: 1 << 30 });

// Compiles { name: text } with --strict; returns [{ file, line, code, message }, ...], lines from 1. `rest` are the
// lines that belong to no file.
export const compile = (files) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'glovebox-types-'));
  try {
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    const run = spawnSync(process.execPath, [tsc, '--noEmit', '--strict', '--target', 'esnext', '--module', 'esnext',
      '--lib', 'esnext', '--types', '', '--pretty', 'false', ...Object.keys(files)],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 });
    if (run.error || run.signal) throw run.error ?? new Error(`tsc ended by ${run.signal}`);
    const found = [];
    for (const line of run.stdout.split('\n')) {
      const match = /^(.+?)\((\d+),\d+\): error TS(\d+): (.*)$/.exec(line);
      if (match) found.push({ file: match[1], line: Number(match[2]), code: Number(match[3]), message: match[4] });
      else if (/^error /.test(line)) throw new Error(line);
    }
    if (run.status !== 0 && found.length === 0) throw new Error(`tsc: ${run.stdout}${run.stderr}`);
    return found;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};

// A JSON value as TypeScript source. "__proto__" as a bare key would not be a property.
export const literal = (value) => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
  return `{ ${Object.entries(value).map(([key, one]) => `[${literal(key)}]: ${literal(one)}`).join(', ')} }`;
};

let failures = 0;
export const expect = (holds, message) => {
  if (holds) return;
  failures += 1;
  console.error(`FAILED: ${message}`);
};
export const finish = () => process.exit(failures === 0 ? 0 : 1);
