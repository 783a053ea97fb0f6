// A10: half characters leave as replacement characters, never as bad UTF-8
// expect: {"result": ["\ufffd", "a\ufffdb", {"\ufffd": 1}], "logs": ["\ufffdx"]}
console.log('\ud800x');
return ['\udfff', 'a\ud800b', { '\udbff': 1 }];
