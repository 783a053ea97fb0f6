// A14: a union of 10^5 members
// options: --timeout 10s --memory 512MB
// expect: {"result": "k7"}
type Keys = 'k' /*repeat 100000*/| 'k#index#' /*end*/;
const key: Keys = 'k7';
return key;
