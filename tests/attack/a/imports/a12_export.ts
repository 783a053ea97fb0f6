// A12: an export of another module is refused as what it is
// expect: {"error": {"code": "MODULE_DENIED"}}
export * from 'node:fs';
