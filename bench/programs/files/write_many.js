// Ten thousand new files.
for (let i = 0; i < 10_000; i++) await Deno.writeTextFile(`${context.out}/${i}.txt`, `file ${i}`);
return 10_000;
