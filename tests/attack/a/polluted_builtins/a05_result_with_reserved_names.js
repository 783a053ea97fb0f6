// A05: reserved names as keys of a result are plain keys
// expect: {"result": {"__proto__": 0, "constructor": 1, "toString": 2, "then": 3, "": 4, "toJSON": 5, "hasOwnProperty": 6}}
return JSON.parse('{"__proto__":0,"constructor":1,"toString":2,"then":3,"":4,"toJSON":5,"hasOwnProperty":6}');
