// What README and docs/ show is what the program does. Each block says in its first line how it is held to that:
//
//   console [in=FOLDER]   its commands run, in a copy of examples/, and print what stands below them
//   console shown         what a person types or kills: other tests do it
//   sh usage              every command and every flag in it is in the program's help
//   jsonc config          a glovebox.json, or a part of one, without a mistake, for the program and for its schema
//   json, python, js      can be read as such
//   text, ts, cpp, …      shapes and grammars, not examples
//
// Tables of keys, codes, metrics and events are compared with the source, both ways.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import { run_cases } from './cases.mjs';
import { environment, is_checked, program, repeated } from './workspace.mjs';

const top = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const read = (path) => readFileSync(join(top, path), 'utf8');
const pages = ['README.md', ...readdirSync(join(top, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
const kinds = new Set(['console', 'console shown', 'sh usage', 'jsonc config', 'json', 'python', 'js', 'text', 'ts', 'cpp', 'yaml', 'sql']);

function* blocks(kind) {
  for (const page of pages) {
    for (const [, mark, body, , at] of [...read(page).matchAll(/^```(.*)\n([^]*?)^```$/gm)].map((found) => [...found, '', found.index])) {
      const where = `${page}:${read(page).slice(0, at).split('\n').length}`;
      const folder = / in=(\S+)/.exec(mark)?.[1] ?? '.';
      if (!kind || mark.replace(/ in=\S+/, '') === kind) yield { mark, body, where, folder };
    }
  }
}

// A folder with a copy of examples/, where what is written does no harm. `glovebox` is the program.
function folder_of_examples() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'glovebox-docs-')));
  cpSync(join(top, 'examples'), join(folder, 'examples'), { recursive: true });
  symlinkSync(join(top, 'node_modules'), join(folder, 'node_modules'));
  return { folder, close: () => rmSync(folder, { recursive: true }) };
}

// A check may run out of time on a busy machine, and the program says so. The command is repeated then, in the folder as it
// was before: it may have written there already.
async function run(folder, command) {
  const env = { ...environment(folder), PATH: `${dirname(program)}:${dirname(process.execPath)}:${process.env.PATH}` };
  const before = `${folder}.before`;
  const copied = spawnSync('cp', ['-a', folder, before], { encoding: 'utf8' });
  assert.equal(copied.status, 0, copied.stderr);
  const attempt = () => spawnSync('/bin/sh', ['-c', `{ ${command}\n} 2>&1 </dev/null`], { cwd: folder, env, encoding: 'utf8' }).stdout;
  try {
    return await repeated(attempt, (printed) => {
      if (is_checked(printed)) return true;
      rmSync(folder, { recursive: true });
      spawnSync('cp', ['-a', before, folder]);
      return false;
    });
  } finally {
    rmSync(before, { recursive: true });
  }
}

// Ids, times and the author's home differ from machine to machine; a line with … stands for any lines.
const plain = (text, folder) => text.replaceAll(folder, '/home/ada/glovebox').replace(/\b(run|wf|ap)_\w+/g, '$1_ID').replace(/\b[\d.]+ m?s\b/g, 'TIME');
function matches(printed, expected) {
  const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${expected.split('\n').map((line) => line.trim() === '…' ? '[^]*' : escape(line)).join('\n').replaceAll('\n[^]*\n', '\n[^]*')}$`).test(printed);
}

// "glovebox cache ls [--json]   what it does", "runs ls · show ID", "ls | test [NAME]": the commands in it.
function* commands_of(line) {
  const [first, ...more] = line.replace(/^\$ /, '').split(/ {2,}|\s#/)[0].split(/ [·|] (?=[a-z])/);
  if (!first.startsWith('glovebox ')) return;
  const words = first.split(' ').slice(1);
  yield words;
  for (const other of more) yield other.startsWith('glovebox ') ? other.split(' ').slice(1) : [words[0], ...other.split(' ')];
}

// JSON with comments and trailing commas, as editors read it: texts stay as they are.
const plain_json = (text) => JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[^]*?\*\/|,(?=\s*(?:\/\/.*\s*)*[}\]])/g, (found) => found[0] === '"' ? found : ''));

const help = new Map();
function help_of(words) {
  const key = words.join(' ');
  if (!help.has(key)) help.set(key, spawnSync(program, [...words, '--help'], { encoding: 'utf8' }));
  return help.get(key);
}

// Names in the cells of tables of one page, between two headings; `column` counts from 0.
function in_tables(page, column, heading) {
  const text = read(page);
  const begin = heading ? text.indexOf(heading) : 0;
  assert(begin >= 0, `${page} has no ${heading}`);
  const names = new Set();
  for (const line of text.slice(begin).split('\n')) {
    if (heading && names.size && /^#/.test(line)) break;
    if (!line.startsWith('| ')) continue;
    for (const [, name] of (line.split('|')[column + 1] ?? '').matchAll(/`([^`]+)`/g)) names.add(name);
  }
  return names;
}

function* sources(folders, endings = ['.cc', '.h']) {
  for (const folder of folders) {
    for (const name of readdirSync(join(top, folder), { recursive: true })) {
      if (endings.some((ending) => name.endsWith(ending)) && !/_test\.cc$|fixture|scripted/.test(name)) yield read(join(folder, name));
    }
  }
}
function literals(folders, pattern, endings) {
  const found = new Set();
  for (const text of sources(folders, endings)) for (const [, name] of text.matchAll(pattern)) found.add(name);
  return found;
}
function same(documented, real, what) {
  assert.deepEqual([...real].filter((name) => !documented.has(name)).sort(), [], `${what} that no table has`);
  assert.deepEqual([...documented].filter((name) => !real.has(name)).sort(), [], `${what} that the program does not have`);
}

await run_cases({
  async every_block_says_how_it_is_tested() {
    for (const { mark, where } of blocks()) assert(kinds.has(mark.replace(/ in=\S+/, '')), `${where}: a block of the kind "${mark}"`);
  },

  // To a file, and to a heading in it; and the index has every page.
  async links_lead_somewhere() {
    const plain_text = (page) => read(page).replace(/^```[^]*?^```$/gm, '');
    const anchors = (page) => new Set([...plain_text(page).matchAll(/^#+ (.*)$/gm)].map(
      ([, title]) => title.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')));
    const indexed = new Set();
    for (const page of [...pages, 'ARCHITECTURE.md', 'SECURITY.md', 'CONTRIBUTING.md', 'examples/README.md']) {
      for (const [, target] of plain_text(page).replace(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [file, anchor] = target.split('#');
        const to = file ? join(dirname(page), file) : page;
        assert(existsSync(join(top, to)), `${page}: ${target} does not exist`);
        if (anchor) assert(anchors(to).has(anchor), `${page}: ${target} has no such heading`);
        if (page === 'docs/README.md') indexed.add(to);
      }
    }
    assert.deepEqual(pages.filter((page) => page !== 'docs/README.md' && page !== 'docs/proof.md' && !indexed.has(page)), [], 'pages that docs/README.md does not list');
  },

  async commands_print_what_is_shown(owned) {
    const { folder } = owned(folder_of_examples());
    for (const { body, where, folder: within } of blocks('console')) {
      for (const part of body.split(/^\$ /m).filter(Boolean)) {
        const [command, ...lines] = part.trimEnd().split('\n');
        const printed = plain(await run(join(folder, within), command), folder);
        assert(matches(printed.trimEnd(), plain(lines.join('\n'), folder).trimEnd()), `${where}: ${command} printed\n${printed}`);
      }
    }
  },

  async usage_is_in_the_help() {
    for (const { body, where } of blocks('sh usage')) {
      for (const line of body.split('\n')) {
        for (const words of commands_of(line)) {
          const flags = words.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []);
          let path = words.slice(0, 2).filter((word) => /^[a-z]+$/.test(word));
          if (help_of(path).status !== 0 || !help_of(path).stdout.includes(`glovebox ${path.join(' ')}`)) path = path.slice(0, 1);
          const shown = help_of(path);
          assert.equal(shown.status, 0, `${where}: ${line}\n${shown.stderr}`);
          for (const flag of flags) assert(shown.stdout.includes(flag), `${where}: glovebox ${path.join(' ')} has no ${flag}`);
        }
      }
    }
  },

  async configs_are_valid(owned) {
    const { folder } = owned(folder_of_examples());
    const fits = new Ajv({ strict: false }).compile(JSON.parse(read('docs/glovebox.schema.json')));
    for (const { body, where } of blocks('jsonc config')) {
      const whole = body.replace(/^\s*\/\/.*\n/, '').trimStart().startsWith('{') ? body : `{ ${body} }`;
      writeFileSync(join(folder, 'shown.json'), whole);
      const checked = spawnSync(program, ['config', 'validate', join(folder, 'shown.json')], { encoding: 'utf8' });
      assert.equal(checked.status, 0, `${where}: ${checked.stderr}${checked.stdout}`);
      assert(fits(plain_json(whole)), `${where}: the schema does not allow it: ${JSON.stringify(fits.errors)}`);
    }
    for (const wrong of [{ sandbox: { timeoutMs: '5s' } }, { sandbox: { timoutMs: 5 } }, { mcpServers: { a: { args: 'x' } } }, { check: 'on' }]) {
      assert(!fits(wrong), `the schema allows ${JSON.stringify(wrong)}`);
    }
  },

  async texts_of_other_languages_can_be_read() {
    for (const { body, where } of blocks('json')) assert.doesNotThrow(() => JSON.parse(body), where);
    for (const { body, where } of blocks('js')) assert.doesNotThrow(() => new (Object.getPrototypeOf(async () => {}).constructor)(body), where);
    const compile = 'import ast, json, sys\nfor where, body in json.load(sys.stdin):\n  compile(body, where, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)';
    const python = [...blocks('python')].map(({ body, where }) => [where, body]);
    const compiled = spawnSync('python3', ['-c', compile], { input: JSON.stringify(python), encoding: 'utf8' });
    assert.equal(compiled.status, 0, compiled.stderr);
  },

  // The three blocks of docs/skills.md are one example.
  async the_skill_that_is_shown_runs(owned) {
    const { folder } = owned(folder_of_examples());
    const shown = (kind) => [...blocks(kind)].find(({ where }) => where.startsWith('docs/skills.md')).body;
    writeFileSync(join(folder, 'glovebox.json'), shown('jsonc config'));
    mkdirSync(join(folder, 'skills'), { mode: 0o755 });
    writeFileSync(join(folder, 'skills/clock.py'), shown('python'));
    writeFileSync(join(folder, 'call.ts'), shown('js'));
    const printed = await run(folder, 'glovebox exec call.ts --config glovebox.json');
    assert.match(printed, /^"20\d\d-.*\+0[12]:00"\n$/, printed);
  },

  async tables_are_those_of_the_program() {
    // Keys of the config. Members of an object stand in braces behind its name.
    const table = (file, name) => new Set([...read(file).split(`const Table ${name} = {`)[1].split('\n};')[0].matchAll(/^ {4}\{"(\w+)",/gm)].map((found) => found[1]));
    const page = read('docs/config.md');
    for (const [key, name] of [['approvals', 'kApprovals'], ['http', 'kHttp'], ['observe', 'kObserve'], ['audit', 'kAudit'], ['notify', 'kNotify']]) {
      const row = new RegExp(`^\\| \`${key}\` \\| \`\\{ ([^}]*) \\}\``, 'm').exec(page);
      assert(row, `docs/config.md has no row for ${key}`);
      same(new Set(row[1].split(', ')), table('src/config/gateway_settings.cc', name), `keys of ${key}`);
    }
    const top_level = read('src/config/config_file.cc').split('kKeys[] = {')[1].split('}')[0];
    for (const [, key] of top_level.matchAll(/"(\w+)"/g)) assert(page.includes(`\`${key}\``) || page.includes(`"${key}"`), `docs/config.md does not name ${key}`);
    const sandbox = new Set([...read('src/config/sandbox_settings.cc').matchAll(/^ {6}\{"(\w+)", (?!.*blockedImports)/gm)].map((found) => found[1]));
    for (const key of sandbox) assert(page.includes(`\`${key}\``) || page.includes(`.${key}\``), `docs/config.md does not name sandbox.${key}`);

    // Codes. All that the program uses are in some page, and it uses all of the table.
    const known = literals(['src'], /["']([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)["']/g, ['.cc', '.h', '.py', '.js']);
    const elsewhere = /^(GLOVEBOX_|XDG_|LD_|GCONV_|GLIBC_|PR_|BIND_NOW$|UTF_8$|WAYLAND_DISPLAY$)/;
    const docs = pages.map(read).join('\n') + read('SECURITY.md');
    assert.deepEqual([...known].filter((code) => !elsewhere.test(code) && !new RegExp(`\\b${code}\\b`).test(docs)).sort(), [], 'codes that no page has');
    const said = literals(['src'], /["']([A-Z][A-Z0-9_]{3,})["']/g, ['.cc', '.h', '.py', '.js']);
    for (const code of in_tables('docs/errors.md', 0)) assert(said.has(code), `no part of the program says ${code}`);

    // Exit codes.
    const exits = [...read('src/terminal/exit_codes.h').matchAll(/^ {2}k\w+ = (\d+),/gm)].map((found) => found[1]);
    same(in_tables('docs/formats.md', 0, '## Exit codes'), new Set(exits), 'exit codes');

    // Metrics.
    const metrics = literals(['src/observe'], /registry_\.(?:counter|gauge|histogram)\(\s*\{"(\w+)"/g);
    const documented = in_tables('docs/observability.md', 0, '| name | labels |');
    documented.delete('process_*');
    same(documented, new Set([...metrics].filter((name) => !name.startsWith('process_'))), 'metrics');

    // Routes of the API, with their roles and the names in their queries.
    const routes = [...read('src/http_api/routes.cc').matchAll(/\{"(GET|POST)", "([^"]+)", k(\w+), "([^"]*)"/g)].map(
      ([, method, path, role, query]) => `${method} ${path} ${role.toLowerCase()} ${query}`);
    const rows = [...read('docs/api.md').matchAll(/^\| `(GET|POST) ([^`?]+)(?:\?([^`]*))?` \| (\w+) \|/gm)].map(
      ([, method, path, query, role]) => `${method} ${path.replace(/\b(ID|SERVER:TOOL)\b/, '{id}').replace('NAME', '{name}')} ${role} ` +
        (query ?? '').split('&').map((part) => part.split('=')[0]).join(' '));
    same(new Set(rows), new Set(routes), 'routes');

    // Events of workflows, and of the audit log.
    const events = new Set();
    for (const text of sources(['src/workflow'])) {
      for (const [, names] of text.matchAll(/\bevent\(((?:[^,{}]|\n)*?),/g)) for (const [, name] of names.matchAll(/"([a-z_]+)"/g)) events.add(name);
    }
    const section = read('docs/workflows.md').split('\n## Events\n')[1].split(/\.\s/)[0];
    same(new Set([...section.matchAll(/`(\w+)`/g)].map((found) => found[1])), events, 'events of workflows');
    const audited = new Set();
    for (const text of sources(['src/gateway', 'src/workspace', 'src/assembly', 'src/agent_tools', 'src/cli', 'src/capability', 'src/workflow', 'src/http_api'])) {
      for (const [, name] of text.matchAll(/"((?:run|call|changes|approval|rule|config|audit|store|skill|server|token|tool)\.[a-z]+)"/g)) if (name !== 'audit.log' && name !== 'server.tool') audited.add(name);
    }
    same(in_tables('docs/formats.md', 0, '| event | says |'), audited, 'events of the audit log');
  },
});
