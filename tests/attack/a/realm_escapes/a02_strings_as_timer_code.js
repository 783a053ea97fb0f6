// A02: a timer does not evaluate text
// expect: {"result": ["TypeError", "TypeError", "TypeError"]}
const outcomes = [];
for (const call of [() => setTimeout('globalThis.x = 1', 0), () => setInterval('1', 0), () => queueMicrotask('1')]) {
  try { call(); outcomes.push('accepted'); } catch (error) { outcomes.push(error.name); }
}
return outcomes;
