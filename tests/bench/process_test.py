"""process_test.py - how a run is started, placed and measured"""
import os
import subprocess
import sys
import tempfile
import time

import made_up                  # noqa: F401  it adds bench/ to the path
from lib.process import Place, Run


def what_is_left_behind_is_waited_for_and_not_counted():
    starter = os.path.abspath(os.environ.get("E2E_RUN", "tests/e2e/e2e_run"))
    if not os.access(starter, os.X_OK):
        return                  # `make check` makes it
    left = "while kill -0 $$; do sleep 0.1; done; sleep 3; : >left"
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        run = Run(starter, folder,
                  ["sh", "-c", "cd %s; setsid sh -c \"%s\" & sleep 1" %
                   (folder, left)], os.devnull, dict(os.environ))
        took = time.monotonic() - began
        assert os.path.exists(os.path.join(folder, "left"))
    assert run.status == "exit 0", run.status
    assert 1 <= run.wall <= took - 1, (run.wall, took)
    # Of three processes, two of them shells.
    assert run.tree_kb > 1.5 * run.rss_kb > 0, (run.tree_kb, run.rss_kb)


def first_threads_share_a_processor():
    place = Place()
    assert place.first and place.others
    code = "import threading, time; t = threading.Thread(target=time.sleep, " \
           "args=(60,)); t.start(); print(1, flush=True); t.join()"
    with subprocess.Popen([sys.executable, "-c", code],
                          stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        place.put(process.pid)
        threads = os.listdir("/proc/%d/task" % process.pid)
        for thread in map(int, threads):
            assert os.sched_getaffinity(thread) == (
                place.first if thread == process.pid else place.others)
        process.kill()
    assert len(threads) == 2
    place.put(process.pid)      # it has ended
    place.put(None)             # it is not there yet


def beside_another_a_run_tells_its_first_thread():
    starter = os.path.abspath(os.environ.get("E2E_RUN", "tests/e2e/e2e_run"))
    if not os.access(starter, os.X_OK):
        return                  # `make check` makes it
    busy = "i=0; while [ $i -lt %d ]; do i=$((i + 1)); done; echo"
    line = "sleep 0.3; %s; %s" % (busy % 40000, busy % 1)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(starter, folder, ["sh", "-c", line], os.devnull,
                  dict(os.environ), lines=True, place=Place())
        assert os.listdir(folder) == []
    # Asleep it used no time; a tick may not be counted yet.
    assert len(run.times) == 2 and 0 <= run.first <= run.cpu + 0.02, run.first
    assert sum(run.times) <= run.first + 0.02, run.times
    assert run.wall >= 0.3
