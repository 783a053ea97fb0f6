// The small program of the cold-start measurement. The same text runs in Glovebox and in Deno.
interface Order { id: number; price: number }
const orders: Order[] = [{ id: 1, price: 20 }, { id: 2, price: 22 }];
const total: number = orders.reduce((sum: number, order: Order) => sum + order.price, 0);
console.log(`total ${total}`);
