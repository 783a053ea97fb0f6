// What code gets when it may do nothing. Runs in Deno and in Glovebox; both must say the same.
const attempts = {
  readTextFile: () => Deno.readTextFile('/etc/passwd'),
  readFile: () => Deno.readFile('/etc/passwd'),
  readTextFileSync: () => Deno.readTextFileSync('/etc/passwd'),
  readRelative: () => Deno.readFile('./some/../file'),
  readUrl: () => Deno.readTextFile(new URL('file:///etc/pass%20wd')),
  readDir: async () => { for await (const _ of Deno.readDir('/etc')); },
  readDirSync: () => [...Deno.readDirSync('/etc')],
  stat: () => Deno.stat('/etc'),
  lstat: () => Deno.lstat('/etc'),
  realPath: () => Deno.realPath('/etc'),
  readLink: () => Deno.readLink('/etc/x'),
  writeFile: () => Deno.writeFile('/tmp/x', new Uint8Array(1)),
  writeTextFile: () => Deno.writeTextFile('/tmp/x', 'x'),
  mkdir: () => Deno.mkdir('/tmp/x'),
  remove: () => Deno.remove('/tmp/x'),
  rename: () => Deno.rename('/tmp/x', '/tmp/y'),
  copyFile: () => Deno.copyFile('/tmp/x', '/tmp/y'),
  makeTempDir: () => Deno.makeTempDir(),
  makeTempFile: () => Deno.makeTempFile({ dir: '/tmp' }),
  chdir: () => Deno.chdir('/'),
  envGet: () => Deno.env.get('HOME'),
  envHas: () => Deno.env.has('HOME'),
  envToObject: () => Deno.env.toObject(),
  envSet: () => Deno.env.set('HOME', 'x'),
  command: () => new Deno.Command('rm').output(),
  commandSync: () => new Deno.Command('/bin/rm', { args: ['-rf'] }).outputSync(),
  fetch: () => fetch('https://api.example.com/x'),
  fetchPort: () => fetch('http://api.example.com:8080/x'),
  fetchUpperCase: () => fetch('HTTP://API.example.COM'),
  connect: () => Deno.connect({ hostname: 'example.com', port: 80 }),
  listen: () => Deno.listen({ port: 8000 }),
};
const said = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    said[name] = 'no error';
  } catch (error) {
    // Deno adds which of its flags would help.
    said[name] = [error instanceof Deno.errors.NotCapable, error instanceof Error, error.message.replace(/, run again with the --allow-\w+ flag$/, '')];
  }
}
return said;
