// The page's files, without a browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { run_cases } from '../serve/cases.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const folder = join(root, 'src/ui/page');
const files = Object.fromEntries(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')]));
const scripts = Object.entries(files).filter(([name]) => name.endsWith('.js'));

await run_cases({
  async their_types_hold() {
    for (const [name, text] of scripts) assert(text.startsWith('// @ts-check\n'), name);
    execFileSync(join(root, 'node_modules/@typescript/typescript-linux-x64/lib/tsc'), ['-p', join(root, 'src/ui')], { stdio: 'inherit' });
  },

  async nothing_of_others_becomes_markup() {
    for (const [name, text] of scripts) {
      assert(!/innerHTML|outerHTML|insertAdjacent|document\.write|dangerously|\beval\b|new Function|createContextualFragment/.test(text), name);
      // Addresses are made only by place(), which makes our own fragments; that of a picture is its own bytes.
      for (const [, made] of text.matchAll(/\b(?:href|src|action|formaction|xlink:href)=(\S+)/g)) assert(/^\$\{place\(|^"#main"$/.test(made) || (name === 'artifacts.js' && made === '${picture}'), `${name}: ${made}`);
      for (const [, from] of text.matchAll(/^import .* from '(.*)'/gm)) assert(/^\.\/[a-z_]+\.js$/.test(from), `${name}: ${from}`);
    }
  },

  async they_are_small() {
    const preact = readFileSync(join(root, 'node_modules/htm/preact/standalone.module.js'));
    const all = [...Object.values(files), preact].reduce((sum, text) => sum + gzipSync(text).length, 0);
    assert(all <= 150 * 1024, `${all} bytes compressed`);
  },
});
