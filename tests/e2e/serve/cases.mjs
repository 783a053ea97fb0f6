// Runs the cases of scripts. SCRIPT CASE runs only one, SCRIPT --list names them. `node cases.mjs` runs what it reads,
// line by line (serve/approvals by_http), and ends the output of each with a mark and its code: loading the official
// clients takes longer than most cases.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createInterface } from 'node:readline';

const mark = '\x1e';
const known = new Map();  // script: its cases
const running = new AsyncLocalStorage();
let now;  // the case under way
let handed;

// A script calls this with its cases when it is loaded.
export async function run_cases(cases) {
  if (!now) process.exit(await run(cases, process.argv[2]));
  handed = cases;
}

async function run(cases, name) {
  if (name === '--list') {
    console.log(Object.keys(cases).join('\n'));
    return 0;
  }
  if (!Object.hasOwn(cases, name)) {
    console.error(`no case is called ${name}`);
    return 2;
  }
  const closing = [];
  let code = 0;
  try {
    // `owned` closes what it is given when the case is over, the last first.
    await cases[name]((thing) => (closing.push(thing), thing));
  } catch (error) {
    console.error(error);
    code = 1;
  }
  for (const thing of closing.reverse()) await thing.close();
  return code;
}

async function run_line(line) {
  const [script, name] = line.split(' ');
  if (!known.has(script)) {
    await import(new URL(`../${script}.mjs`, import.meta.url));
    known.set(script, handed);
  }
  return run(known.get(script), name);
}

// An error that is thrown where the case under way cannot catch it fails that case; one of a case that has ended is a
// consequence of ending it.
function fail_from_aside(error) {
  if (running.getStore() !== now) return;
  console.error(error);
  now.fail(1);
}

async function run_lines() {
  process.on('unhandledRejection', fail_from_aside);
  process.on('uncaughtException', fail_from_aside);
  for await (const line of createInterface({ input: process.stdin })) {
    const { promise, resolve } = Promise.withResolvers();
    now = { fail: resolve };
    running.run(now, () => run_line(line).then(resolve));
    process.stdout.write(`${mark}${await promise}\n`);
  }
  process.exit(0);
}

if (import.meta.main) run_lines();  // not awaited: scripts import this file
