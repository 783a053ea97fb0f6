// A15: a source of 4,000,000 bytes is within the limit, and one function
// options: --timeout 20s --memory 512MB
// expect: {"result": 1}
/*repeat 400000*/if (0) 0;
/*end*/
return 1;
