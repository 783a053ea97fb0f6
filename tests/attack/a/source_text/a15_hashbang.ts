// A15: a hashbang line starts nothing
// expect: {"result": "not executed"}
#!/usr/bin/env -S sh -c "cat /etc/passwd"
const x: string = 'not executed';
return x;
