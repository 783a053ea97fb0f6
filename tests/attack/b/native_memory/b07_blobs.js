// B07: Blobs, Responses and encoded text
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
const text = 'x'.repeat(2 ** 20);
for (;;) keep.push(new Blob([text, text]), new Response(text), new TextEncoder().encode(text));
