// F01: whatever else could open a connection does not exist, or is denied
// packets: none
// expect: {"result": []}
const names = ['WebSocket', 'EventSource', 'XMLHttpRequest', 'RTCPeerConnection', 'WebTransport', 'importScripts', 'Worker', 'SharedWorker', 'navigator'];
const there = names.filter((name) => typeof globalThis[name] === 'function' && !/denied|Requires|not/i.test(String(outcome(() => new globalThis[name]('http://good.test/')))));
function outcome(work) { try { return work(); } catch (error) { return error.name + ' denied ' + error.message; } }
for (const name of ['connect', 'connectTls', 'listen', 'listenTls', 'listenDatagram', 'resolveDns', 'serve', 'createHttpClient', 'upgradeWebSocket', 'startTls', 'networkInterfaces', 'hostname']) {
  const work = Deno[name];
  if (typeof work !== 'function') continue;
  try { await work({ hostname: 'good.test', port: 80 }); there.push('Deno.' + name); } catch (error) { if (!(error instanceof Deno.errors.PermissionDenied)) there.push('Deno.' + name + ' ' + error.name); }
}
return there;
