// A09: a result that contains itself
// expect: {"error": {"code": "RESULT_NOT_SERIALIZABLE", "message": "/result.a\\[0\\].self.*cycle/"}}
const root = { a: [{}] };
root.a[0].self = root;
return root;
