#!/usr/bin/env python3
"""A client of the servers that e2e_servers.sh starts.

	client.py get SOCKET PATH
		GET it, and print the answer
	client.py http SOCKET STOP
		GET / by one connection after the other, until file STOP is
		there; print how many, and each answer that was not whole
	client.py memcached SOCKET
		commands, whose answers are compared
"""
import os
import socket
import sys


def connect(path):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(600)
    s.connect(path)
    return s


def ask_for(path, page):
    with connect(path) as s:
        s.sendall(b"GET %s HTTP/1.0\r\n\r\n" % page.encode())
        answer = b""
        while True:
            part = s.recv(65536)
            if not part:
                return answer
            answer += part


def get(path, page):
    sys.stdout.buffer.write(ask_for(path, page))
    return 0


def http(path, stop):
    n, status = 0, 0
    while not os.path.exists(stop):
        n += 1
        try:
            answer = ask_for(path, "/")
        except OSError as e:
            answer = repr(e).encode()
        if not (answer.startswith(b"HTTP/1.1 200 ") and
                answer.endswith(b"</html>\n")):
            print("request %d: %r" % (n, answer[:200]))
            status = 1
    print("%d requests" % n)
    return status or n == 0


def memcached(path):
    """Sets, gets, counts and deletes, enough to make the server hot."""
    with connect(path) as s:
        to = s.makefile("rwb")

        def ask(words, lines=1):
            to.write(words)
            to.flush()
            return [to.readline() for _ in range(lines)]

        for i in range(20000):
            key = b"key%d" % (i % 1000)
            value = b"%d" % (i * 7919 % 65537)
            asked = b"set %s 0 0 %d\r\n%s\r\n" % (key, len(value), value)
            if ask(asked) != [b"STORED\r\n"]:
                return "set %r" % key
            want = [b"VALUE %s 0 %d\r\n" % (key, len(value)),
                    value + b"\r\n", b"END\r\n"]
            if ask(b"get %s\r\n" % key, 3) != want:
                return "get %r" % key
        if ask(b"set n 0 0 2\r\n41\r\n") != [b"STORED\r\n"] or \
           ask(b"incr n 1\r\n") != [b"42\r\n"] or \
           ask(b"delete n\r\n") != [b"DELETED\r\n"] or \
           ask(b"get n\r\n") != [b"END\r\n"]:
            return "incr or delete"
    return 0


if __name__ == "__main__":
    sys.exit({"get": get, "http": http, "memcached": memcached}[sys.argv[1]](
        *sys.argv[2:]))
