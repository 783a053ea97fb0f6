// A10: a view whose memory is gone, as a result and in the hands of every function that takes bytes
// options: --timeout 2s
// expect: {"error": {"code": "RESULT_NOT_SERIALIZABLE"}}
const buffer = new ArrayBuffer(1 << 16);
const view = new Uint8Array(buffer);
const moved = structuredClone(buffer, { transfer: [buffer] });
for (const call of [() => new TextDecoder().decode(view), () => crypto.getRandomValues(view), () => new Blob([view]), () => new Response(view),
  () => structuredClone(view), () => console.log(view, buffer), () => new TextEncoder().encodeInto('xxxx', view)]) {
  try { call(); } catch { /* refused */ }
}
try { await crypto.subtle.digest('SHA-256', view); } catch { /* refused */ }
return [view, moved.byteLength];
