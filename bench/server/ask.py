#!/usr/bin/env python3
"""Load for memcached: sets and gets in batches, over many connections.

	ask.py SOCKET SECONDS

One batch of each connection is on its way at any time. It prints operations a
second, and the 99th percentile of a batch's milliseconds. A client that asked
one by one would measure itself.
"""
import select
import socket
import sys
import time

CONNECTIONS, KEYS, BATCH = 16, 10000, 50


def value(k):
    return b"v" * (20 + k * 7919 % 400)


def batch(number):
    """Nine gets for a set, and how many bytes are answered."""
    words, n = [], 0
    for i in range(BATCH):
        k = (number * BATCH + i) * 6007 % KEYS
        v = value(k)
        if i % 10 == 0:
            words.append(b"set key%d 0 0 %d\r\n%s\r\n" % (k, len(v), v))
            n += len("STORED\r\n")
        else:
            words.append(b"get key%d\r\n" % k)
            n += len(b"VALUE key%d 0 %d\r\n" % (k, len(v))) + len(v) + \
                len("\r\nEND\r\n")
    return b"".join(words), n


def connect(path):
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    return s


def fill(path):
    with connect(path) as s:
        answers = s.makefile("rb")
        for k in range(KEYS):
            v = value(k)
            s.sendall(b"set key%d 0 0 %d\r\n%s\r\n" % (k, len(v), v))
            if answers.readline() != b"STORED\r\n":
                sys.exit("ask.py: not stored")


class Connection:
    def __init__(self, path, number):
        self.socket, self.number = connect(path), number
        self.left, self.began = 0, 0

    def ask(self, batches):
        self.number += CONNECTIONS
        words, self.left = batches[self.number % len(batches)]
        self.began = time.monotonic()
        self.socket.sendall(words)

    def answered(self):
        """Is the batch answered?"""
        part = self.socket.recv(1 << 18)
        if not part:
            sys.exit("ask.py: the server closed the connection")
        self.left -= len(part)
        if self.left < 0:
            sys.exit("ask.py: another answer than expected")
        return self.left == 0


def main(path, seconds):
    batches = [batch(i) for i in range(997)]
    fill(path)
    poll, of = select.epoll(), {}
    for i in range(CONNECTIONS):
        c = Connection(path, i)
        of[c.socket.fileno()] = c
        poll.register(c.socket, select.EPOLLIN)
        c.ask(batches)
    took, begin = [], time.monotonic()
    now = begin
    while now - begin < float(seconds):
        for fd, _ in poll.poll():
            c = of[fd]
            if c.answered():
                now = time.monotonic()
                took.append(now - c.began)
                c.ask(batches)
    took.sort()
    print("%.1f %.4f" % (len(took) * BATCH / (now - begin),
                         took[len(took) * 99 // 100] * 1e3))


if __name__ == "__main__":
    main(*sys.argv[1:])
