// A11: `using` and `await using` with hostile disposers (where the engine has them)
// expect: {"result": {"realm": true}}
let realm = true;
const code = `
  const check = (value) => { if (value?.constructor?.constructor?.('return globalThis')() !== globalThis) throw 'foreign'; };
  return (async () => {
    try {
      using a = { [Symbol.dispose]() { check(new Error('a')); throw new Error('a'); } };
      await using b = { [Symbol.asyncDispose]() { throw new Error('b'); } };
      throw new Error('c');
    } catch (error) { check(error); check(error.error ?? error); check(error.suppressed ?? error); return 'ok'; }
  })();`;
let run;
try { run = new Function(code); } catch { return { realm }; }
if (await run() !== 'ok') realm = false;
return { realm };
