// A13: directives that make a compiler read files are comments here
// expect: {"result": {"value": 3, "type": "number"}}
/// <reference path="/etc/passwd" />
/// <reference types="node" />
/// <reference lib="dom" />
/// <amd-module name="x" />
// @ts-nocheck
// @jsx h
// @jsxImportSource file:///etc/passwd
type Paths = { "compilerOptions": { "paths": { "*": ["/etc/*"] } } };
const value: number = 3;
return { value, type: typeof value };
//# sourceMappingURL=file:///etc/passwd
