// What code gets from files and folders that it may use. Runs in Deno and in Glovebox, each in a folder of its own that
// holds the same; both must say the same.
const at = (name) => context.folder + '/' + name;
const shown = (text) => String(text).replaceAll(context.folder, '');
const bytes = (...list) => new Uint8Array(list);
const steps = {
  missing: () => Deno.readTextFile(at('none')),
  missingBytes: () => Deno.readFile(at('none')),
  folderAsFile: () => Deno.readFile(at('folder')),
  mkdirAgain: () => Deno.mkdir(at('folder')),
  mkdirAgainRecursive: () => Deno.mkdir(at('folder'), { recursive: true }),
  mkdirDeep: () => Deno.mkdir(at('a/b/c')),
  mkdirDeepRecursive: () => Deno.mkdir(at('a/b/c'), { recursive: true }),
  removeFull: () => Deno.remove(at('folder')),
  removeMissing: () => Deno.remove(at('none')),
  renameMissing: () => Deno.rename(at('none'), at('b')),
  copyMissing: () => Deno.copyFile(at('none'), at('b')),
  statMissing: () => Deno.stat(at('none')),
  lstatMissing: () => Deno.lstat(at('none')),
  realPathMissing: () => Deno.realPath(at('none')),
  throughFile: () => Deno.readTextFile(at('file/x')),
  createNew: () => Deno.writeTextFile(at('file'), 'x', { createNew: true }),
  createNot: () => Deno.writeTextFile(at('none'), 'x', { create: false }),
  readDirMissing: async () => { for await (const _ of Deno.readDir(at('none'))); },
  readDirFile: async () => { for await (const _ of Deno.readDir(at('file'))); },
  nul: () => Deno.readTextFile(at('a\0b')),
  longName: () => Deno.readTextFile(at('x'.repeat(300))),
  write: () => Deno.writeTextFile(at('new'), 'one\n'),
  append: () => Deno.writeTextFile(at('new'), 'two\n', { append: true }),
  readBack: () => Deno.readTextFile(at('new')),
  overwrite: () => Deno.writeFile(at('new'), bytes(1, 2, 3)),
  readBytes: async () => [...await Deno.readFile(at('new'))],
  textWithMark: async () => {
    await Deno.writeFile(at('mark'), bytes(0xef, 0xbb, 0xbf, 65, 0xff, 0xc3, 0xa9));
    return [...await Deno.readTextFile(at('mark'))].map((c) => c.codePointAt(0));
  },
  copy: async () => { await Deno.copyFile(at('new'), at('copy')); return (await Deno.readFile(at('copy'))).length; },
  rename: async () => { await Deno.rename(at('copy'), at('moved')); return (await Deno.stat(at('moved'))).size; },
  renameOverFolder: () => Deno.rename(at('moved'), at('folder')),
  copyOntoFolder: () => Deno.copyFile(at('moved'), at('folder')),
  writeOntoFolder: () => Deno.writeTextFile(at('folder'), 'x'),
  stat: async () => { const { isFile, isDirectory, isSymlink, size, mtime } = await Deno.stat(at('moved')); return [isFile, isDirectory, isSymlink, size, mtime instanceof Date]; },
  statLink: async () => { const { isFile, isSymlink } = await Deno.stat(at('link')); return [isFile, isSymlink]; },
  lstatLink: async () => { const { isFile, isSymlink } = await Deno.lstat(at('link')); return [isFile, isSymlink]; },
  readLinkTarget: () => Deno.readTextFile(at('link')),
  realPathLink: () => Deno.realPath(at('link')),
  realPathDots: () => Deno.realPath(at('folder/../folder/./inner')),
  readDir: async () => { const names = []; for await (const entry of Deno.readDir(at(''))) names.push([entry.name, entry.isFile, entry.isDirectory, entry.isSymlink]); return names.sort(); },
  readDirSync: () => [...Deno.readDirSync(at('folder'))].map((entry) => entry.name),
  removeLink: () => Deno.remove(at('link')),
  removeFile: () => Deno.remove(at('moved')),
  removeTree: () => Deno.remove(at('folder'), { recursive: true }),
  removeTreeAgain: () => Deno.remove(at('folder'), { recursive: true }),
  tempDir: async () => shown(await Deno.makeTempDir({ dir: at(''), prefix: 'p', suffix: 's' })).replace(/p\w+s$/, 'p...s'),
  tempFile: async () => shown(await Deno.makeTempFile({ dir: at(''), prefix: 'q' })).replace(/q\w+$/, 'q...'),
  sync: () => { Deno.writeTextFileSync(at('s'), 'sync'); const text = Deno.readTextFileSync(at('s')); Deno.removeSync(at('s')); return text; },
  outside: () => Deno.readTextFile('/etc/passwd'),
  outsideByDots: () => Deno.readTextFile(at('../../../../../../etc/passwd')),
  outsideWrite: () => Deno.writeTextFile('/etc/x', ''),
};
const said = {};
for (const [name, step] of Object.entries(steps)) {
  try {
    const value = await step();
    said[name] = value === undefined ? 'done' : JSON.parse(shown(JSON.stringify(value)));
  } catch (error) {
    const kind = error instanceof Deno.errors.NotCapable ? 'NotCapable' : error.constructor.name;
    said[name] = [kind, error.code ?? '', shown(error.message).replace(/, run again with the --allow-\w+ flag$/, '')];
  }
}
return said;
