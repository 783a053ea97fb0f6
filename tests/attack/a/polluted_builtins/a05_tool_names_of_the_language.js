// A05: names that objects have by themselves are no tools, unless the server has such a tool
// options: --tools demo --timeout 3s
// expect: {"result": [[], "function", "function", ["__proto__"], ["toString"]], "metrics": {"toolCalls": 2}}
const found = ['then', 'toJSON', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf', 'catch', 'prototype', '__defineGetter__']
  .filter((name) => mcp[name] !== undefined || mcp.demo[name] !== undefined || mcp.nobody[name] !== undefined);
await mcp; await mcp.demo; await mcp.nobody;
return [found, typeof mcp['odd-name'].__proto__, typeof mcp.demo.toString, await mcp['odd-name']['__proto__'](), await mcp['odd-name'].toString()];
