// C03: what is strange but JSON reaches the tool as it was sent, and comes back as plain data
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"result": {"__proto__": {"x": 1}, "a": "\u0000\ud83d\ude00", "n": 1e300}}
return call('tool', { server: 'demo', tool: 'echo', arguments: JSON.parse('{"__proto__":{"x":1},"a":"\\u0000\\ud83d\\ude00","n":1e300}') }).value;
