// A12: an export is refused as what it is
// expect: {"error": {"code": "MODULE_DENIED"}}
export const x: number = 1;
