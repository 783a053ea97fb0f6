// Primes below twenty million: typed array, tight loops.
const limit = 20_000_000;
const composite = new Uint8Array(limit + 1);
for (let p = 2; p * p <= limit; p++) {
  if (composite[p]) continue;
  for (let multiple = p * p; multiple <= limit; multiple += p) composite[multiple] = 1;
}
let count = 0;
for (let n = 2; n <= limit; n++) if (!composite[n]) count++;
return count;
