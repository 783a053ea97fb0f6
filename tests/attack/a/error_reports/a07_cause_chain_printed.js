// A07: printing a chain of 300 causes costs no more than a line may hold
// options: --timeout 5s
// expect: {"result": "printed"}
let error = new Error('0');
for (let i = 1; i < 300; i++) error = new Error(String(i), { cause: error });
console.log(error);
return 'printed';
