# G02: Function and AsyncFunction by way of a JsProxy stay in the guest's own realm
# options: --timeout 20s
# expect: {"result": ["undefined", "undefined", "undefined"]}
import js
make = js.Object.constructor.constructor
probe = "return typeof process + typeof Deno + typeof require"
[make("return typeof process")(), make("return typeof Deno")(), js.eval("(async () => {}).constructor")("return 1") and make("return typeof require")()]
