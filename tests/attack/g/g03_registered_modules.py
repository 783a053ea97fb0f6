# G03: a module of JavaScript that code registers is its own, and sees nothing that Python does not
# options: --timeout 20s
# expect: {"result": 1}
import pyodide_js, js
pyodide_js.registerJsModule("mine", js.eval("({ a: 1 })"))
import mine
mine.a
