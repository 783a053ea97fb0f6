// A14: types that a type checker would compute for years are only stripped
// options: --timeout 3s
// expect: {"result": "stripped"}
type Build<N extends number, A extends unknown[] = []> = A['length'] extends N ? A : Build<N, [...A, unknown]>;
type Add<A extends number, B extends number> = [...Build<A>, ...Build<B>]['length'];
type Bomb<T> = T extends [infer H, ...infer R] ? Bomb<[R, R, H]> | Bomb<[H, R]> : never;
type Go = Bomb<Build<999>> & Add<999, 999>;
type Deep = { a: Deep; b: Deep } & (Go extends infer X ? { [K in keyof X]: Bomb<X[K] extends unknown[] ? X[K] : never> } : never);
const x: Deep | string = 'stripped';
return x;
