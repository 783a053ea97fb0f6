// One small file, as most programs begin.
const text = await Deno.readTextFile(context.folder + '/0.txt');
return text.length;
