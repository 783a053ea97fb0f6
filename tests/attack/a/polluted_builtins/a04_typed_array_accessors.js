// A04: the accessors of a typed array's length and buffer lie; native code that believed them would write elsewhere
// expect: {"result": {"first": true, "rest": true, "decoded": "hi"}}
const prototype = Object.getPrototypeOf(Uint8Array.prototype);
for (const key of ['length', 'byteLength', 'byteOffset', 'buffer']) {
  Object.defineProperty(prototype, key, { get() { return key === 'buffer' ? new ArrayBuffer(1) : 2 ** 40; } });
}
const bytes = new Uint8Array(8);
crypto.getRandomValues(bytes.subarray(0, 4));
const decoded = new TextDecoder().decode(Uint8Array.of(104, 105));
return { first: true, rest: bytes[4] === 0 && bytes[7] === 0, decoded };
