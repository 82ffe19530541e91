/*
 * bare_thread_x86_64.c - see bare_thread.h
 *
 * The thread's block is as in glibc's Static TLS variant II: thread-local
 * variables below the thread pointer, and at it the thread's descriptor, which
 * begins with a header that compiled code knows (System V ABI for x86-64; "ELF
 * Handling For Thread-Local Storage").
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/rseq.h>

#include "base/rawcall.h"
#include "own_threads/bare_thread.h"
#include "own_threads/fp_env.h"

#define STACK_BYTES ((size_t)1 << 20)

/* The beginning of a thread's descriptor, for what is read by its address. */
struct header {
	void     *self;
	void     *modules;
	void     *self_too;
	int       multiple_threads, unused;
	uintptr_t sysinfo, stack_guard, pointer_guard;
};

struct list {
	struct list *next, *prev;
};

/* How debuggers are told of a field: size in bits, number, offset. */
typedef uint32_t field[3];

static struct {
	void *(*allocate)(void *mem);
	void  (*deallocate)(void *mem, bool with_block);
	const uint32_t *tid, *list, *threads;	/* fields */
	char *linker_data;
} glibc;

static void *private(const char *name)
{
	return dlvsym(RTLD_DEFAULT, name, "GLIBC_PRIVATE");
}

static bool find_glibc(void)
{
	*(void **)&glibc.allocate = private("_dl_allocate_tls");
	*(void **)&glibc.deallocate = private("_dl_deallocate_tls");
	glibc.tid = private("_thread_db_pthread_tid");
	glibc.list = private("_thread_db_pthread_list");
	glibc.threads = private("_thread_db_rtld_global__dl_stack_user");
	glibc.linker_data = private("_rtld_global");
	return glibc.allocate != NULL && glibc.deallocate != NULL &&
	       glibc.tid != NULL && glibc.list != NULL &&
	       glibc.threads != NULL && glibc.linker_data != NULL;
}

static struct list *node(struct bare_thread *t)
{
	return (struct list *)(void *)(t->block + glibc.list[2]);
}

/* Threads whose stacks are not libc's, as the main thread is. */
static void link_in(struct bare_thread *t)
{
	struct list *head = (void *)(glibc.linker_data + glibc.threads[2]);

	*node(t) = (struct list){ head->next, head };
	head->next->prev = node(t);
	head->next = node(t);
}

static void link_out(struct bare_thread *t)
{
	node(t)->next->prev = node(t)->prev;
	node(t)->prev->next = node(t)->next;
}

/* What the program closes meanwhile would stay open for a moment: Linux before
 * 6.13 copies the table, or 64 entries of it, and then closes them. */
void bare_thread_own_files(void)
{
	if (cof_raw(SYS_close_range, 3, UINT_MAX, CLOSE_RANGE_UNSHARE, 0) != 0)
		return;		/* the table is the program's, still */
	cof_raw(SYS_close_range, 0, 1, 0, 0);
	/* None that is opened is 0 or 1. */
	for (int i = 0; i < 2; i++)
		cof_raw(SYS_openat, AT_FDCWD, (long)"/dev/null",
			O_RDWR | O_CLOEXEC, 0);
}

/* The program's thread may run before all others; libcof's do not. */
static void leave_real_time(void)
{
	const struct sched_param ordinary = { .sched_priority = 0 };
	long policy = cof_raw(SYS_sched_getscheduler, 0, 0, 0, 0);

	if (policy != SCHED_OTHER && policy != SCHED_BATCH &&
	    policy != SCHED_IDLE)
		cof_raw(SYS_sched_setscheduler, 0, SCHED_OTHER, (long)&ordinary,
			0);
}

static int begin(void *arg)
{
	struct bare_thread *t = arg;

	leave_real_time();
	if (t->own_files)
		bare_thread_own_files();
	__atomic_store_n(&t->begins, 0, __ATOMIC_RELEASE);
	cof_raw6(SYS_futex, (long)&t->begins, FUTEX_WAKE, 1, 0, 0, 0);
	fp_env_default();
	t->run();
	link_out(t);
	return 0;
}

static void set_header(struct bare_thread *t)
{
	struct header *to = (void *)t->block, *from;

	__asm__("movq %%fs:0x10, %0" : "=r"(from));
	to->self = to->self_too = t->block;
	to->stack_guard = from->stack_guard;
	to->pointer_guard = from->pointer_guard;
}

/* The threads that this one makes register with rseq(2) as it did: not at all.
 * libc ends the process if a thread's maker could and the thread cannot. */
static void set_no_rseq(struct bare_thread *t)
{
	struct rseq *its = (void *)(t->block + __rseq_offset);

	/* The offset is known where the kernel refused as well. */
	if (__rseq_offset != 0)
		its->cpu_id = (uint32_t)RSEQ_CPU_ID_REGISTRATION_FAILED;
}

static bool fail(char *why, size_t why_bytes, const char *reason)
{
	snprintf(why, why_bytes, "%s", reason);
	return false;
}

/* The caller closes nothing meanwhile, and sees no other thread of the process
 * before all others. */
static void wait_until_begun(struct bare_thread *t)
{
	while (__atomic_load_n(&t->begins, __ATOMIC_ACQUIRE) != 0)
		cof_raw6(SYS_futex, (long)&t->begins, FUTEX_WAIT, 1, 0, 0, 0);
}

bool bare_thread_start(struct bare_thread *t, void (*run)(void),
		       bool own_files, char *why, size_t why_bytes)
{
	/* All but the two that are libc's own (own_threads.c): the threads that
	 * this one makes have the same mask. */
	static const uint64_t all = ~(UINT64_C(3) << 31);
	const int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID |
			  CLONE_CHILD_CLEARTID | CLONE_FILES;
	uint64_t before;
	int tid;

	if (!find_glibc())
		return fail(why, why_bytes, "this libc describes no threads");
	*t = (struct bare_thread){ .alive = 1, .own_files = own_files,
				   .begins = 1, .run = run };
	t->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	if (t->stack == MAP_FAILED)
		return fail(why, why_bytes, "no memory");
	t->block = glibc.allocate(NULL);
	if (t->block == NULL)
		return fail(why, why_bytes, "no memory");
	set_header(t);
	set_no_rseq(t);
	link_in(t);
	cof_raw_rt_sigprocmask(SIG_SETMASK, &all, &before);
	tid = clone(begin, (char *)t->stack + STACK_BYTES, flags, t,
		    t->block + glibc.tid[2], t->block, &t->alive);
	cof_raw_rt_sigprocmask(SIG_SETMASK, &before, NULL);
	if (tid > 0) {
		wait_until_begun(t);
		return true;
	}
	link_out(t);
	return fail(why, why_bytes, "no thread could be made");
}

/* The kernel clears `alive` a moment before the thread, and its rights, are
 * gone. */
void bare_thread_join(struct bare_thread *t)
{
	int is, tid;

	if (t->block == NULL)
		return;
	while ((is = __atomic_load_n(&t->alive, __ATOMIC_ACQUIRE)) != 0)
		cof_raw6(SYS_futex, (long)&t->alive, FUTEX_WAIT, is, 0, 0, 0);
	tid = *(int *)(void *)(t->block + glibc.tid[2]);
	while (cof_raw(SYS_tgkill, getpid(), tid, 0, 0) == 0)
		sched_yield();
	munmap(t->stack, STACK_BYTES);
	glibc.deallocate(t->block, true);
	t->block = NULL;
}
