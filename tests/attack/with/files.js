// Every file call on one path, and what comes of it: the value, or the error's name and code as one text.
const outcome_of = (work) => {
  try {
    return { value: work() };
  } catch (error) {
    return { error: error.name + (error.code ? ' ' + error.code : '') };
  }
};
const reading = (path) => ({
  readFile: () => Deno.readFileSync(path), readTextFile: () => Deno.readTextFileSync(path), stat: () => Deno.statSync(path),
  realPath: () => Deno.realPathSync(path), readDir: () => [...Deno.readDirSync(path)].map((entry) => entry.name),
});
const looking = (path) => ({ lstat: () => Deno.lstatSync(path) });
const writing = (path, spare) => ({
  write: () => Deno.writeTextFileSync(path, 'guest'), append: () => Deno.writeTextFileSync(path, 'guest', { append: true }),
  existing: () => Deno.writeTextFileSync(path, 'guest', { create: false }),
  mkdirs: () => Deno.mkdirSync(path, { recursive: true }), copyTo: () => Deno.copyFileSync(spare, path),
  tempDir: () => Deno.makeTempDirSync({ dir: path }), tempFile: () => Deno.makeTempFileSync({ dir: path }),
});
const changing = (path, spare) => ({
  createNew: () => Deno.writeTextFileSync(path, 'guest', { createNew: true }), mkdir: () => Deno.mkdirSync(path),
  renameTo: () => Deno.renameSync(spare, path), renameFrom: () => Deno.renameSync(path, spare + '-from'),
  copyFrom: () => Deno.copyFileSync(path, spare + '-copy'), remove: () => Deno.removeSync(path),
  removeAll: () => Deno.removeSync(path, { recursive: true }),
});
const everything = (path, spare) => ({ ...reading(path), ...looking(path), ...writing(path, spare), ...changing(path, spare) });
// Which of the calls did not end with one of `errors`, as texts.
const other_than = (errors, calls, about) => Object.entries(calls).flatMap(([name, work]) => {
  const { value, error } = outcome_of(work);
  return errors.includes(error) ? [] : [`${name} ${about}: ${error ?? 'done ' + JSON.stringify(value)}`];
});
