// C09: a tool's failure is its name, code and message, and the line of the code
// options: --tools demo --timeout 3s
// expect: {"result": [["code", "message", "stack", "toolName"], "MCPToolError: it did not work\n    at c09_tool_failures_tell_no_more_than_they_say.js:2:14", null]}
try {
  await demo.fail();
} catch (error) {
  return [Object.getOwnPropertyNames(error).sort(), error.stack, error.cause ?? null];
}
