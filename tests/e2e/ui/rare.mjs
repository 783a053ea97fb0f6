// What rarely happens to a person at the page: offline, two tabs, a workspace that goes away, a gateway that dies while
// it is answered. For `make prove`.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { run_cases } from '../serve/cases.mjs';
import { connect } from '../serve/clients.mjs';
import { Workspace, eventually } from '../serve/workspace.mjs';
import { assert_accessible, assert_fits, assert_no_complaints, has_text, open, read_it, start_browser, start_ui } from './browser.mjs';

const asking = (more = {}) => new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] }, ...more });
const numbers = (workspace) => workspace.calls('post').map((call) => call.args.n);
const post = (n) => `return await mcp.ledger.post({ n: ${n} })`;
const at = (page) => new URL(page.url()).hash;

await run_cases({
  async offline_back_forward_and_two_tabs(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const agent = owned(await connect(workspace));
    for (const n of [1, 2]) await agent.execute(post(n), { intent: `count to ${n}` });
    const ui = await start_ui(workspace);
    const page = await open(browser, ui.link);
    await page.getByRole('link', { name: /count to 1/ }).click();
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    const request = at(page);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: /count to 2/ }).click();
    const run = at(page);
    await page.goBack();
    await page.goBack();
    assert.equal(at(page), request);
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    await page.goForward();
    await page.goForward();
    assert.equal(at(page), run);
    await has_text(page, 'count to 2');

    // Two tabs show the same; of two answers one counts, and the other tab says so.
    const other = await open(browser, await ui.another());
    for (const tab of [page, other]) {
      await tab.getByRole('link', { name: 'Inbox' }).click();
      await tab.getByRole('link', { name: /count to 1/ }).click();
      await tab.getByRole('button', { name: /Approve once/ }).waitFor();
    }
    await other.context().setOffline(true);
    await read_it(page);
    await page.keyboard.press('y');
    await has_text(page, 'Approved.');
    await eventually(() => numbers(workspace).length === 1, 'the call');
    await has_text(other, 'Offline.');
    assert(await other.getByRole('button', { name: /Approve once/ }).isDisabled(), 'nothing can be sent');
    await other.context().setOffline(false);
    await other.getByText('Offline.').waitFor({ state: 'detached' });
    await other.getByRole('button', { name: /Approve once/ }).waitFor({ state: 'detached' });
    await has_text(other, 'approved');
    assert.deepEqual(numbers(workspace), [1]);
    for (const tab of [page, other]) assert_no_complaints(tab);
  },

  async what_went_wrong_is_said(owned) {
    const [first, second] = [owned(asking()), owned(asking())];
    second.env = { HOME: first.folder };
    const browser = owned(await start_browser());
    const agent = await connect(second);
    await agent.execute(post(1), { intent: 'of the second' });
    await agent.close();
    // A store of a later version is reported, and the other workspace is still shown.
    const workspaces = join(first.folder, '.local/state/glovebox/workspaces');
    const database = join(workspaces, readdirSync(workspaces)[0], 'glovebox.db');
    const version = new DatabaseSync(database);
    version.exec('INSERT INTO schema_version VALUES (9999)');
    version.close();
    const other = await connect(first);
    await other.execute(post(2), { intent: 'of the first' });
    const page = await open(browser, (await start_ui(first, second.folder)).link);
    await has_text(page, 'of the first');
    await has_text(page, /written by a newer glovebox/);
    await assert_accessible(page, 'a workspace that is not shown');
    // It is shown once it can be read.
    const mended = new DatabaseSync(database);
    mended.exec('DELETE FROM schema_version WHERE version = 9999');
    mended.close();
    await has_text(page, 'of the second');
    // With a token that is no longer valid the page says what to do.
    await page.evaluate(() => sessionStorage.setItem('glovebox.token', 'gone'));
    await page.reload();
    await has_text(page, 'Your token is unknown here');
    await other.close();
    assert_no_complaints(page);
  },

  async a_gateway_that_dies_while_it_is_answered(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const token = await workspace.token('approver');
    const gateway = await workspace.serve_http();
    const { port } = new URL(gateway.url);
    const agent = await connect(workspace, { http: gateway });
    await agent.execute(post(1), { intent: 'answered once' });
    const page = await open(browser, `${new URL('/ui/', gateway.url)}#token=${token}`);
    await page.getByRole('link', { name: /answered once/ }).click();
    await page.getByRole('button', { name: /Approve once/ }).waitFor();
    await read_it(page);
    // The answer arrives, and the reply does not.
    await page.route('**/approvals/*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch().catch(() => {});
      gateway.kill('SIGKILL');
      return route.abort();
    });
    await page.getByRole('button', { name: /Approve once/ }).click();
    await has_text(page, 'it is unknown whether this arrived');
    await page.unroute('**/approvals/*');
    await workspace.serve_http_at(port);
    await page.getByText('Offline.').waitFor({ state: 'detached' });
    await has_text(page, 'approved');
    await eventually(() => numbers(workspace).length === 1, 'the call');
    await page.waitForTimeout(1000);
    assert.deepEqual(numbers(workspace), [1], 'it counted once');
  },

  async a_call_that_writes_a_file_is_compared_with_it(owned) {
    const workspace = owned(asking({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } }));
    writeFileSync(join(workspace.folder, 'data/a.txt'), 'kept\nold\n');
    const browser = owned(await start_browser());
    const agent = owned(await connect(workspace));
    await agent.execute(`return await mcp.ledger.post({ path: 'data/a.txt', content: 'kept\\nnew\\n' })`, { check: 'off' });
    const page = await open(browser, (await start_ui(workspace)).link);
    await page.keyboard.press('j');
    await page.locator('.diff .gone', { hasText: 'old' }).waitFor();
    await page.locator('.diff .new', { hasText: 'new' }).waitFor();
    assert.equal(readFileSync(join(workspace.folder, 'data/a.txt'), 'utf8'), 'kept\nold\n');
  },

  // A gateway carries out what the owner's programs request in the store. Requests of a process that can write to the
  // file but does not have the key have no effect.
  async a_request_without_the_owners_seal_runs_nothing(owned) {
    const workspace = owned(asking());
    const agent = owned(await connect(workspace));
    await agent.execute('return 1', { check: 'off' });
    const store = new DatabaseSync(join(workspace.state, 'glovebox.db'));
    const [{ id }] = store.prepare('SELECT id FROM nodes').all();
    const about = JSON.stringify({ request: 'r', wish: { code: 'return await mcp.ledger.read({ n: 1 })' } });
    for (const digest of ['', '0'.repeat(64)]) {
      store.prepare("INSERT INTO node_requests (node, kind, about, who, at, digest) VALUES (?, 'execute', ?, 'ann', ?, ?)").run(id, about, Date.now(), digest);
    }
    await eventually(() => store.prepare('SELECT count(*) AS n FROM node_requests').get().n === 0, 'they are taken');
    await agent.execute('return 2', { check: 'off' });
    assert.equal(store.prepare('SELECT count(*) AS n FROM runs').get().n, 2);
    assert.deepEqual(workspace.calls('read'), []);
    store.close();
  },

  // Forced colours, reduced motion, and the narrowest window, on pages with content.
  async other_ways_to_see(owned) {
    const workspace = owned(asking());
    const browser = owned(await start_browser());
    const agent = owned(await connect(workspace));
    await agent.execute(post(1), { intent: 'count to one' });
    await agent.execute('console.log("said"); emit("a.txt", "text"); return { deep: [1, { two: 3 }] }', { intent: 'an artifact', check: 'off' });
    const page = await open(browser, (await start_ui(workspace)).link);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    for (const name of ['Inbox', 'Runs', 'Tools', 'Rules', 'Now', 'Audit']) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('link', { name }).first().click();
      const row = page.locator('.entry a').first();
      if (['Inbox', 'Runs', 'Tools'].includes(name)) {
        await row.click();
        await page.locator('.detail h2').first().waitFor();
      }
      await assert_accessible(page, `${name} in forced colours`);
      await page.setViewportSize({ width: 320, height: 640 });
      await assert_fits(page, name);
    }
    assert_no_complaints(page);
  },
});
