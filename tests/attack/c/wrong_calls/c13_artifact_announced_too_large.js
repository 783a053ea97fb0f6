// C13: the bytes of an artifact beyond its limit are read and kept nowhere, and calls after it work
// guest: probe
// with: frames.js
// with: calls.js
// gateway-peak: 16MB
// expect: {"result": ["LimitError ARTIFACT_LIMIT", "ok"], "artifacts": [{"name": "small", "size": 1}]}
return [said(call('emit', { name: 'huge' }, new Uint8Array(30000000))), said(call('emit', { name: 'small' }, utf8('x')))];
