// Makes the file that a Python zygote boots from: Pyodide's parts and our own, behind a table of contents.
//   node pack_python.mjs OUT FILE…
// docs/formats.md has the layout. The key names all of it: what was made from one pack is of no use to another.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const NAME_BYTES = 48;
const ENTRY_BYTES = NAME_BYTES + 16;
const HEADER_BYTES = 8 + 8 + 64;
const ALIGNMENT = 64;
const aligned = (size) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

const [out, ...paths] = process.argv.slice(2);
const files = paths.map((path) => ({ name: basename(path), bytes: readFileSync(path) }));
const key = createHash('sha256');
let size = aligned(HEADER_BYTES + files.length * ENTRY_BYTES);
for (const file of files) {
  if (Buffer.byteLength(file.name) >= NAME_BYTES) throw new Error(`${file.name}: the name is too long`);
  key.update(`${file.name}\0${file.bytes.length}\0`).update(file.bytes);
  file.offset = size;
  size = aligned(size + file.bytes.length);
}

const pack = Buffer.alloc(size);
pack.write('GBPYTHN1', 0, 'latin1');
pack.writeBigUInt64LE(BigInt(files.length), 8);
pack.write(key.digest('hex'), 16, 'latin1');
files.forEach((file, index) => {
  const entry = HEADER_BYTES + index * ENTRY_BYTES;
  pack.write(file.name, entry, 'utf8');
  pack.writeBigUInt64LE(BigInt(file.offset), entry + NAME_BYTES);
  pack.writeBigUInt64LE(BigInt(file.bytes.length), entry + NAME_BYTES + 8);
  file.bytes.copy(pack, file.offset);
});
writeFileSync(out, pack);
