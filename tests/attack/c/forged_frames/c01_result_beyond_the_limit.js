// C01: a result that the guest's own encoder would have refused
// guest: probe
// with: frames.js
// options: --max-output 1KB
// expect: {"error": {"code": "RESULT_TOO_LARGE"}}
send('{"frame":"done","result":"' + 'x'.repeat(2000) + '"}');
stall();
