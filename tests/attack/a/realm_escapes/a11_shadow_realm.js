// A11: no other realm is to be had: no ShadowRealm, no frames, no workers
// expect: {"result": []}
return ['ShadowRealm', 'Worker', 'SharedWorker', 'ServiceWorker', 'MessageChannel', 'BroadcastChannel', 'document', 'window', 'importScripts', 'postMessage']
  .filter((name) => name in globalThis && name !== 'window');
