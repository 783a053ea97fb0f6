// Totals by customer, from the orders that are passed in as `context`.
interface Order { customer: string; amount: number; paid: boolean }

const orders: Order[] = context.orders;
const totals = new Map<string, number>();
for (const { customer, amount } of orders.filter((order) => order.paid)) {
  totals.set(customer, (totals.get(customer) ?? 0) + amount);
}
console.log(`${orders.length} orders, ${totals.size} customers who paid`);
return Object.fromEntries([...totals].sort(([, a], [, b]) => b - a));
