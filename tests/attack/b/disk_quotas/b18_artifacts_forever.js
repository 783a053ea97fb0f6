// B18: artifacts of one name without end take no more memory nor work than all artifacts of a run may
// gateway-peak: 64MB
// options: --timeout 20s --memory 256MB
// expect: {"result": "ARTIFACT_LIMIT", "artifacts": [{"name": "again", "size": 4000000}]}
const bytes = new Uint8Array(4000000);
for (let i = 0; i < 10000; i++) {
  try { emit('again', bytes); } catch (error) { if (i === 8) return error.code; throw error; }
}
