// C04: a result of the most values that fit into 16 MB: what reading it takes is bounded
// guest: probe
// with: frames.js
// options: --timeout 5s --memory 512MB
// gateway-peak: 320MB
// expect: {"metrics": {"resultBytes": 15000003}}
send('{"frame":"done","result":[' + '0,'.repeat(7.5e6) + '0]}');
stall();
