// A10: two keys that are different halves of characters become the same key in UTF-8; the frame stays unambiguous
// expect: {"result": {}}
// or: {"error": {"code": "RESULT_NOT_SERIALIZABLE"}}
// or: {"error": {"code": "PROTOCOL_VIOLATION"}}
return { '\ud800': 1, '\ud801': 2 };
