// A15: U+2028 ends a line, and so a comment; inside of a string it is a character
// expect: {"result": ["after", 1]}
let x = "before"; //   x = "after";
return [x, " ".length];
