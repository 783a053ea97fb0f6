// F01: a grant of one name is not one of its neighbours
// with: fetches.js
// packets: none
// options: --allow-net=good.test:80,*.sub.test,93.184.216.35:81
// expect: {"result": []}
return other_than(['PermissionDenied'], ['http://sub.good.test/ok', 'http://good.test:81/', 'https://good.test/', 'http://xgood.test/', 'http://good.test.other.test/', 'http://good.testx/', 'http://sub.test/', 'http://other.test/', 'http://93.184.216.34/', 'http://93.184.216.35/', 'http://test/', 'http://good/']);
