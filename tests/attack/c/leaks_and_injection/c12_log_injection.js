// C12: log text with line ends, escapes and forged JSON stays one line of text
// guest: probe
// with: frames.js
// expect: {"logs": ["a\\u{d}\nb\\u{1b}[31m\",\"error\":null} \\u{202e}"], "result": 1}
send(JSON.stringify({ frame: 'log', level: 'log', text: 'a\r\nb\u001b[31m","error":null} \u202e' }));
send('{"frame":"done","result":1}');
stall();
