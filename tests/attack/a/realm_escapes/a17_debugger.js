// A17: `debugger` stops nothing, and no debugger is attached
// expect: {"result": "went on"}
debugger;
for (const f of [() => { debugger; }, new Function('debugger')]) f();
return 'went on';
