// A million numbers, sorted with a comparison function: calls between the engine's own sort and user code.
let state = 42;
const numbers = Array.from({ length: 1_000_000 }, () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0));
numbers.sort((a, b) => a - b);
let checksum = 0;
for (let i = 0; i < numbers.length; i += 1000) checksum = (checksum * 31 + numbers[i]) % 1_000_000_007;
return checksum;
