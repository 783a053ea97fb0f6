// C03: a key called __proto__ is a key
// guest: probe
// with: frames.js
// expect: {"result": {"__proto__": {"polluted": true}, "a": 1}}
send('{"frame":"done","result":{"__proto__":{"polluted":true},"a":1}}');
stall();
