/*
 * fatal.h - what cannot be survived: one line on stderr, exit status 1
 *
 * LLVM ends the process when it meets what it cannot compile; so does this host,
 * in one place and with one line that names the program.
 */
#ifndef COFL_SUPPORT_FATAL_H
#define COFL_SUPPORT_FATAL_H

/* Put "runtime: PROGRAM: " before every line. */
void cofl_fatal_init(const char *program);

/* LLVM's fatal error handler: its reason is the line. */
void cofl_fatal_by_llvm(const char *reason);

/*
 * While LLVM reads bytes nobody has checked, a crash in it is the file's fault:
 * between begin and end, a fatal signal on this thread ends the process with
 * status 1 and the line `what`. Not nested.
 */
void cofl_fatal_guard_begin(const char *what);
void cofl_fatal_guard_end(void);

void cofl_fatal(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

#endif /* COFL_SUPPORT_FATAL_H */
