// A14: syntax that would need a real compiler is refused or run, never half translated
// options: --timeout 5s
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"result": 1}
const dec = (..._: unknown[]): any => {};
@dec class A { @dec accessor x: number = 1; @dec static async *m(@dec p: number) {} declare y: string; [k: string]: any; }
namespace N { export const v = 1; export namespace M { export import q = N.v; } }
const j = <div onclick={() => process.exit()}>{N.v}</div>;
return new A().x;
