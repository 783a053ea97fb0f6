// C01: a tool's failure that never was is an error of the code like any other, and names no more than a tool's name can
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "TOOL_ERROR", "type": "ToolError", "message": "m", "toolName": "a.b"}, "metrics": {"toolCalls": 0}}
send('{"frame":"fail","type":"ToolError","code":"TOOL_ERROR","message":"m","stack":"","toolName":"a.b"}'); stall();
