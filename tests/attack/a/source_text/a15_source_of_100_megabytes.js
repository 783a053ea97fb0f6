// A15: a source of 100 MB is refused before a guest sees it
// gateway-peak: 512MB
// expect: {"error": {"code": "SOURCE_TOO_LARGE", "type": "LimitError"}}
/*repeat 100000000*/;/*end*/
