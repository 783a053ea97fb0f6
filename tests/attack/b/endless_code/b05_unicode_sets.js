// B05: classes of Unicode properties, ignoring case, backtracking
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
/^([\p{L}--[b]]+)+!$/iv.test('\u{1d4b6}'.repeat(80));
