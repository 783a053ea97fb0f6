'use strict';
// Calls and their answers, and what surrounds a program, played once while the snapshot is made. V8 keeps the bytecode of
// functions that have run, so neither a cold guest's first line nor its first read waits for the compiler.

const { ArrayPrototypePush, PromisePrototypeThen } = primordials;

host.functions.rehearse_calls = () => {
  const { call_sync, send_call, send_log, send_tool_call } = host;
  const { begin_run, fire_due_timer, has_unfinished_calls, is_main, next_deadline, seed_math_random, settle_call } =
    host.functions;
  const { Deno } = globalThis;
  const sent = [];
  const take = () => {
    ArrayPrototypePush(sent, undefined);
    return sent.length;
  };
  host.send_call = take;
  host.send_tool_call = take;
  host.call_sync = () => [true, null, undefined];
  host.send_log = () => {};

  seed_math_random(1, 2, 3, 4);
  begin_run(null, '', []);
  console.log('a', 1);
  next_deadline();
  fire_due_timer();
  has_unfinished_calls();
  is_main(() => {});
  for (const name of ['context', 'args', 'mcp']) delete globalThis[name];

  const forget = () => {};
  const play = (promise) => PromisePrototypeThen(promise, forget, forget);
  play(Deno.readTextFile('a'));
  play(Deno.readFile('a'));
  play(Deno.writeTextFile('a', 'b'));
  play(Deno.writeFile('a', new Uint8Array(1)));
  play(Deno.mkdir('a', { recursive: true }));
  play(Deno.remove('a'));
  play(host.internal.call_tool('server', 'tool', '{}', false, 'server.tool'));
  for (let id = 1; id <= sent.length; id++) settle_call(id, true, null, undefined);
  play(Deno.readTextFile('a'));
  settle_call(sent.length, false, { name: 'NotFound', code: 'ENOENT', message: 'a' }, undefined);
  Deno.readTextFileSync('a');
  Deno.writeTextFileSync('a', 'b');
  Deno.env.get('A');

  host.call_sync = call_sync;
  host.send_call = send_call;
  host.send_log = send_log;
  host.send_tool_call = send_tool_call;
};
