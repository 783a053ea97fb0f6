// B14: a guest that sends its result and then goes on is ended
// guest: probe
// with: frames.js
// expect: {"result": "sent"}
send('{"frame":"done","result":"sent"}');
for (;;);
