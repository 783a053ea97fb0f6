// Makes the pictures of docs/ui.md from the program as it is: node tests/e2e/ui/pictures.mjs
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../serve/clients.mjs';
import { Workspace } from '../serve/workspace.mjs';
import { has_text, open, start_browser, start_ui } from './browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const images = join(here, '../../../docs/images');
mkdirSync(images, { recursive: true });

const report = `// Tell each customer what is open.
const { orders } = await mcp.shop.list_orders({ status: 'open' });
for (const order of orders) {
  const customer = await mcp.shop.get_customer({ id: order.customerId });
  const total = (order.totalCents / 100).toFixed(2);
  await mcp.shop.send_email({
    to: [customer.email],
    subject: 'Your order ' + order.id,
    body: 'Dear ' + customer.name + ',\\n\\nyour order of ' + total + ' EUR is on its way.\\n',
  });
}
return orders.length;`;
const refund = (order, cents) => `return await mcp.shop.refund_order({ order_id: '${order}', amount_cents: ${cents}, reason: 'damaged' })`;

// A folder with a presentable name; the owner's state is in one with a random name.
const home = new Workspace();
const shop = { folder: '/tmp/shop', env: { HOME: home.folder }, start: (...args) => home.start(...args) };
mkdirSync(shop.folder);
writeFileSync(join(shop.folder, 'glovebox.json'), JSON.stringify({
  mcpServers: { shop: { command: process.execPath, args: [join(here, '../serve/shop.mjs')], env: { LEDGER: '/dev/null' } } },
  permissions: { ask: ['shop:send_email', 'shop:refund_order'], allow: ['shop'] },
}));
const agent = await connect(shop);
await agent.execute(`const { orders } = await mcp.shop.list_orders({});
const customers = await Promise.all(orders.map(({ customerId }) => mcp.shop.get_customer({ id: customerId })));
const prices = [];
for (const sku of ['tea', 'cup']) prices.push(await mcp.shop.get_price({ sku, currency: 'EUR' }));
console.log(orders.length + ' orders read');
return { orders: orders.length, customers: customers.map(({ name }) => name), prices };`, { intent: 'Count orders, customers and prices' });
await agent.execute(report, { intent: 'Tell customers with open orders that theirs is on its way' });
await agent.execute(refund('o1', 4200), { intent: 'Refund a damaged delivery of tea' });
await agent.execute(refund('o2', 990), { intent: 'Refund a cup that broke' });

const task = (id, tool, args, dependencies = []) => ({ id, type: 'mcp_tool', tool, arguments: args, dependencies });
const prices = ['tea', 'cup', 'pot'].map((sku) => task(`price_of_${sku}`, 'shop:get_price', { sku, currency: 'EUR' }, ['orders']));
await agent.call('run_workflow', { workflow: { intent: 'Prices for the catalogue', decisions: { orders: 'none', price_of_pot: 'human' },
  tasks: [task('orders', 'shop:list_orders', {}), ...prices, task('customers', 'shop:list_customers', {}, prices.map(({ id }) => id))] } });

const browser = await start_browser();
const page = await open(browser, (await start_ui(shop)).link, { width: 1120, height: 740 });
await page.getByRole('link', { name: /Tell customers/ }).click();
await has_text(page, 'shop.send_email');
await page.waitForTimeout(500);
await page.screenshot({ path: join(images, 'ui-inbox.png') });
await page.emulateMedia({ colorScheme: 'dark' });
await page.getByRole('link', { name: 'Runs' }).click();
await page.getByRole('link', { name: /Count orders/ }).click();
await has_text(page, 'execution');
await page.waitForTimeout(500);
await page.screenshot({ path: join(images, 'ui-run.png') });
await page.emulateMedia({ colorScheme: 'light' });
await page.getByRole('link', { name: 'Workflows' }).click();
await page.getByRole('link', { name: /Prices for/ }).click();
await page.getByRole('button', { name: /^orders/ }).waitFor();
await page.waitForTimeout(500);
await page.screenshot({ path: join(images, 'ui-workflow.png') });
await browser.close();
await agent.close();
await home.close();
rmSync(shop.folder, { recursive: true });
process.exit(0);
