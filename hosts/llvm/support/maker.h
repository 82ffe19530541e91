/*
 * maker.h - the process that makes an image, and whose child it is
 *
 *	program --- keeper --- maker
 *
 * Natively the program has no child but its own. So wait(2) must not find the
 * maker; and where the program is PID 1 or a subreaper (PR_SET_CHILD_SUBREAPER
 * of prctl(2)), orphans become its children. So the maker is no orphan while
 * the program runs: its parent is a small process, the keeper, which is a child
 * of the program's without SIGCHLD. Only wait(2) with __WCLONE or __WALL finds
 * such a child. It cannot be the maker itself, since execve(2) sets that
 * signal.
 *
 * At the end of the program the keeper goes, and the maker is left to PID 1, as
 * daemons are. If it is left to another process, which natively would have got
 * no orphan, the maker ends at once. Two are not meant by that: the user's
 * systemd, and the process whose PID is in COF_REAPER.
 *
 * Process-wide: there is one keeper.
 */
#pragma once

#include <stdbool.h>

/*
 * Start the keeper and the maker, which becomes cof-llvm with `argv`, and `fd`
 * as its standard input; negative: /dev/null. It has no other descriptors of
 * the program's, has its environment, directory and limits, a session of its
 * own, and no signal blocked or ignored. Returns when execve(2) has succeeded.
 * False: there is no maker. Thread: one that lives as long as the process.
 */
bool cofl_maker_start(char **argv, int fd);

/* Has the maker ended, or is there none? If so, nothing of it or the keeper is
 * left. */
bool cofl_maker_reap(void);

/* The process is about to end, or to become another program: end the keeper. In
 * a child of vfork(2) it does nothing. Async-signal-safe. */
void cofl_maker_leave(void);

/* In the maker, before it does anything: be nice, and end when left to a
 * process that is not meant to have orphans. */
void cofl_maker_begin(void);
