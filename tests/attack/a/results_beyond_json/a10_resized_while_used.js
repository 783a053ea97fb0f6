// A10: a resizable buffer that shrinks while a function holds it
// options: --timeout 3s
// expect: {"result": {"survived": true}}
const shrink_on_read = (buffer) => ({ [Symbol.toPrimitive]() { buffer.resize(0); return 'utf-8'; }, toString() { buffer.resize(0); return 'x'.repeat(1000); } });
for (let i = 0; i < 200; i++) {
  const buffer = new ArrayBuffer(1 << 16, { maxByteLength: 1 << 17 });
  const view = new Uint8Array(buffer);
  for (const call of [
    () => new TextEncoder().encodeInto(shrink_on_read(buffer), view),
    () => new TextDecoder(shrink_on_read(buffer)).decode(view),
    () => new TextDecoder('utf-8', { get fatal() { buffer.resize(1); return false; } }).decode(view, { get stream() { buffer.resize(0); return true; } }),
    () => crypto.getRandomValues(view),
    () => new Blob([view], { get type() { buffer.resize(0); return 'x'; } }),
    () => structuredClone(view, { get transfer() { buffer.resize(0); return []; } }),
    () => view.fill({ valueOf() { buffer.resize(0); return 1; } }),
    () => view.set({ length: 1000, get 5() { buffer.resize(0); return 1; } }),
  ]) {
    try { buffer.resize(1 << 16); call(); } catch { /* refused */ }
  }
  try { await crypto.subtle.digest({ get name() { buffer.resize(0); return 'SHA-256'; } }, view); } catch { /* refused */ }
}
return { survived: true };
