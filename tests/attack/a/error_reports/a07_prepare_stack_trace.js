// A07: Error.prepareStackTrace would be handed frames of the prelude, with their functions and receivers
// expect: {"result": {"called": 0, "sites": 0, "ownFrame": true}}
let called = 0;
let sites = 0;
Error.prepareStackTrace = (error, frames) => { called++; sites += frames.length; return frames; };
Error.stackTraceLimit = Infinity;
const stacks = [];
try { null.x; } catch (error) { stacks.push(error.stack); }
try { Deno.readTextFileSync('/etc/passwd'); } catch (error) { stacks.push(error.stack); }
try { new URL('nonsense'); } catch (error) { stacks.push(error.stack); }
const holder = {};
Error.captureStackTrace(holder);
stacks.push(holder.stack);
await new Promise((resolve) => setTimeout(() => { stacks.push(new Error('late').stack); resolve(); }, 1));
return { called, sites, ownFrame: stacks.every((stack) => typeof stack === 'string') && stacks[0].includes('a07_prepare_stack_trace.js:6') };
