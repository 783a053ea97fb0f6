// A17: %Natives are not syntax here, whatever NODE_OPTIONS of the gateway says
// expect: {"result": ["SyntaxError", "SyntaxError", "undefined"]}
const names = [];
for (const code of ['%DebugPrint(1)', '%SystemBreak()']) { try { (0, eval)(code); names.push('ran'); } catch (error) { names.push(error.name); } }
return [...names, typeof gc];
