# mixed.py N - N rounds of a sieve, calls, strings, a table and a sort
import sys


def sieve(n):
    prime = [True] * (n + 1)
    found = 0
    for i in range(2, n + 1):
        if not prime[i]:
            continue
        found += 1
        for k in range(2 * i, n + 1, i):
            prime[k] = False
    return found


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def words(n):
    count = {}
    state = 1
    for _ in range(n):
        state = (state * 1103 + 12345) % 65536
        w = "w" + str(state % 97)
        count[w] = count.get(w, 0) + len(w)
    return " ".join("%s:%d" % (w, count[w]) for w in sorted(count))


total = 0
for _ in range(int(sys.argv[1])):
    total += sieve(5000) + fib(15) + len(words(3000))
print(total)
