// F07: servers that drip, stay silent or talk for ever before they answer: the run's time is the end of them
// gateway-peak: 16MB
// options: --allow-net=good.test --timeout 1s
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
await Promise.allSettled(['drip', 'drip-head', 'silence', 'interim', 'chunk-extension', 'trailer-forever'].map(async (path) => (await fetch('http://good.test/' + path)).text()));
