// C05: a run without servers has no tools, whatever it asks for
// guest: probe
// with: frames.js
// with: calls.js
// options: --timeout 3s
// expect: {"result": "MCPToolError NO_SERVERS"}
return said(call('tool', { server: 'demo', tool: 'text', arguments: {} }));
