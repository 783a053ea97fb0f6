// A14: an enum of 50000 members must be rewritten, not only blanked
// options: --timeout 20s --memory 512MB
// expect: {"result": 49999}
enum E { /*repeat 50000*/K#index#, /*end*/ }
return E.K49999;
