// F07: a second response behind the first does not answer the next request
// with: fetches.js
// options: --allow-net=good.test
// expect: {"result": false}
let forged = false;
for (let i = 0; i < 5; i++) {
  await outcome_of('http://good.test/spill');
  forged ||= (await outcome_of('http://good.test/ok')).includes('FORGED');
}
return forged;
