/*
 * methods.h - native functions as libcof's methods
 *
 * The executable's code of a function is its version 0. libcof learns of a
 * method when it is seen first: in a sample, in the hot set of earlier runs, or
 * where a build inlines or calls it. A program has thousands, and few of them
 * are hot.
 *
 * Before a method gets another version its entry is redirected to the method's
 * second stub; what stands for version 0 then is a copy of its first
 * instruction, and a jump behind it (native/entry.h, cof_version_copy()).
 *
 * Before the program writes to a function, that is as the linker left it, and
 * stays so. Only the jump before its entry remains: it leads to a version.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "native/executable.h"

struct cofl;
struct cofl_method;

/* Make host->method, of which none is added to libcof. */
void cofl_methods_init(struct cofl *host,
		       const struct cofl_executable *executable);

/* The method, added with its version 0 if it is not yet. NULL: it has no body
 * of its own, or there is no memory. Thread: any, with no lock of libcof's;
 * takes a lock. */
struct cof_method *cofl_methods_add(struct cofl_method *m);

/* cof_host's locate() and add_hot(). */
int  cofl_methods_locate(void *host, const void *ip);
void cofl_methods_add_hot(void *host);

/* The entry leads to the method's versions from now on, if it can; false: it
 * cannot, and nothing is to be built. Thread: workers, P/O; takes a lock. */
bool cofl_methods_take_over(struct cofl_method *m);

/* cof_host's entry_direct(). */
int  cofl_methods_direct(void *host, void *method, int direct);

/* Is the code, of so many bytes, that of the executable's function, byte for
 * byte? False: or the function is left alone. Thread: any, with no lock of
 * libcof's; takes a lock. */
bool cofl_methods_is_same(struct cofl_method *m, const void *code,
			  size_t bytes);

/* `slot` is named after the method, and its address is what slots of vtables
 * hold for it, now and later. Thread: one that holds the loader's lock; takes a
 * lock. */
struct cofl_symbol;
void cofl_methods_slot(struct cofl_method *m, struct cofl_symbol *slot);

/*
 * The program is about to be able to write to [from, from + bytes) of its code:
 * its functions there are as the linker left them from now on, all callers come
 * to them, and libcof builds none of them. Returns how many of them libcof had.
 * Thread: any, with its signals blocked; takes a lock.
 */
size_t cofl_methods_leave_alone(struct cofl *host, const void *from,
				size_t bytes);

/* host->cof is there: methods may be added. From now on the lock is held over
 * forks. After cof_start() and before cofl_fork_hooks_init(), since it is taken
 * before libcof's locks and behind the host's. 0, or an error number. */
int cofl_methods_begin(void);
