// C12: names and arguments of tools that would command a terminal, or look like other entries
// options: --tools demo --timeout 3s
// expect: {"result": ["TOOL_NOT_FOUND", "TOOL_NOT_FOUND", "ok"]}
const outcome = async (call) => { try { await call(); return 'ok'; } catch (error) { return error.code; } };
return [await outcome(() => mcp['\x1b[31m']['a\r\n{"op":"tool"}']()), await outcome(() => mcp['\u202e\u0000'].x({ a: '\x1b]52;c;AA\x07' })),
  await outcome(() => demo.echo({ text: '\x1b[2J\u009b\n\u202e' }))];
