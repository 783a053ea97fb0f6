// D02: links that lead in circles, and ones that take long to follow
// with: files.js
// files: spare.txt = spare
// files: a -> b
// files: b -> a
// files: self -> self
// files: deep -> deep/x
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": []}
return ['a', 'self', 'deep', 'a/x', 'self/x', 'deep/y'].flatMap((way) => other_than(['FilesystemLoop ELOOP'], { ...reading('{folder}/' + way), write: () => Deno.writeTextFileSync('{folder}/' + way, 'x') }, way));
