// B13: ANSI, OSC 52 (the clipboard), titles, hyperlinks, C1 controls, bidirectional overrides and isolates are shown, not obeyed
// expect: {"result": null, "logs": ["\\u{1b}[31mred\\u{1b}[0m", "\\u{1b}]52;c;cm0gLXJm\\u{7}", "\\u{1b}]0;title\\u{1b}\\", "\\u{9b}2J\\u{90}x\\u{9c}", "a\\u{8}\\u{8}b\\u{d}c\\u{7f}",
// and: "\\u{202e}txt.exe\\u{202c}", "\\u{2066}x\\u{2069}\\u{200e}\\u{200f}\\u{61c}", "line\\u{2028}separator", "nul\\u{0}", "tab\tnewline\nkept"]}
console.log('\x1b[31mred\x1b[0m');
console.log('\x1b]52;c;cm0gLXJm\x07');
console.log('\x1b]0;title\x1b\\');
console.log('\x9b2J\x90x\x9c');
console.log('a\b\bb\rc\x7f');
console.log('\u202etxt.exe\u202c');
console.log('\u2066x\u2069\u200e\u200f\u061c');
console.log('line\u2028separator');
console.log('nul\0');
console.log('tab\tnewline\nkept');
