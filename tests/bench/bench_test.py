"""bench_test.py - bench/'s scripts on figures whose truth is known

test_bench.sh starts it. Each function without arguments of the files beside it
is a test. It prints `ok NAME` or `FAIL NAME` for each.
"""
import inspect
import sys
import traceback

sys.dont_write_bytecode = True

import bars_test                                               # noqa: E402
import compare_test                                            # noqa: E402
import figures_test                                            # noqa: E402
import phases_test                                             # noqa: E402
import process_test                                            # noqa: E402
import sensitivity_test                                        # noqa: E402
import wide_test                                               # noqa: E402
import workloads_test                                          # noqa: E402

FILES = (compare_test, wide_test, bars_test, process_test, figures_test,
         phases_test, workloads_test, sensitivity_test)


def tests():
    for file in FILES:
        for test in list(vars(file).values()):
            if (inspect.isfunction(test) and test.__module__ == file.__name__
                    and not inspect.signature(test).parameters):
                yield test


def main():
    failed = 0
    for test in tests():
        try:
            test()
            print("ok", test.__name__)
        except Exception:       # the other tests run in any case
            failed += 1
            print("FAIL", test.__name__)
            print("  " + traceback.format_exc().replace("\n", "\n  "))
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
