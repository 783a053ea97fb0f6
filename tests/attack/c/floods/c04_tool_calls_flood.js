// C04: twenty thousand calls of a tool
// options: --tools demo --timeout 20s
// expect: {"result": [1000, 19000, "TOOL_CALL_LIMIT"], "metrics": {"toolCalls": 20000}}
let answered = 0, refused = 0, code = '';
await Promise.all(Array.from({ length: 20000 }, (_, n) => demo.echo({ n }).then(() => answered++, (error) => { refused++; code = error.message.includes('1000') ? 'TOOL_CALL_LIMIT' : error.name; })));
return [answered, refused, code];
