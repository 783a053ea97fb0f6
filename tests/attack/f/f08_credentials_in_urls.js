// F08: a name and password in a URL go nowhere
// options: --allow-net=good.test
// expect: {"result": true}
try {
  const text = await (await fetch('http://user:SECRETWORD@good.test/echo')).text();
  return !/SECRETWORD|authorization/i.test(text);
} catch (error) { return error instanceof TypeError; }
