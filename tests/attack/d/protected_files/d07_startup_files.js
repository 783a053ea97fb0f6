// D07: files that shells, version control, editors, build tools and CI obey, by every call that could write them
// with: files.js
// files: spare.txt = spare
// files: .git/config = before
// files: .git/hooks/pre-commit.sample = before
// files: .bashrc = before
// files: node_modules/.bin/tool = before
// files: .github/workflows/ci.yml = before
// files: sub/.env = before
// files: git -> .git
// files: rc -> .bashrc
// files: bin -> node_modules/.bin
// options: --allow-read={folder} --allow-write={folder} --max-log 10MB --timeout 10s
// expect: {"result": {"wrong": [], "read": "before", "free": "ok"}}
const spare = '{folder}/spare.txt';
const names = ['.git', '.git/config', '.git/hooks', '.git/hooks/pre-commit', '.git/HEAD', '.git/modules/x/hooks/post-checkout', '.gitmodules', '.gitattributes', '.gitconfig', '.hg/hgrc',
  '.bashrc', '.profile', '.zshenv', '.ssh/authorized_keys', '.config/git/config', '.config/fish/config.fish', '.config/systemd/user/x.service', '.config/autostart/x.desktop', '.local/share/systemd/user/x.service',
  '.env', '.env.production', '.envrc', 'sub/.env', 'sub/sub/.bashrc', 'node_modules/.bin/tool', 'node_modules/.bin/new', 'sub/node_modules/.bin/x', '.npmrc', '.yarnrc.yml', '.vscode/tasks.json', '.idea/workspace.xml', '.vimrc',
  '.gdbinit', 'sitecustomize.py', '.cargo/config.toml', '.github/workflows/ci.yml', '.github/workflows/new.yml', '.github/actions/x/action.yml', '.gitlab-ci.yml', 'Jenkinsfile', '.husky/pre-commit', '.mcp.json', '.claude/settings.json', 'glovebox.json', '.glovebox/x',
  'git', 'git/hooks/pre-commit', 'git/config', 'rc', 'bin/tool', 'bin/new', 'sub/../.bashrc', 'x/../.git/config', './.git//hooks/./pre-commit'];
const wrong = names.flatMap((name) => {
  const path = '{folder}/' + name;
  const { tempDir, tempFile, ...write } = writing(path, spare);
  const { createNew, mkdir, renameTo, renameFrom, remove, removeAll } = changing(path, spare);
  const calls = { ...write, ...(['git', 'rc', 'bin'].includes(name) ? {} : { createNew, mkdir, renameTo, renameFrom, remove, removeAll }) };
  return other_than(['PermissionDenied'], calls, name);
});
for (const name of ['.git', '.git/hooks', 'git', 'git/hooks', 'node_modules/.bin', '.github/workflows']) {
  const { tempDir, tempFile } = writing('{folder}/' + name, spare);
  wrong.push(...other_than(['PermissionDenied'], { tempDir, tempFile }, name));
}
Deno.mkdirSync('{folder}/src/.next', { recursive: true });
Deno.writeTextFileSync('{folder}/src/environment.ts', 'ok');
return { wrong, read: Deno.readTextFileSync('{folder}/.git/config'), free: Deno.readTextFileSync('{folder}/src/environment.ts') };
