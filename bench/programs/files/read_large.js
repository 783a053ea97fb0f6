// 100 MB in one piece: what a byte costs.
const text = await Deno.readTextFile(context.folder + '/large.txt');
return text.length;
