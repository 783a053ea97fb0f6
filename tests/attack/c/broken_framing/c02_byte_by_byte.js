// C02: a whole frame, one byte at a time, is a frame
// guest: probe
// with: frames.js
// expect: {"result": 42}
for (const byte of frame_of('{"frame":"done","result":42}')) put(Uint8Array.of(byte));
stall();
