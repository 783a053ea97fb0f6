// C01: a sleep until long ago is answered at once, and the clock does not run backwards
// guest: probe
// with: frames.js
// expect: {"result": {"ok": true, "sane": true}}
send('{"frame":"call","id":1,"op":"sleep","args":{"until":-1.7976931348623157e308}}');
const reply = JSON.parse(new TextDecoder().decode(take().subarray(4)));
return { ok: reply.ok, sane: reply.now >= Date.now() };
