// Puts bytes on the guest's own socket, as code that owns the process would.
const utf8 = (text) => new TextEncoder().encode(text);
const put = (bytes) => {
  for (let at = 0; at < bytes.length;) {
    const written = syscall(1, 3, bytes.subarray(at), bytes.length - at);
    if (written <= 0) return written;
    at += written;
  }
  return bytes.length;
};
const prefix = (length) => Uint8Array.of(length & 255, (length >>> 8) & 255, (length >>> 16) & 255, (length >>> 24) & 255);
const frame_of_bytes = (bytes) => { const out = new Uint8Array(4 + bytes.length); out.set(prefix(bytes.length)); out.set(bytes, 4); return out; };
const frame_of = (text) => frame_of_bytes(utf8(text));
const send = (text) => put(frame_of(text));
// What comes back, unread by the engine.
const take = (size = 65536) => { const bytes = new Uint8Array(size); const got = syscall(0, 3, bytes, size); return got > 0 ? bytes.subarray(0, got) : got; };
const stall = () => { for (;;) { take(); } };
