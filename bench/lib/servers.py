"""The servers of bench/servers: how each is started, loaded and stopped.

They are started as their init scripts do, so what serves is a process that the
started one forked.
"""
import glob
import os
import re
import statistics
import subprocess
import tempfile
import time

from lib import workload
from lib.process import Failed

HERE = os.path.join(workload.BENCH, "server")
PATIENCE = 120          # seconds, to start or to stop


clients = set()         # processes that are none of the server's


def call(command, env=None):
    """What it prints. It may leave a daemon, which holds what it was given, so
    that is a file."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, env=env, stdout=out, stderr=out,
                                   stdin=subprocess.DEVNULL)
        clients.add(process.pid)
        status = process.wait()
        clients.discard(process.pid)
        out.seek(0)
        said = out.read().decode(errors="replace")
    if status != 0:
        raise Failed("%s: status %d: %s" % (
            " ".join(command), status, said[-400:]))
    return said


def until(happened, what):
    end = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > end:
            raise Failed(what)
        time.sleep(0.02)


class Server:
    """builds: the folder of scripts/builds.sh; folder: for its files."""
    needs = ()

    def __init__(self, builds, folder, seconds):
        self.folder, self.seconds = folder, seconds
        self.trees = {kind: os.path.join(builds, "%s.%s" % (self.name, kind))
                      for kind in ("native", "cof")}

    def path(self, name):
        return os.path.join(self.folder, name)

    def tree(self, name, kind="native"):
        return os.path.join(self.trees[kind], name)

    def prepare(self):
        """Once, before all starts."""

    def started(self, head, env):
        """Start it as a daemon. head: runtime and its options, or nothing."""
        kind = "cof" if head else "native"
        call([*head, self.tree(self.program, kind), *self.options()], env)
        until(self.is_ready, self.name + " does not answer")

    def is_ready(self):
        return os.path.exists(self.path("s"))

    def stop(self):
        with open(self.path("pid")) as f:
            os.kill(int(f.read()), 15)


class Redis(Server):
    name, program = "redis", "src/redis-server"
    tests = "set,get,incr,lpush,rpop,sadd,hset,zadd,lrange_100,mset"
    n = None

    def options(self):
        return ["--daemonize", "yes", "--pidfile", self.path("pid"),
                "--port", "0", "--unixsocket", self.path("s"),
                "--save", "", "--dir", self.folder]

    def ask(self, n):
        """(operations a second, p99 in ms), of all tests together"""
        said = call([self.tree("src/redis-benchmark"), "-s", self.path("s"),
                     "--csv", "-n", str(n), "-P", "16", "-c", "50", "-r",
                     "100000", "-t", self.tests])
        rows = [[float(x) for x in re.findall(r'"([\d.]+)"', line)]
                for line in said.splitlines()[1:]]
        rows = [r[-7:] for r in rows if len(r) >= 7]
        if not rows:
            raise Failed("redis-benchmark: " + said[-400:])
        return (statistics.harmonic_mean([r[0] for r in rows]),
                statistics.mean(r[5] for r in rows))

    def load(self):
        if self.n is None:      # the first start is native
            begin = time.monotonic()
            self.ask(20000)
            self.n = int(20000 * self.seconds / (time.monotonic() - begin))
        return self.ask(self.n)


class Memcached(Server):
    name, program = "memcached", "memcached"

    def options(self):
        return ["-d", "-P", self.path("pid"), "-s", self.path("s"), "-t",
                "2", "-u", "root"]

    def load(self):
        rate, p99 = call([os.path.join(HERE, "ask.py"), self.path("s"),
                          str(self.seconds)]).split()
        return float(rate), float(p99)


class Nginx(Server):
    name, program, needs = "nginx", "objs/nginx", ("wrk",)

    def prepare(self):
        os.makedirs(self.path("logs"))
        for name, times in (("index.html", 40), ("large.html", 2000)):
            with open(self.path(name), "w") as f:
                f.write("<p>All work and no play makes a page.</p>\n" * times)
        with open(self.path("nginx.conf"), "w") as f:
            f.write("""worker_processes 1;
                user root;
                pid pid;
                error_log logs/error.log;
                events { worker_connections 512; }
                http {
                    access_log logs/access.log;
                    gzip on;
                    gzip_min_length 1000;
                    keepalive_requests 1000000;
                    server {
                        listen 127.0.0.1:%d;
                        root .;
                        rewrite ^/old/(.*)$ /$1 last;
                    }
                }
                """ % self.port)

    port = 18080

    def options(self):
        return ["-p", self.folder, "-c", "nginx.conf"]

    def is_ready(self):
        return os.path.exists(self.path("pid"))

    def load(self):
        said = call(["wrk", "-t", "1", "-c", "32", "-d",
                     "%ds" % max(1, round(self.seconds)), "--latency",
                     "-H", "Accept-Encoding: gzip",
                     "http://127.0.0.1:%d/old/index.html" % self.port])
        rate = re.search(r"^Requests/sec:\s+([\d.]+)", said, re.M)
        p99 = re.search(r"^\s+99%\s+([\d.]+)(us|ms|s)$", said, re.M)
        if not rate or not p99 or "Non-2xx" in said:
            raise Failed("wrk: " + said[-400:])
        scale = {"us": 1e-3, "ms": 1.0, "s": 1e3}[p99.group(2)]
        return float(rate.group(1)), float(p99.group(1)) * scale


class Postgresql(Server):
    """A process for each of eight connections, all of them reading."""
    name = "postgresql"
    needs = ("unshare",)
    scale = 5

    def bin(self, name, kind="native"):
        return self.tree("tmp_install/usr/local/pgsql/bin/" + name, kind)

    @staticmethod
    def user():
        """It does not run as root. In a name space of users root is nobody,
        and can write what it could."""
        if os.geteuid() != 0:
            return []
        return ["unshare", "--user", "--map-user=65534", "--map-group=65534"]

    @property
    def env(self):
        return dict(os.environ, LD_LIBRARY_PATH=self.tree(
            "tmp_install/usr/local/pgsql/lib"))

    def prepare(self):
        call([*self.user(), self.bin("initdb"), "-D", self.path("data"),
              "--no-sync", "-A", "trust", "-U", "bench"], self.env)
        self.started([], self.env)
        call([self.bin("pgbench"), *self.where(), "-i", "-q", "-s",
              str(self.scale), "postgres"], self.env)
        self.stop()

    def where(self):
        return ["-h", self.folder, "-U", "bench"]

    def started(self, head, env):
        kind = "cof" if head else "native"
        program = self.path("postgres." + kind)
        with open(program, "w") as f:
            f.write('#!/bin/sh\nexec %s "$@"\n' % " ".join(
                [*head, self.bin("postgres", kind)]))
        os.chmod(program, 0o755)
        call([*self.user(), self.bin("pg_ctl"), "start", "-w", "-s", "-p",
              program, "-D", self.path("data"), "-l", self.path("log"), "-o",
              "-k %s -c listen_addresses= -c fsync=off" % self.folder],
             dict(self.env, **env))

    def stop(self):
        call([*self.user(), self.bin("pg_ctl"), "stop", "-s", "-m", "fast",
              "-D", self.path("data")], self.env)

    def load(self):
        for old in glob.glob(self.path("times.*")):
            os.unlink(old)
        said = call([self.bin("pgbench"), *self.where(), "-n", "-S", "-c",
                     "8", "-T", str(max(1, round(self.seconds))), "-l",
                     "--log-prefix", self.path("times"), "postgres"],
                    self.env)
        rate = re.search(r"^tps = ([\d.]+)", said, re.M)
        us = []
        for name in glob.glob(self.path("times.*")):
            with open(name) as f:
                us += [int(line.split()[2]) for line in f]
        us.sort()
        if not rate or not us:
            raise Failed("pgbench: " + said[-400:])
        return float(rate.group(1)), us[len(us) * 99 // 100] / 1e3


SERVERS = {s.name: s for s in (Redis, Memcached, Nginx, Postgresql)}
