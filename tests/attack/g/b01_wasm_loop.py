# B01: an endless loop in Python
# options: --timeout 5s --cpu 200ms
# expect: {"error": {"code": "CPU_LIMIT"}}
while True: pass
