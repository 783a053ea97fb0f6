// B15: a rejection that nobody handles
// expect: {"error": {"code": "UNHANDLED_REJECTION", "message": "nobody"}}
Promise.reject(new Error('nobody'));
return 1;
