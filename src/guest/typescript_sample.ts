// What the build strips once to learn which parts of the stripper programs use: those are kept as machine code.
interface Order { id: number; price: number; note?: string; readonly tags: string[]; [key: string]: unknown }
type Pair<A, B = A> = [A, B];
type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: number };
type Keys<T> = { readonly [K in keyof T]?: T[K] extends (infer U)[] ? U : never };
type Handler = (event: string, ...rest: any[]) => void | Promise<void>;
declare const mcp: Record<string, Record<string, (args: object) => Promise<any>>>;
const orders: Order[] = [{ id: 1, price: 20, tags: ['a'] }, { id: 2, price: 22.5, tags: [] }];
const total: number = orders.reduce((sum: number, order: Order) => sum + order.price, 0);
function area(shape: Shape): number {
  switch (shape.kind) {
    case 'circle': return Math.PI * shape.radius ** 2;
    default: return shape.side * shape.side;
  }
}
async function* pages<T extends object>(fetch: (page: number) => Promise<T[]>, limit = 3): AsyncGenerator<T, void, unknown> {
  for (let page = 0; page < limit; page++) {
    const items = await fetch(page);
    if (!items?.length) return;
    yield* items;
  }
}
abstract class Store<K extends string | number, V> implements Iterable<[K, V]> {
  private readonly items: Map<K, V> = new Map<K, V>();
  static count: number = 0;
  declare tag: string;
  #secret?: string;
  get size(): number { return this.items.size; }
  set(key: K, value: V): this { this.items.set(key, value); return this; }
  protected abstract describe(): string;
  *[Symbol.iterator](): IterableIterator<[K, V]> { yield* this.items; }
  constructor(name?: string) { this.#secret = name!; }
}
class Names extends Store<string, number> {
  override describe(): string { return `${this.size} names`; }
}
const names = new Names('n') as Store<string, number>;
const { a = 1, ...others }: { a?: number; b?: string } = { b: 'x' };
const pick = <T, K extends keyof T>(value: T, key: K): T[K] => value[key];
let label: string | undefined = (orders[0] as unknown as { note?: string }).note ?? undefined;
const config = { retries: 3, url: 'https://example.com' } satisfies Record<string, unknown>;
const fixed = ['x', 'y'] as const;
function isOrder(value: unknown): value is Order { return typeof value === 'object' && value !== null && 'id' in value; }
function assertOrder(value: unknown): asserts value is Order { if (!isOrder(value)) throw new TypeError('no order'); }
function overload(x: string): string;
function overload(x: number): number;
function overload(x: any): any { return x; }
label: for (const [key, value] of Object.entries<unknown>(config)) { if (!value) continue label; console.log(key, value!); }
try { assertOrder(orders.find((o): o is Order => o.id === 2)!); } catch (error: unknown) { console.error((error as Error).message); } finally { label ??= 'none'; }
const matched = /(?<year>\d{4})-(?<month>\d{2})/u.exec('2026-01')?.groups?.year;
const results = await Promise.all(orders.map(async (order): Promise<Pair<number, string>> => [order.id, `${order.price.toFixed(2)}`]));
do { label = label?.trim(); } while (false);
if (total > 10 && area({ kind: 'circle', radius: 2 }) > 3 || names.size !== 0) { delete (config as any).url; }
return { total, results, matched, fixed, label, first: pick(orders[0], 'id'), o: overload(1), a, others, big: 10n ** 3n };
