def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def sieve(limit):
    numbers = bytearray([1]) * limit
    for i in range(2, int(limit ** 0.5) + 1):
        if numbers[i]:
            numbers[i * i :: i] = bytes(len(range(i * i, limit, i)))
    return sum(numbers) - 2

words = {}
for i in range(400000):
    key = "word" + str(i * 7919 % 1000)
    words[key] = words.get(key, 0) + 1
[fib(28), sieve(4000000), len(words), sum(sorted(words.values())[:10])]
