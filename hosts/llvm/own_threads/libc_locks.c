/*
 * libc_locks.c - see libc_locks.h
 *
 * `word` has the number of sharers and whether libc takes its locks. Only the
 * program's thread changes the latter and libc's own flag. Orderings, by
 * letter: its release (A) when the flag is set; a sharer's acquire (B).
 */
#include "own_threads/libc_locks.h"

#include <dlfcn.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/rawcall.h"
#include "own_threads/own_threads.h"

#define TAKES  1u	/* libc takes its locks */
#define SHARER 2u

static _Atomic uint32_t word;
static _Atomic bool     for_good;
static char            *single;	/* libc's flag */
static const unsigned  *n_threads;	/* libc's count, for debuggers; NULL:
					 * it has none */
static void           (*look_soon)(void);
static const struct link_map *libc, *linker;

static const struct link_map *object_of(const void *address)
{
	struct dl_find_object found;

	return address != NULL &&
	       _dl_find_object((void *)(uintptr_t)address, &found) == 0 ?
	       found.dlfo_link_map : NULL;
}

bool libc_locks_begin(void (*look)(void))
{
	void *handle = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	look_soon = look;
	if (handle == NULL)
		return false;
	/* libc's own: an executable may have a copy of it. */
	single = dlsym(handle, "__libc_single_threaded");
	n_threads = dlsym(handle, "__nptl_nthreads");
	libc = object_of(dlsym(handle, "abort"));
	linker = object_of(dlsym(RTLD_DEFAULT, "__tls_get_addr"));
	dlclose(handle);
	return single != NULL;
}

static bool takes(uint32_t value)
{
	return value & TAKES;
}

static void set(bool locks)
{
	*(volatile char *)single = !locks;
	__asm__ volatile("" : : : "memory");
}

static void take(void)
{
	set(true);
	atomic_fetch_or_explicit(&word, TAKES, memory_order_release); /* A */
	cof_raw6(SYS_futex, (long)&word, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

void libc_locks_share(void)
{
	uint32_t is = atomic_fetch_add(&word, SHARER) + SHARER;

	if (!takes(is))
		look_soon();
	while (!takes(is = atomic_load_explicit(&word,
						memory_order_acquire))) /* B */
		cof_raw6(SYS_futex, (long)&word, FUTEX_WAIT, is, 0, 0, 0);
}

void libc_locks_unshare(void)
{
	if (atomic_fetch_sub(&word, SHARER) == (SHARER | TAKES) &&
	    !atomic_load(&for_good))
		look_soon();
}

/* libc makes some by itself: for aio(7), say, or timer_create(2). */
static bool libc_has_threads(void)
{
	return n_threads == NULL ||
	       __atomic_load_n(n_threads, __ATOMIC_RELAXED) > 1;
}

/* Leave the locks out again, if nobody shares. A handler may interrupt it and
 * have libc take them. */
static void leave_out(void)
{
	uint32_t last = TAKES;

	if (libc_has_threads())
		atomic_store(&for_good, true);
	if (atomic_load(&for_good) ||
	    !atomic_compare_exchange_strong(&word, &last, 0))
		return;
	set(false);
	if (takes(atomic_load(&word)))
		set(true);
}

void libc_locks_share_here(void)
{
	if (!takes(atomic_fetch_add(&word, SHARER)))
		take();
}

void libc_locks_unshare_here(void)
{
	atomic_fetch_sub(&word, SHARER);
	leave_out();
}

void libc_locks_look(uintptr_t pc)
{
	const struct link_map *at = object_of((const void *)pc);

	if (at != NULL && (at == libc || at == linker))
		return;
	if (atomic_load(&word) == TAKES)
		leave_out();
	else if (libc_locks_want_look())
		take();
}

bool libc_locks_want_look(void)
{
	uint32_t is = atomic_load(&word);

	return !atomic_load(&for_good) &&
	       (is == TAKES || (is >= SHARER && !takes(is)));
}

void libc_locks_for_good(void)
{
	atomic_store(&for_good, true);
	if (single != NULL)
		take();
}

void libc_locks_first_thread(void)
{
	if (single != NULL && !own_threads_libc_calls())
		set(false);
}

void libc_locks_fork(void)
{
	if (single != NULL && !atomic_load(&for_good))
		set(false);
}

void libc_locks_parent(void)
{
	if (single != NULL && takes(atomic_load(&word)))
		set(true);
}

void libc_locks_child(void)
{
	atomic_fetch_and(&word, TAKES);
	leave_out();
}
