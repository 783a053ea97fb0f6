// C09: an error names what the code named, not where that leads
// with: files.js
// files: real/secret-place/x.txt = x
// files: alias -> real/secret-place
// files: real/secret-place/out -> {outside}/victim.txt
// files: real/secret-place/pipe (fifo)
// files: real/secret-place/hard (hard-link {outside}/victim.txt)
// options: --allow-read={folder}/alias --allow-write={folder}/alias
// expect: {"result": []}
const texts = [];
const note = (work) => { try { work(); } catch (error) { texts.push(error.message + '\n' + error.stack); } };
for (const name of ['out', 'pipe', 'hard', 'none', 'none/none', 'x.txt/y', '.git/config', 'out/x', 'a\0b', 'n'.repeat(300)]) {
  for (const work of Object.values(everything('{folder}/alias/' + name, '{folder}/alias/x.txt'))) note(work);
}
return texts.filter((text) => /secret-place|outside|victim|\/proc|src\/|\.cc|\.h\b/.test(text));
