# B13: a flood of lines, one line without end, and what commands a terminal
# options: --timeout 10s
# expect: {"metrics": {"logsTruncated": true}}
print("\x1b]52;c;Y2FuYXJ5\x07 \x1b[2J \u202e")
for _ in range(100): print("x" * 100000)
for _ in range(100000): print("y")
