// A08: a proxy that invents a new object under every key
// expect: {"error": {"code": "RESULT_TOO_LARGE", "message": "/nested deeper/"}}
const endless = new Proxy({}, {
  ownKeys: () => ['a', 'b'],
  getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  get: (_, key) => (key === 'toJSON' ? undefined : new Proxy({}, endless_handler)),
});
const endless_handler = { ownKeys: () => ['a', 'b'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  get: (_, key) => (key === 'toJSON' ? undefined : new Proxy({}, endless_handler)) };
return endless;
