// Twenty things that an agent is asked to do with the shop, each written twice: with a mistake of the kind that models
// make, and correctly. All but one of the wrong ones would call a tool before they reach their mistake.
const customers = `const { customers } = await mcp.shop.list_customers({});\n`;
const orders = `const { orders } = await mcp.shop.list_orders({});\n`;

export const tasks = [
  // Wrong names of arguments.
  { kind: 'argument name', before: customers, wrong: `return mcp.shop.get_customer({ customer_id: customers[0].id });`, right: `return mcp.shop.get_customer({ id: customers[0].id });` },
  { kind: 'argument name', before: orders, wrong: `return mcp.shop.refund_order({ orderId: orders[0].id, amount_cents: 100, reason: 'late' });`, right: `return mcp.shop.refund_order({ order_id: orders[0].id, amount_cents: 100, reason: 'late' });`, suggestion: 'order_id' },
  { kind: 'argument name', before: customers, wrong: `for (const c of customers) await mcp.shop.send_email({ to: [c.email], subject: 'Hi', text: 'Hello' });`, right: `for (const c of customers) await mcp.shop.send_email({ to: [c.email], subject: 'Hi', body: 'Hello' });` },
  { kind: 'argument name', before: customers, wrong: `return (await Promise.all(customers.map((c) => mcp.shop.list_orders({ customerId: c.id })))).length;`, right: `return (await Promise.all(customers.map((c) => mcp.shop.list_orders({ customer_id: c.id })))).length;`, suggestion: 'customer_id' },
  { kind: 'argument name', before: orders, wrong: `await mcp.shop.set_stock({ sku: orders[0].lines[0].sku, stock: { warehouse: 'A', qty: 3 } });`, right: `await mcp.shop.set_stock({ sku: orders[0].lines[0].sku, stock: { warehouse: 'A', quantity: 3 } });` },
  // Wrong types.
  { kind: 'type', before: orders, wrong: `return mcp.shop.refund_order({ order_id: orders[0].id, amount_cents: '100', reason: 'late' });`, right: `return mcp.shop.refund_order({ order_id: orders[0].id, amount_cents: 100, reason: 'late' });` },
  { kind: 'type', before: customers, wrong: `return mcp.shop.send_email({ to: customers[0].email, subject: 'Hi', body: 'Hello' });`, right: `return mcp.shop.send_email({ to: [customers[0].email], subject: 'Hi', body: 'Hello' });` },
  { kind: 'type', before: orders, wrong: `return mcp.shop.get_price({ sku: orders[0].lines[0].sku, currency: 'GBP' });`, right: `return mcp.shop.get_price({ sku: orders[0].lines[0].sku, currency: 'EUR' });` },
  { kind: 'type', before: orders, wrong: `return mcp.shop.list_orders({ status: 'pending' });`, right: `return mcp.shop.list_orders({ status: 'open' });` },
  { kind: 'type', before: customers, wrong: `return mcp.shop.get_customer(customers[0].id);`, right: `return mcp.shop.get_customer({ id: customers[0].id });` },
  // Missing fields.
  { kind: 'missing field', before: orders, wrong: `return mcp.shop.refund_order({ order_id: orders[0].id, amount_cents: 100 });`, right: `return mcp.shop.refund_order({ order_id: orders[0].id, amount_cents: 100, reason: 'late' });` },
  { kind: 'missing field', before: customers, wrong: `const mail = { subject: 'Hi', body: 'Hello' };\nreturn mcp.shop.send_email(mail);`, right: `const mail = { subject: 'Hi', body: 'Hello', to: ['a@shop.example'] };\nreturn mcp.shop.send_email(mail);` },
  { kind: 'missing field', before: orders, wrong: `return mcp.shop.set_stock({ sku: 'tea', stock: { quantity: orders.length } });`, right: `return mcp.shop.set_stock({ sku: 'tea', stock: { quantity: orders.length, warehouse: 'A' } });` },
  { kind: 'missing field', before: '', wrong: `return mcp.shop.get_customer({});`, right: `return mcp.shop.get_customer({ id: 'c1' });` },
  // Wrong assumptions about results.
  { kind: 'result field', before: customers, wrong: `return customers.map((c) => c.mail);`, right: `return customers.map((c) => c.email);`, suggestion: 'email' },
  { kind: 'result field', before: orders, wrong: `let sum = 0;\nfor (const o of orders) sum += o.total_cents;\nreturn sum;`, right: `let sum = 0;\nfor (const o of orders) sum += o.totalCents;\nreturn sum;`, suggestion: 'totalCents' },
  { kind: 'result field', before: '', wrong: `const page = await mcp.shop.list_orders({});\nreturn page.items.length;`, right: `const page = await mcp.shop.list_orders({});\nreturn page.orders.length;` },
  { kind: 'result field', before: orders, wrong: `const refund = await mcp.shop.refund_order({ order_id: orders[0].id, amount_cents: 1, reason: 'x' });\nreturn refund.refundId;`, right: `const refund = await mcp.shop.refund_order({ order_id: orders[0].id, amount_cents: 1, reason: 'x' });\nreturn refund.refund_id;`, suggestion: 'refund_id' },
  // The tool itself, and a forgotten await.
  { kind: 'tool name', before: customers, wrong: `return mcp.shop.get_orders({ customer_id: customers[0].id });`, right: `return mcp.shop.list_orders({ customer_id: customers[0].id });` },
  { kind: 'await', before: customers, wrong: `const customer = mcp.shop.get_customer({ id: customers[0].id });\nreturn customer.email;`, right: `const customer = await mcp.shop.get_customer({ id: customers[0].id });\nreturn customer.email;` },
];
