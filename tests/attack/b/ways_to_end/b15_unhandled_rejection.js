// B15: an unhandled rejection
// expect: {"error": {"code": "UNHANDLED_REJECTION", "message": "nobody"}}
Promise.reject(new Error('nobody'));
return 1;
