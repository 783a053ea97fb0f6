// The same with as many under way as the engine likes.
const reads = [];
for (let i = 0; i < 10_000; i++) reads.push(Deno.readTextFile(`${context.folder}/${i % 100}.txt`));
let length = 0;
for (const text of await Promise.all(reads)) length += text.length;
return length;
