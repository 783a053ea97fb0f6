// Copies the orders that are paid into an archive. Run it with an overlay to see what it would do:
//   glovebox exec examples/tidy.ts --allow-read=examples --allow-write=examples --vfs=overlay
interface Order { customer: string; paid: boolean }
const { orders }: { orders: Order[] } = JSON.parse(await Deno.readTextFile('examples/orders.json'));
const paid = orders.filter((order) => order.paid);
await Deno.mkdir('examples/archive', { recursive: true });
await Deno.writeTextFile('examples/archive/paid.json', JSON.stringify(paid, null, 2));
return `${paid.length} orders archived`;
