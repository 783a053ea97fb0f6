// A08: toJSON that returns another toJSON, itself, or never the same
// expect: {"result": {"first": {"value": 1}, "second": "key second"}}
const first = { toJSON: () => ({ value: 1 }) };
const second = { toJSON: (key) => 'key ' + key };
return { first, second };
