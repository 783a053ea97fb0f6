// E13: with the gateway's seed unknown, nothing in a guest repeats what the zygote drew: see residue_test.cc for two runs
// expect: {"result": {"distinct": 100}}
const draws = new Set();
for (let i = 0; i < 100; i++) draws.add(crypto.randomUUID() + Math.random());
return { distinct: draws.size };
