// C09: a failure with a name that is no name, uncaught
// options: --tools demo --timeout 3s
// expect: {"error": {"type": "ToolError", "code": "TOOL_NOT_FOUND"}}
await mcp['\x1b[31m\n'].x();
