// Complete journeys of a person at the page, with the real program, servers and browser.
import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run_cases } from '../serve/cases.mjs';
import { connect } from '../serve/clients.mjs';
import { Workspace, eventually, is_alive, reserved_port } from '../serve/workspace.mjs';
import { assert_accessible, assert_fits, assert_no_complaints, has_text, open, read_it, start_browser, start_ui } from './browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const asking = (more = {}) => new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] }, ...more });
const numbers = (workspace) => workspace.calls('post').map((call) => call.args.n);
const post = (n) => `return await mcp.ledger.post({ n: ${n} })`;
const ended = (workspace, run) => eventually(async () => {
  const record = await workspace.run_record(run);
  return ['finished', 'failed'].includes(record.status) && record;
}, 'the run ends');

// Tabs, links and the page that a token opens: #token=… is not kept in the address.
const page_of = (gateway, token) => `${new URL('/ui/', gateway.url)}#token=${token}`;

const kHostile = '<img src=x onerror=alert(1)>\u202Egnp.exe\u200B';
const kMarks = ['U+202E', 'U+200B'];

await run_cases({
  async a_yes_from_the_inbox(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const agent = await connect(workspace);
    const waits = await agent.execute(`console.log('began');\n${post(1)}`, { intent: 'count to one' });
    const ui = await start_ui(workspace);
    const page = await open(browser, ui.link);
    await has_text(page, 'count to one');
    await page.waitForFunction(() => document.title === '(1) Glovebox');
    assert(!page.url().includes('code='), page.url());

    // A key that was pressed before the request could be read does not approve it.
    await page.evaluate(() => new Promise((done) => {
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      let shown = Infinity;
      const impatient = () => {
        if (document.querySelector('button.yes')) shown = Math.min(shown, performance.now());
        if (performance.now() - shown > 150) return done();
        press('y');
        requestAnimationFrame(impatient);
      };
      press('j');
      impatient();
    }));
    await read_it(page);
    assert.deepEqual(numbers(workspace), []);
    await page.keyboard.press('y');
    await has_text(page, 'Approved.');
    await has_text(page, 'finished');
    assert.deepEqual(numbers(workspace), [1]);
    assert.deepEqual((await ended(workspace, waits.run_id)).outcome.result, { posted: { n: 1 } });
    await page.waitForFunction(() => document.title === 'Glovebox');

    // The outcome is shown, also after a reload; and the answer is in the history.
    await page.getByRole('link', { name: 'Show it' }).click();
    await has_text(page, 'began');
    await page.reload();
    await has_text(page, 'began');
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('link', { name: 'History' }).click();
    await has_text(page, 'approved');
    assert_no_complaints(page);

    // The link worked only once; the next one works.
    const late = await open(browser, ui.link);
    await has_text(late, 'This link does not work');
    const other = await open(browser, await ui.another());
    await has_text(other, 'Nothing is waiting for you.');

    // An approval can be withdrawn as long as the call has not begun: here there is no gateway to begin it.
    const brief = await connect(workspace);
    const asked = await brief.execute(post(2), { intent: 'think twice' });
    await brief.close();
    await agent.close();
    await other.getByRole('link', { name: /think twice/ }).click();
    await has_text(other, 'No gateway is running in this workspace');
    await read_it(other);
    await other.getByRole('button', { name: 'Approve once' }).click();
    await has_text(other, 'the answer is stored');
    await other.getByRole('button', { name: 'Withdraw the approval' }).click();
    await has_text(other, 'Withdrawn: the call is denied.');
    const resumed = await workspace.run('runs', 'resume', asked.run_id);
    assert.match(resumed.out + resumed.err, /withdrawn/);
    assert.deepEqual(numbers(workspace), [1]);
    assert_no_complaints(other);
  },

  async a_no_with_its_reason_and_a_rule_for_the_run(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const agent = owned(await connect(workspace));
    const denied = await agent.execute(post(1));
    const page = await open(browser, (await start_ui(workspace)).link);
    await page.getByRole('link', { name: /post/ }).click();
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('not on Sundays, yes?');
    await page.keyboard.press('Enter');
    await has_text(page, 'Denied.');
    assert.match((await ended(workspace, denied.run_id)).outcome.error.message, /not on Sundays, yes\?/);

    // The approval shows the rule that it adds, and adds what was shown.
    const looping = await agent.execute('for (let i = 0; i < 3; ++i) await mcp.ledger.post({ n: 1 })');
    await page.goto(`${page.url().split('#')[0]}#/inbox`);
    await page.getByRole('link', { name: /post/ }).click();
    await page.getByLabel('This run').check();
    assert.equal(await page.getByLabel('Rule 1').inputValue(), 'ledger:post(only n=1)');
    // As it is edited, the page shows which past calls it covers.
    await has_text(page, /of the last \d+ calls (is|are) covered by it/);
    await page.getByLabel('Rule 1').fill('ledger:post(');
    await has_text(page, 'ledger:post(');
    await page.getByLabel('Rule 1').fill('ledger:post(only n=77)');
    await has_text(page, /^None of the last \d+ calls are covered/);
    await page.getByRole('button', { name: 'Restore the proposal' }).click();
    await read_it(page);
    await page.getByRole('button', { name: 'Approve for this run' }).click();
    await has_text(page, 'Allowed from now on: ledger:post(only n=1)');
    assert.equal((await ended(workspace, looping.run_id)).status, 'finished');
    assert.deepEqual(numbers(workspace), [1, 1, 1]);

    // A key applies to what is shown. A request that was answered elsewhere meanwhile stays on the screen, and no other
    // takes its place.
    const asked = await agent.execute(post(5));
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('link', { name: /post/ }).click();
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    await agent.execute(post(6));
    await workspace.json('approvals', 'deny', asked.context.id);
    await page.getByRole('button', { name: /Approve once/ }).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.title === '(1) Glovebox');
    await read_it(page);
    await page.keyboard.press('y');
    await read_it(page);
    assert.equal((await workspace.waiting()).length, 1);
    assert.deepEqual(numbers(workspace), [1, 1, 1]);
    assert_no_complaints(page);
  },

  async several_at_once_in_two_workspaces(owned) {
    const first = owned(asking());
    const second = owned(asking());
    second.env = { HOME: first.folder };  // one owner
    const browser = owned(await start_browser());
    const [agent, other] = [owned(await connect(first)), owned(await connect(second))];
    for (const n of [1, 2, 3]) await agent.execute(post(n));
    await other.execute(post(4), { intent: 'of the other workspace' });
    const page = await open(browser, (await start_ui(first, second.folder)).link);
    await page.waitForFunction(() => document.title === '(4) Glovebox');
    await page.keyboard.press('j');
    await page.getByRole('button', { name: 'Choose all 3 like this' }).click();
    await page.getByRole('button', { name: 'Approve these 3 calls' }).click();
    await page.waitForFunction(() => document.title === '(1) Glovebox');
    await eventually(() => numbers(first).length === 3, 'all three are made');
    assert.deepEqual(numbers(first).sort(), [1, 2, 3]);
    assert.deepEqual(numbers(second), []);
    await has_text(page, 'of the other workspace');
    await page.getByLabel('Workspace').selectOption({ index: 1 });
    await has_text(page, 'Nothing is waiting for you.');
    assert_no_complaints(page);
  },

  // The list of requests comes in pages, each of a few if an agent makes them large.
  async large_requests_hide_no_other(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const agent = owned(await connect(workspace));
    for (const n of [1, 2, 3, 4, 5, 6]) await agent.execute(`/*${(n === 1 ? '\n' : 'x').repeat(3 << 20)}*/ ${post(n)}`, { intent: `large ${n}`, check: 'off' });
    await agent.execute(post(7), { intent: 'a small one' });
    await agent.execute('return new Array(1_000_000).fill(0)', { intent: 'a long list' });
    const page = await open(browser, (await start_ui(workspace)).link);
    await page.waitForFunction(() => document.title === '(7) Glovebox');
    await page.getByRole('link', { name: /a small one/ }).click();
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    await read_it(page);
    await page.keyboard.press('y');
    await has_text(page, 'Approved.');
    await page.waitForFunction(() => document.title === '(6) Glovebox');
    await eventually(() => numbers(workspace).length === 1, 'the call');
    assert.deepEqual(numbers(workspace), [7]);
    // Code of three million lines, and a list of a million numbers, do not hold up the page.
    await page.getByRole('link', { name: /large 1/ }).click();
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    await has_text(page, 'Show all: 3145729 lines');
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: /a long list/ }).click();
    await has_text(page, 'Show more: 999900 are left');
    assert_no_complaints(page);
  },

  async a_workflow_is_decided(owned) {
    const workspace = owned(new Workspace());
    const browser = owned(await start_browser());
    const agent = owned(await connect(workspace));
    const task = (id, n, dependencies = []) => ({ id, type: 'mcp_tool', tool: 'ledger:post', arguments: { n }, dependencies });
    await agent.call('run_workflow', { workflow: { intent: 'two steps', decisions: 'human', tasks: [task('a', 1), task('b', 2, ['a'])] } });
    const page = await open(browser, (await start_ui(workspace)).link);
    await page.waitForFunction(() => document.title === '(1) Glovebox');
    await page.getByRole('link', { name: /two steps.*asks how to continue/ }).click();
    await page.getByRole('button', { name: /^a completed/ }).waitFor();
    assert.deepEqual(numbers(workspace), [1]);
    await read_it(page);
    await page.getByRole('button', { name: 'Continue with these tasks' }).click();
    await page.getByRole('button', { name: /^b completed/ }).waitFor();
    await has_text(page, 'finished');
    await page.waitForFunction(() => document.title === 'Glovebox');
    assert.deepEqual(numbers(workspace), [1, 2]);
    await page.getByRole('button', { name: /^b completed/ }).click();
    await has_text(page, 'Attempts');

    // Another one from where it began, with other arguments for what is pending.
    const before = page.url();
    await page.getByRole('button', { name: 'Fork from here' }).last().click();
    await page.getByLabel(/Other arguments/).fill('{"a": {"n": 3}}');
    await page.getByRole('button', { name: /Fork from checkpoint/ }).click();
    await page.waitForFunction((url) => location.href !== url, before);
    await has_text(page, 'forked from');
    await page.getByRole('button', { name: 'Continue with these tasks' }).waitFor();
    assert.deepEqual(numbers(workspace), [1, 2, 3]);
    await page.getByText('Change the plan: 1 task is pending').click();
    const plan = page.getByLabel(/Tasks that replace the pending/);
    await plan.fill((await plan.inputValue()).replace('"n": 2', '"n": 4'));
    await page.locator('.diff .new', { hasText: '"n": 4' }).waitFor();
    await page.getByRole('button', { name: 'Replace the pending tasks' }).click();
    await page.locator('.question .json-other', { hasText: '4' }).waitFor();
    await read_it(page);
    await page.getByRole('button', { name: 'Continue with these tasks' }).click();
    await page.getByRole('button', { name: /^b completed/ }).waitFor();
    assert.deepEqual(numbers(workspace), [1, 2, 3, 4]);
    assert_no_complaints(page);
  },

  // With a gateway that speaks MCP on its standard streams: requests of the page go through the store.
  async a_run_of_ones_own(owned) {
    const workspace = owned(asking({ sandbox: { timeoutMs: 300_000, rpcTimeoutMs: 300_000, vfs: 'overlay', allowRead: ['data'], allowWrite: ['data'] } }));
    writeFileSync(join(workspace.folder, 'data/notes.txt'), 'one\ntwo\n');
    const browser = owned(await start_browser());
    const agent = await connect(workspace);
    const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { run_id } = await agent.execute(`
      emit('dot.png', Uint8Array.from(atob('${picture}'), (c) => c.charCodeAt(0)));
      emit('table.csv', 'a,b\\n1,<img src=x onerror=alert(1)>');
      Deno.writeTextFileSync('${workspace.folder}/data/notes.txt', 'one\\nthree\\n');
      return context.n ?? 0;`, { intent: 'draw and write', check: 'off' });
    const page = await open(browser, (await start_ui(workspace)).link);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: /draw and write/ }).click();
    await page.locator('img.picture').waitFor();
    assert.equal(await page.locator('img.picture').evaluate((one) => one.decode().then(() => one.naturalWidth)), 1);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await has_text(page, '<img src=x onerror=alert(1)>');

    // What it wrote is in a layer until a person has seen the changes.
    await page.locator('.diff .gone', { hasText: 'two' }).waitFor();
    await page.locator('.diff .new', { hasText: 'three' }).waitFor();
    assert.equal(readFileSync(join(workspace.folder, 'data/notes.txt'), 'utf8'), 'one\ntwo\n');
    await page.getByRole('button', { name: 'Write to the disk' }).click();
    await page.getByRole('button', { name: 'Write this change' }).click();
    await has_text(page, 'written to the disk');
    assert.equal(readFileSync(join(workspace.folder, 'data/notes.txt'), 'utf8'), 'one\nthree\n');

    // Saved as a test, and run again with another context.
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as a test' }).click()]);
    assert.equal(JSON.parse(readFileSync(await saved.path(), 'utf8')).run, run_id);
    await page.getByRole('button', { name: 'Run again with' }).click();
    await page.getByLabel('Context').fill('{"n": ');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await has_text(page, 'The context is not a JSON object');
    await page.getByLabel('Context').fill('{"n": 77}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.json-other', { hasText: '77' }).first().waitFor();

    // A tool that the rules ask about needs approval here, too; without a gateway the page says what to do.
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('link', { name: /ledger\.post/ }).click();
    await page.getByText('Try it, under the rules').click();
    await page.getByLabel('Arguments').fill('{"n": 5}');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('link', { name: 'Show it' }).click();
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    assert.deepEqual(numbers(workspace), []);
    await read_it(page);
    await page.getByRole('button', { name: /Approve once/ }).click();
    await eventually(() => numbers(workspace).length === 1, 'the call');
    await agent.close();
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('link', { name: /ledger\.post/ }).click();
    await page.getByText('Try it, under the rules').click();
    await page.getByRole('button', { name: 'Run' }).click();
    await has_text(page, 'no gateway is running in this workspace');
    assert_no_complaints(page);
  },

  async servers_tools_rules_and_figures(owned) {
    const workspace = owned(asking({ permissions: { ask: ['ledger:post'], allow: ['ledger', 'mail'] } }));
    const file = join(workspace.folder, 'tools.json');
    // In one step: the server may be reading it.
    const describe_send = (description) => {
      writeFileSync(`${file}.new`, JSON.stringify([{ name: 'send', description }]));
      renameSync(`${file}.new`, file);
    };
    describe_send('Posts a letter');
    workspace.config.mcpServers.mail = { command: process.execPath, args: [join(here, '../serve/shifting.mjs')], env: { TOOLS: file } };
    workspace.write_config();
    const browser = owned(await start_browser());
    const token = await workspace.token('operator');
    const first = await workspace.serve_http();
    const agent = await connect(workspace, { http: first });
    await agent.execute('await mcp.ledger.read({ n: 1 }); return await mcp.mail.send({})', { check: 'off' });
    const page = await open(browser, page_of(first, token));
    await page.getByRole('link', { name: 'Tools' }).click();
    await has_text(page, 'mail.send');
    await page.locator('.server', { hasText: 'ledger' }).getByText('ready').waitFor();

    // A search shows how its scores are composed.
    await page.getByLabel('What do you want to do?').fill('post a letter');
    await page.keyboard.press('Enter');
    await has_text(page, /words [\d.]+, meaning [\d.]+/);
    await page.getByLabel('What do you want to do?').fill('');

    // A changed definition is shown with its changes, and approved by a person who has read it.
    describe_send('Posts a letter, and a copy to me');
    await eventually(async () => (await agent.execute('return await mcp.mail.send({}).catch((error) => error.code)', { check: 'off' })).result === 'TOOL_QUARANTINED', 'the quarantine');
    await page.getByRole('link', { name: /mail\.send/ }).click();
    await has_text(page, 'Quarantined.');
    await page.locator('.diff .new', { hasText: 'a copy to me' }).waitFor();
    await read_it(page);
    await page.getByRole('button', { name: 'Approve this definition' }).click();
    await page.getByText('Quarantined.').waitFor({ state: 'detached' });
    assert.match((await workspace.run('audit')).out, /tool\.approved.*tool=mail:send/);
    assert.equal((await workspace.json('audit', 'verify')).ok, true);

    // Trying a tool is a run, and what the rules ask about needs approval.
    await page.getByText('Try it, under the rules').click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('link', { name: 'Show it' }).click();
    await has_text(page, 'Try mail.send');

    await page.getByRole('link', { name: 'Rules' }).click();
    await has_text(page, /\d+ times/);
    await page.getByText('wider than what was called').first().click();
    await has_text(page, 'ledger:read');
    await page.getByText('Try a call or a rule').click();
    await page.getByLabel('Tool').fill('ledger:post');
    await page.getByRole('button', { name: 'Ask the rules' }).click();
    await page.locator('.tester .state', { hasText: 'ask' }).waitFor();
    await page.getByRole('link', { name: 'Now' }).click();
    await has_text(page, 'Tool calls');
    await page.getByText('The config in force').click();
    await has_text(page, 'glovebox.json');
    await agent.close();
    assert_no_complaints(page);
  },

  async the_gateway_is_killed_and_comes_back(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const token = await workspace.token('approver');
    const port = await reserved_port();
    const first = await workspace.serve_http_at(port);
    const agent = await connect(workspace, { http: first });
    const waits = await agent.execute(post(1), { intent: 'outlive a gateway' });
    const page = await open(browser, page_of(first, token));
    await page.getByRole('link', { name: /outlive a gateway/ }).click();
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    first.kill('SIGKILL');
    await eventually(() => !is_alive(first.pid), 'the gateway is dead');
    await has_text(page, 'Offline.');
    assert(await page.getByRole('button', { name: /Approve once/ }).isDisabled());
    await workspace.serve_http_at(port);
    await page.getByText('Offline.').waitFor({ state: 'detached' });
    await read_it(page);
    await page.getByRole('button', { name: /Approve once/ }).click();
    await has_text(page, 'Approved.');
    await has_text(page, 'finished');
    assert.equal((await ended(workspace, waits.run_id)).status, 'finished');
    assert.deepEqual(numbers(workspace), [1]);
    assert_no_complaints(page);
  },

  async a_viewer_sees_and_does_not_answer(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const token = await workspace.token('viewer');
    const gateway = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http: gateway }));
    const waits = await agent.execute(post(1), { intent: 'try it' });
    const page = await open(browser, page_of(gateway, token));
    await page.getByRole('link', { name: /try it/ }).click();
    await has_text(page, 'it can read, but not answer');
    assert.equal(await page.getByRole('button', { name: /Approve|Deny/ }).count(), 0);
    await read_it(page);
    await page.keyboard.press('y');
    const said = await page.evaluate(async ({ id, bearer }) => {
      const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' };
      const { workspaces } = await (await fetch('/api/v1', { headers })).json();
      const path = `/api/v1/workspaces/${workspaces[0].id}/approvals/${id}`;
      const { digest } = await (await fetch(path, { headers })).json();
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify({ decision: 'approve', digest }) })).status;
    }, { id: waits.context.id, bearer: token });
    assert.equal(said, 403);
    assert.deepEqual(numbers(workspace), []);
    assert_no_complaints(page);
    // With an invalid token the page says what to do.
    const other = await open(browser, page_of(gateway, 'wrong'));
    await has_text(other, 'Your token is unknown here');
    await other.getByLabel('Token').fill(token);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await has_text(other, 'try it');
  },

  async hostile_text_is_text_on_every_page(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const agent = owned(await connect(workspace));
    const text = JSON.stringify(kHostile);
    await agent.execute(`console.log(${text}); return { [${text}]: ${text} }`, { intent: kHostile });
    await agent.execute(`throw new Error(${text})`);
    const long = `${kHostile}${'x'.repeat(30_000)}${'\n'.repeat(500)}`;
    await agent.execute(`// ${kHostile}\nawait mcp.ledger.post({ [${text}]: ${text}, long: ${JSON.stringify(long)} })`, { intent: long.slice(0, 2000) });
    await agent.call('run_workflow', { workflow: { intent: kHostile, tasks: [{ id: 'a', type: 'code_execution', code: `return ${text}` }] } });
    const { link } = await start_ui(workspace);

    const page = await open(browser, link);
    const rows = page.locator('.entry a');
    const assert_plain = async (what) => {
      await page.locator('.detail .mark').first().waitFor();
      assert.equal(await page.locator('img').count(), 0, what);
      const shown = await page.locator('.detail').innerText();
      assert(shown.includes('<img src=x onerror=alert(1)>'), what);
      for (const mark of kMarks) assert(shown.includes(mark), `${what} ${mark}`);
      assert(!/[\u200B\u202E]/.test(await page.locator('body').innerText()), what);
    };
    await rows.first().click();
    const yes = page.getByRole('button', { name: /Approve once/ });
    await yes.waitFor();
    await assert_plain('the request');
    assert((await yes.boundingBox()).y < 800, 'the buttons stay on the screen');
    for (const name of ['Runs', 'Workflows']) {
      await page.getByRole('link', { name }).click();
      await rows.first().waitFor();
      for (let i = 0; i < await rows.count(); ++i) {
        await rows.nth(i).click();
        await page.waitForFunction((row) => document.querySelectorAll('.entry a')[row].ariaCurrent === 'true', i);
        await page.locator('.detail h2').first().waitFor();
        await assert_plain(`${name} ${i}`);
      }
    }
    await page.getByRole('link', { name: 'Audit' }).click();
    await has_text(page, 'run.started');
    await page.getByRole('button', { name: 'Verify' }).click();
    await has_text(page, 'Intact');
    assert_no_complaints(page);

    // The same pages for people with little or no sight, and in a narrow window.
    const places = await page.evaluate(() => [...document.querySelectorAll('nav a')].map((one) => one.getAttribute('href')));
    await page.emulateMedia({ colorScheme: 'light' });
    for (const place of places) {
      await page.evaluate((hash) => { location.hash = hash; }, place);
      await page.locator(`nav a[href="${place}"][aria-current]`).waitFor();
      if (await rows.count()) {
        await rows.first().click();
        await page.locator('.detail h2').first().waitFor();
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await assert_accessible(page, `${place} light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await assert_accessible(page, `${place} dark`, ['color-contrast']);  // nothing else depends on it
      await page.setViewportSize({ width: 320, height: 600 });
      await assert_fits(page, place);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    await assert_accessible(page, 'the form for a token');
    assert_no_complaints(page);
  },
});
