// A13: imports of types alone vanish with the types; nothing is looked up
// expect: {"result": 1}
// or: {"error": {"code": "MODULE_DENIED"}}
import type { X } from '/etc/passwd';
type Y = import('node:fs').Stats;
const x: number = 1;
return x;
