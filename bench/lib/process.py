"""Run one process, and measure it.

tests/e2e/e2e_run, which is small, starts it. A child of this interpreter would
begin with the interpreter's memory, which would count as the most it had.
"""
import glob
import hashlib
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import tty

MEMORY_EVERY = 0.2      # seconds between looks at a process's memory
PLACE_EVERY = 0.01      # between looks for new threads
SECONDS = re.compile(rb" *[0-9]*\.[0-9]*s\n")


class Failed(Exception):
    """A process did not end as it should, or could not be started."""


def children(pid):
    """The children of all threads of a process."""
    found = []
    for thread in glob.glob("/proc/%s/task/*/children" % pid):
        try:
            with open(thread) as f:
                found += f.read().split()
        except OSError:
            pass                # it has just ended
    return found


def resident(pid):
    """Resident memory in KiB: all, and without files."""
    with open("/proc/%s/status" % pid) as f:
        found = dict(re.findall(r"^(Rss\w+|VmRSS):\s+(\d+)", f.read(), re.M))
    return int(found["VmRSS"]), int(found["RssAnon"])


class Place:
    """Processes that run at the same time, with their first threads on one
    processor and all other threads off it. The kernel lets the two take turns
    of milliseconds, so the machine is as fast for the one as for the other."""

    def __init__(self):
        cpus = sorted(os.sched_getaffinity(0))
        self.first, self.others = set(cpus[:1]), set(cpus[1:] or cpus)

    def put(self, pid):
        """A new thread has the processors of its maker until the next look."""
        try:
            for thread in map(int, os.listdir("/proc/%s/task" % pid)):
                os.sched_setaffinity(thread, self.first if thread == int(pid)
                                     else self.others)
        except OSError:
            pass                # it has just ended


class Memory:
    """The resident memory of a process and of those that it started, while they
    run. `parent` adopts those that outlive it."""

    def __init__(self, parent):
        self.parent, self.pid, self.last = parent, None, 0.0
        self.seen = []          # (all, private) KiB
        self.tree_kb = 0        # most of all together; a shared page counts
                                # in each process

    def find(self):
        """The process, or None before it is there."""
        if self.pid is None:
            self.pid = next(iter(children(self.parent)), None)
        return self.pid

    def first_thread(self):
        """CPU seconds of its first thread so far, a tick ago or less."""
        try:
            with open("/proc/%s/schedstat" % self.find()) as f:
                self.last = int(f.read().split()[0]) / 1e9
        except (OSError, IndexError):
            pass                # it has just ended
        return self.last

    def look(self):
        try:
            alive = children(self.parent)
            self.seen.append(resident(self.find()))
        except (OSError, IndexError, KeyError):
            return              # it has not started, or has ended
        total = self.seen[-1][0]
        alive.remove(self.pid)
        alive += children(self.pid)
        while alive:
            pid = alive.pop()
            try:
                total += resident(pid)[0]
            except (OSError, KeyError):
                continue        # it has just ended
            alive += children(pid)
        self.tree_kb = max(self.tree_kb, total)

    def idle(self):
        """The medians of the last quarter, when all is compiled. None if the
        run was too short."""
        if len(self.seen) < 12:
            return None, None
        last = self.seen[-(len(self.seen) // 4):]
        return tuple(sorted(x)[len(x) // 2] for x in zip(*last))


class Output:
    """A hash of standard output, and on request the time of each line, by
    clock(). Then it is a terminal, to which a program writes line by line; if
    not, a file."""

    def __init__(self, lines, filter_name, clock):
        self.filter, self.clock = filter_name, clock
        self.times = [] if lines else None
        self.hash = hashlib.sha256()
        if lines:
            self.master, self.fd = pty.openpty()
            tty.setraw(self.fd)
        else:
            self.master, self.file = None, tempfile.TemporaryFile()
            self.fd = self.file.fileno()

    def started(self):
        if self.master is not None:
            os.close(self.fd)

    def read(self):
        """False at the end."""
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        now = self.clock()
        self.times += [now] * data.count(b"\n")
        self.hash.update(data)
        return bool(data)

    def finish(self):
        if self.master is not None:
            while self.read():
                pass
            os.close(self.master)
        else:
            self.file.seek(0)
            text = self.file.read()
            self.file.close()
            if self.filter == "seconds":
                text = SECONDS.sub(b"\n", text)
            self.hash.update(text)
        return self.hash.hexdigest()


def wait(process, output, memory, place):
    """Wait for the end of a process, without a delay for it."""
    pidfd = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    if output.master is not None:
        poll.register(output.master, select.POLLIN)
    due = time.monotonic() + MEMORY_EVERY / 4
    try:
        while True:
            left = max(0, due - time.monotonic())
            if place:
                left = min(left, PLACE_EVERY)
                place.put(memory.find())
            for fd, _ in poll.poll(left * 1000):
                if fd == pidfd:
                    return
                if not output.read():
                    poll.unregister(output.master)
            if time.monotonic() >= due:
                memory.look()
                due = time.monotonic() + MEMORY_EVERY
    finally:
        os.close(pidfd)


class Run:
    """One process, run to its end:

    wall, cpu     its seconds, without those of processes that outlive it
    first         CPU seconds of its first thread
    rss_kb        the most memory it had
    tree_kb       the same of it and of the processes it started, by the looks
    idle_kb, idle_private_kb   at the end of a longer run, or None
    times         seconds of each iteration, if `lines`; CPU seconds of the
                  first thread with a `place`, beside another process
    output        a hash
    status        "exit N" or "signal N"
    err           its stderr
    """

    def __init__(self, starter, folder, command, stdin, env, lines=False,
                 filter_name="-", place=None):
        mine = tempfile.mkdtemp(dir=folder)
        status = os.path.join(mine, "status")
        usage = os.path.join(mine, "usage")
        out = Output(lines, filter_name, lambda: (
            memory.first_thread() if place else time.monotonic()))
        with open(stdin, "rb") as source, tempfile.TemporaryFile() as err:
            begin = 0.0 if place else time.monotonic()
            process = subprocess.Popen(
                [starter, "-u", usage, status, "0", *command], stdin=source,
                stdout=out.fd, stderr=err, env=env)
            out.started()
            memory = Memory(process.pid)
            wait(process, out, memory, place)
            self.output = out.finish()
            if process.wait() != 0:
                raise Failed("%s failed" % starter)
            err.seek(0)
            self.err = err.read().decode(errors="replace")
        with open(usage) as f:
            cpu, rss, wall, first = f.read().split()
        self.cpu, self.rss_kb, self.wall = float(cpu), int(rss), float(wall)
        self.first = float(first)
        self.tree_kb = max(self.rss_kb, memory.tree_kb)
        self.idle_kb, self.idle_private_kb = memory.idle()
        with open(status) as f:
            self.status = f.read().strip()
        shutil.rmtree(mine)
        self.times = None
        if out.times is not None:
            at = [begin, *out.times]
            self.times = [b - a for a, b in zip(at, at[1:])]

    def figures(self):
        """What a file of results has of a run."""
        return {
            "wall": round(self.wall, 6), "cpu": self.cpu,
            "first_thread": self.first,
            "rss_kb": self.rss_kb, "tree_kb": self.tree_kb,
            "idle_kb": self.idle_kb, "idle_private_kb": self.idle_private_kb,
            "times": self.times and [round(t, 6) for t in self.times],
        }
