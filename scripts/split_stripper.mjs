// Takes amaro's one file apart at configure time: its JavaScript on one side, the WebAssembly that lies in it as base64 on
// the other, so that a guest need not read 3.7 MB of text to remove a type.
//   split_stripper.mjs INTERNAL_JS OUT_JS OUT_WASM
import { readFileSync, writeFileSync } from 'node:fs';

const [input, out_js, out_wasm] = process.argv.slice(2);
const text = readFileSync(input, 'utf8');

const loading = /Buffer2\.from\("([A-Za-z0-9+/=]+)", "base64"\);\s*var wasmModule = new WebAssembly\.Module\(bytes\);/;
const found = loading.exec(text);
if (!found) {
  console.error(`${input} does not load its WebAssembly as expected; look at what changed in amaro`);
  process.exit(1);
}
writeFileSync(out_js, text.replace(found[0], 'null;\n    var wasmModule = require("glovebox:stripper");'));
writeFileSync(out_wasm, Buffer.from(found[1], 'base64'));
