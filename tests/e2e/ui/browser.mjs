// A person at the page: Debian's headless Chromium, and its complaints.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { eventually, program } from '../serve/workspace.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = 120_000;

// Shared by all cases of this process, as it takes long to start. `close` closes what a case has opened in it, and
// leaves nothing for the next.
let shared;
export async function start_browser() {
  shared ??= chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: process.getuid() !== 0, args: ['--disable-gpu'], timeout: patience });
  const browser = await shared;
  const opened = [];
  return {
    async newContext(options) {
      opened.push(await browser.newContext(options));
      return opened.at(-1);
    },
    close: () => Promise.all(opened.map((context) => context.close())),
  };
}

// A tab in its own browser context. `complaints` are script errors and everything that the content security policy
// blocked.
export async function open(browser, url, { scheme = 'light', width = 1280, height = 800 } = {}) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(error.stack));
  page.on('dialog', (dialog) => { page.complaints.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('console', (message) => { if (/Content Security Policy|Trusted/i.test(message.text())) page.complaints.push(message.text()); });
  await page.goto(url);
  return page;
}
export const assert_no_complaints = (page) => assert.deepEqual(page.complaints, []);

export const has_text = (page, text) => page.getByText(text).first().waitFor();
// Long enough for a yes to count. The page counts from the frame after the one in which the request appeared, which may
// be late on a busy machine.
export const read_it = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 320))));

// By these rules of axe-core, or by all of them.
export async function assert_accessible(page, what, rules) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(runOnly ? { runOnly } : {}), rules);
  assert.deepEqual(violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes[0].html}`), []);
}
export async function assert_fits(page, what) {
  const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert(needed <= given, `${what} needs ${needed} of ${given} pixels`);
}

// Starts glovebox ui, which shows its links only on a terminal. Enter requests another one.
export async function start_ui(workspace, ...folders) {
  const words = [program, 'ui', '--no-open', ...[workspace.folder, ...folders].flatMap((folder) => ['--workspace', folder])];
  const child = workspace.start('/usr/bin/script', ['-qfec', words.join(' '), '/dev/null'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const links = () => [...child.out.matchAll(/(http:\/\/127\.0\.0\.1:\d+\/ui\/#code=\S+)\s/g)].map(([, link]) => link);
  await Promise.race([eventually(() => links().length, 'the link'), child.ended.then(({ out }) => { throw new Error(out); })]);
  return {
    link: links()[0],
    async another() {
      const before = links().length;
      child.stdin.write('\n');
      return (await eventually(() => links().length > before && links(), 'another link')).at(-1);
    },
  };
}
