// How fast the page is with much to show: 10,000 runs and 1,000 waiting requests. Prints the figures, and fails beyond
// those of docs/benchmarks.md. node tests/e2e/ui/speed.mjs is_quick_with_much_to_show; RUNS and REQUESTS in the
// environment make it shorter.
import assert from 'node:assert/strict';
import { run_cases } from '../serve/cases.mjs';
import { connect } from '../serve/clients.mjs';
import { Workspace } from '../serve/workspace.mjs';
import { open, start_browser, start_ui } from './browser.mjs';

const runs = Number(process.env.RUNS ?? 10_000);
const requests = Number(process.env.REQUESTS ?? 1000);
const kPaint = 300;
const kEvent = 100;
const at_once = 32;
const rounds = 9;

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
async function many(count, act) {
  let next = 0;
  await Promise.all(Array.from({ length: at_once }, async () => { while (next < count) await act(next++); }));
}

// Times since the address was entered: until something was painted, and until the list was there.
async function loaded(page, url, selector) {
  await page.goto('about:blank');
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  return page.evaluate((chosen) => new Promise((done) => {
    const look = () => document.querySelector(chosen) ? requestAnimationFrame(() => done({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity, list: globalThis.listed ?? performance.now(),
    })) : requestAnimationFrame(look);
    look();
  }), selector);
}

await run_cases({
  async is_quick_with_much_to_show(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] }, limits: { runs: at_once, waitingRunsPerClient: requests } }));
    const agent = owned(await connect(workspace));
    await many(runs, (n) => agent.execute(`return ${n}`, { intent: `Run number ${n}`, check: 'off' }));
    await many(requests, (n) => agent.execute(`return await mcp.ledger.post({ n: ${n} })`, { intent: `Request number ${n}`, check: 'off' }));

    const browser = owned(await start_browser());
    const page = await open(browser, (await start_ui(workspace)).link);
    await page.addInitScript(() => new MutationObserver(() => { if (!globalThis.listed && document.querySelector('.entry')) globalThis.listed = performance.now(); })
      .observe(document, { childList: true, subtree: true }));
    await page.waitForFunction((count) => document.title === `(${count}) Glovebox`, requests);
    const base = page.url().split('#')[0];
    const figures = {};
    for (const [name, place] of [['inbox', '#/inbox'], ['runs', '#/runs']]) {
      const times = [];
      for (let i = 0; i < rounds; ++i) times.push(await loaded(page, base + place, '.entry'));
      figures[name] = { first_paint_ms: Math.round(middle(times.map(({ paint }) => paint))), list_ms: Math.round(middle(times.map(({ list }) => list))) };
    }
    // From when a run is in the store to when its row is shown.
    const events = [];
    for (let i = 0; i < rounds; ++i) {
      const intent = `Seen at once, number ${i}`;
      const seen = page.evaluate((text) => new Promise((done) => {
        const look = () => { if ([...document.querySelectorAll('.entry')].some((one) => one.textContent.includes(text))) { watch.disconnect(); requestAnimationFrame(() => done(Date.now())); } };
        const watch = new MutationObserver(look);
        watch.observe(document, { childList: true, subtree: true, characterData: true });
      }), intent);
      const { run_id } = await agent.execute('return 1', { intent, check: 'off' });
      const { created } = await workspace.json('runs', 'show', run_id);
      events.push(await seen - created);
    }
    figures.event_to_screen_ms = Math.round(middle(events));
    console.log(JSON.stringify({ stored_runs: runs, waiting_requests: requests, ...figures }));
    for (const { first_paint_ms } of [figures.inbox, figures.runs]) assert(first_paint_ms <= kPaint, `first paint after ${first_paint_ms} ms`);
    assert(figures.event_to_screen_ms <= kEvent, `an event is seen after ${figures.event_to_screen_ms} ms`);
  },
});
