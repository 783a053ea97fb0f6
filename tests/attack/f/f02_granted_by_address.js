// F02: a grant of one private address is of that address alone, and not of names that lead there
// with: fetches.js
// options: --allow-net=127.0.0.3:80,local.test
// expect: {"result": []}
return other_than(['PermissionDenied'], ['http://127.0.0.1/', 'http://127.0.0.2/', 'http://127.0.0.3:81/', 'http://local.test/', 'http://[::1]/', 'http://10.0.0.1/']);
