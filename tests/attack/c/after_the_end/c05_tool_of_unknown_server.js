// C05: tools of servers that are not connected, asked for by raw calls
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"result": ["MCPToolError TOOL_NOT_FOUND", "MCPToolError TOOL_NOT_FOUND", "MCPToolError TOOL_NOT_FOUND", "ok"]}
const names = [['nobody', 'home'], ['', ''], ['demo', '__proto__'], ['demo', 'text']];
return names.map(([server, tool]) => said(call('tool', { server, tool, arguments: {} })));
