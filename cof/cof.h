/*
 * cof.h - continuous optimization for a running JIT
 *
 *	sample  ->  predict  ->  optimize  ->  patch  ->  reclaim
 *
 * libcof watches compiled code run, predicts what will be hot, asks the runtime
 * that embeds it (the host) to build that code again, swaps the new code in
 * while the program runs, and frees the old code once no thread can be inside.
 * It is an adviser: with libcof stopped, failing or starved, the program runs
 * exactly as its host compiled it.
 *
 * Words: a method is what the host calls a function; a version is one compiled
 * body of it; a method's address is its stub, which never changes and leads to
 * the current version. docs/design.md has the others.
 *
 * Unless a comment says otherwise:
 *   thread     any thread may call, but not a signal handler;
 *   blocking   a call may wait for a short critical section of another thread,
 *              never for a build, a sample or the end of a generation;
 *   pointers   are borrowed for the length of the call;
 *   errors     0 is success, a negative value is -enum cof_err;
 *   units      are in the name: _ns, _hz, _bytes; a plain count has none;
 *   structs    with a .size: set it to sizeof. Fields a caller was not compiled
 *              with read as zero, so fields are only ever added at the end.
 *
 * "No" is not an error. When libcof decides not to do something it counts a
 * reason (cof/flow.def) and goes on; cof-stats shows the counts. libcof never
 * prints, exits or aborts on its host's behalf.
 */
#ifndef COF_H
#define COF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COF_API __attribute__((visibility("default")))

#define COF_VERSION_STRING "0.1.0"

enum cof_err {
	COF_E_INVAL = 1,	/* an argument or an option is wrong */
	COF_E_NOMEM = 2,	/* memory or code memory ran out; nothing changed */
	COF_E_PERM  = 3,	/* the kernel refuses something we cannot do without */
	COF_E_STATE = 4,	/* not now: not started, or already stopped */
};

struct cof;			/* one libcof instance */
struct cof_thread;		/* a guest thread that is attached */
struct cof_method;		/* identity outlives recompiles */
struct cof_version;		/* one compiled body of a method */

/*
 * A plan: which set of optimizations to build a version with. What each means
 * is the host's business; libcof only knows that a later one costs more to
 * build and should run faster.
 */
enum cof_plan {
	COF_PLAN_NONE    = 0,	/* tier 0: what the host compiles at first */
	COF_PLAN_STATIC  = 1,	/* what a static compiler would do, quickly */
	COF_PLAN_AVERAGE = 2,	/* the method alone, fully optimized */
	COF_PLAN_SPEED   = 3,	/* everything, callees inlined */
	COF_PLAN_COUNT   = 4,
};

/* -- Code memory ------------------------------------------------------------ */

/*
 * A block of code memory. The same bytes are mapped twice: written through
 * `write`, run at `exec`; no address is ever writable and executable. All
 * blocks of an instance lie in one range, so that a rel32 reaches from any
 * block to any other.
 */
struct cof_code {
	void  *write;
	void  *exec;
	size_t size_bytes;	/* as granted; at least what was asked for */
};

/* Where a block goes: hot versions are packed together. */
enum cof_code_area {
	COF_CODE_FIRST,		/* tier 0 and glue */
	COF_CODE_HOT,		/* versions libcof asked for */
};

/* -- The host --------------------------------------------------------------- */

/* What a plan would bring. */
struct cof_estimate {
	double   speedup;	/* expected speed over the current version, as a
				 * ratio; 0 or less: do not bother */
	uint64_t cost_ns;	/* expected CPU time of the build */
};

/* A direct call in a version: `call rel32` or `jmp rel32` to another method. */
struct cof_call_site {
	void              *rel32;	/* run-time address of the 4 displacement
					 * bytes, inside the version's code */
	struct cof_method *callee;
};

/*
 * One compiled body. All code ranges are run-time addresses.
 *
 * `calls` are bound by libcof: to the callee's current version if the 4 bytes
 * do not cross a cache line, else to its stub, and again whenever the callee
 * changes. The host need not fill the displacements in. Only for code in memory
 * from cof_code_alloc(). What build() puts there must stay readable until
 * discard().
 */
struct cof_version_desc {
	size_t      size;	/* sizeof(struct cof_version_desc) */
	const void *start;	/* [start, start + size_bytes): mapped to this
				 * version when sampled or found on a stack */
	size_t      size_bytes;
	const void *entry;	/* where callers go; NULL: start */
	enum cof_plan plan;
	void       *data;	/* the host's; passed to discard() */
	struct cof_code block;	/* from cof_code_alloc(): libcof owns it once the
				 * call succeeded; .exec NULL: the host's own
				 * memory, freed by discard() */
	const struct cof_call_site *calls;
	size_t      n_calls;
	const void *eh_frame;	/* unwinding info, for call stacks with samples
				 * (option stack_depth): an .eh_frame section
				 * in place, copied; NULL: none */
	size_t      eh_frame_bytes;
	/* Fields above: 0.1. Add below, never between. */
};

/*
 * What libcof needs from a runtime. The struct is copied; ctx must outlive
 * cof_free(). A NULL callback means the host cannot do that. `method` and
 * `version` arguments are the .data pointers the host gave.
 */
struct cof_host {
	size_t      size;	/* sizeof(struct cof_host) */
	const char *name;	/* "llvm", "mono"; shown by cof-stats; static */
	void       *ctx;	/* first argument of every call below */

	/*
	 * A stub was called whose method has no version yet. Build one and
	 * cof_version_add() it. If that cannot be done the host must not
	 * return: it ends the program as its language demands.
	 *
	 * Thread: the guest thread that made the call, all argument registers
	 * saved. Several threads may come for one method at a time. May block.
	 */
	void (*first_call)(void *ctx, void *method);

	/*
	 * What would `plan` bring for `method`, whose current version was built
	 * with `now`? Returns 0 and *out, or nonzero: not with this plan.
	 *
	 * Thread: P/O only. Must be quick: no build, no I/O.
	 */
	int  (*estimate)(void *ctx, void *method, enum cof_plan now,
			 enum cof_plan plan, struct cof_estimate *out);

	/*
	 * Gather the method's IR; libcof keeps the handle and passes it to
	 * every build() of the method, until drop(). NULL: cannot; counted.
	 *
	 * Thread: build workers, several at a time, never two for one method.
	 * May block. Must not call cof_stop() or cof_free().
	 */
	void *(*gather)(void *ctx, void *method);

	/*
	 * Build `ir` with `plan` and fill in *out. Returns 0, or nonzero:
	 * declined; counted, and not asked again for a while. `stop` points to
	 * a flag that turns nonzero, on another thread, when the result will
	 * not be used any more. out->size is set: fill in no more than that.
	 *
	 * Thread, blocking: as gather(). Owner: on 0 libcof holds *out, and
	 * calls discard() on it even if it never ran.
	 */
	int  (*build)(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		      struct cof_version_desc *out);

	/* Free a handle from gather(). Thread: a worker, P/O, or cof_free(). */
	void (*drop)(void *ctx, void *ir);

	/*
	 * No thread can be inside this version any more: forget what belongs
	 * to it (unwind tables, debug entries). Its code block is still mapped
	 * during the call; libcof frees it afterwards.
	 *
	 * Thread: P/O, or the caller of cof_stop() or cof_free().
	 */
	void (*discard)(void *ctx, void *version);

	/*
	 * One decision, as a line without newline, for option `verbose`.
	 *
	 * Thread: any of libcof's, one at a time.
	 */
	void (*log)(void *ctx, const char *line);

	/* Fields above: 0.1. Add below, never between. */
};

/* -- Life ------------------------------------------------------------------- */

/*
 * Create an instance. `options` is "name=value,name=value" or NULL; options in
 * the environment variable COF_OPTIONS come first, so `options` wins.
 * `mode=off` creates no thread, timer or signal handler; code memory, stubs
 * and versions work the same.
 *
 * On success *out is the caller's, to be ended with cof_stop() and cof_free().
 * On error *out is NULL, nothing is left running, and `why`, if not NULL (at
 * least COF_WHY_BYTES), holds one line that says what is wrong.
 *
 * Errors: -COF_E_INVAL (host or option), -COF_E_NOMEM, -COF_E_PERM.
 */
#define COF_WHY_BYTES 160
COF_API int cof_start(const struct cof_host *host, const char *options,
		      char *why, struct cof **out);

/*
 * End the loop: join every thread of ours, delete every timer. Code stays where
 * it is, patched as it is, and threads may go on running it; the stats file
 * stays readable until cof_free(). Blocks for at most one build (see `stop` in
 * build()). NULL and a second call are fine.
 */
COF_API void cof_stop(struct cof *cof);

/*
 * For a host whose process is about to end, in the place of cof_stop():
 * sampling ends and the stats file says so, and nothing is waited for. Builds
 * that run go on until the process is gone, so cof_stop() and cof_free() do
 * nothing any more. NULL is fine.
 */
COF_API void cof_exit(struct cof *cof);

/*
 * Free everything, calling drop() and discard() for all there is. No thread may
 * be inside the instance's code or call into it any more. NULL is fine.
 */
COF_API void cof_free(struct cof *cof);

/* What the host runs, as a name or path; shown by cof-stats --list. Copied. */
COF_API void cof_program(struct cof *cof, const char *name);

/*
 * A line of the host's own for the host's log, in order with libcof's; dropped
 * unless option verbose is on.
 */
COF_API void cof_say(struct cof *cof, const char *line);

/* -- Threads ---------------------------------------------------------------- */

/*
 * Attach the calling thread: from now on it is sampled, and its stack is
 * searched before code is freed. Every thread that runs the instance's code
 * must be attached meanwhile. [lo, hi) is its stack; NULL, NULL: ask the
 * system. Attaching an attached thread is -COF_E_STATE.
 */
COF_API int  cof_thread_attach(struct cof *cof, const void *stack_lo,
			       const void *stack_hi);

/* Undo. The thread may not be inside the instance's code any more. */
COF_API void cof_thread_detach(struct cof *cof);

/*
 * List, or take off, a stack that is no thread's own: a fiber, a coroutine, an
 * alternate signal stack. All of it is searched before code is freed. Add it
 * before anything runs there, remove it before it is unmapped.
 *
 * A stack that is not listed is not searched. A thread that is seen *running*
 * on one only puts reclaim off; but of a fiber that is *suspended* on one
 * nothing is known, and the code it is in may be freed under it. A host that
 * cannot list its stacks must call cof_reclaim_disable().
 *
 * Errors: -COF_E_INVAL (empty, or overlaps a listed one), -COF_E_STATE (one
 * that begins at `lo` is listed), -COF_E_NOMEM.
 */
COF_API int  cof_stack_add(struct cof *cof, const void *lo, const void *hi);
COF_API void cof_stack_remove(struct cof *cof, const void *lo);

/* Never free code again: the host met something that stacks cannot show. */
COF_API void cof_reclaim_disable(struct cof *cof, const char *why);

/* -- Methods and versions --------------------------------------------------- */

/*
 * A new method, without a version. `name` is copied. `data` is the host's. The
 * method has a stub; calling it before the first cof_version_add() goes to
 * host->first_call().
 */
COF_API int  cof_method_add(struct cof *cof, const char *name, void *data,
			    struct cof_method **out);

/*
 * The method's address: what function pointers and vtables hold, 16-byte
 * aligned, the same for the method's whole life.
 */
COF_API void *cof_method_stub(const struct cof_method *method);

/*
 * The entry of the current version, or NULL if there is none yet. Not to be
 * kept: it is good until the next version. Once asked for, this method's old
 * code is freed only at times when no attached thread sleeps.
 */
COF_API void *cof_method_entry(const struct cof_method *method);

COF_API void *cof_method_data(const struct cof_method *method);
COF_API const char *cof_method_name(const struct cof_method *method);

/*
 * A word of the host's that holds the address callers of `method` jump through.
 * libcof keeps the current entry in it, with a release store, as long as the
 * word holds what libcof last put there; once the host changes it, it is the
 * host's. The word must stay valid until cof_slot_remove() or cof_free(). What
 * is still libcof's then is left holding the stub.
 */
COF_API int  cof_slot_add(struct cof_method *method, void **slot);
COF_API void cof_slot_remove(struct cof_method *method, void **slot);

/*
 * The method has a new current version, made by the host. The former one, if
 * any, is retired. If two threads raced for the first version the later one
 * wins; both are correct.
 *
 * Errors: -COF_E_INVAL (outside, overlapping or empty range), -COF_E_NOMEM:
 * then desc->block is still the caller's.
 */
COF_API int  cof_version_add(struct cof_method *method,
			     const struct cof_version_desc *desc);

/*
 * Which version holds this address? Fills in the method and the version's
 * number (0 is the first) and returns 1, or 0: no code of ours. `in` may be a
 * return address minus 1.
 */
COF_API int  cof_version_find(struct cof *cof, const void *in,
			      struct cof_method **method, unsigned *number);

/* -- Code memory, for the host's versions and glue -------------------------- */

/*
 * A block of at least `size_bytes`, 64-byte aligned, filled with trap bytes.
 * -COF_E_NOMEM when the range is full.
 */
COF_API int  cof_code_alloc(struct cof *cof, size_t size_bytes,
			    enum cof_code_area area, struct cof_code *out);

/*
 * Give back a block that no version owns: one of a build that failed, or glue
 * of the host's. It may have run if nobody can be inside any more and no
 * address in it is held anywhere: libcof does not search for it. Its addresses
 * are used again only after a barrier on every processor, so this costs a
 * system call; should the kernel refuse that, they never are.
 */
COF_API void cof_code_free(struct cof *cof, const struct cof_code *block);

/*
 * Plain read-write memory in reach of a rel32 from any code, for data that code
 * addresses relative to itself. Zeroed, `align` a power of two up to a page.
 * Lives until cof_free().
 */
COF_API void *cof_data_alloc(struct cof *cof, size_t size_bytes, size_t align);

/*
 * A stub that belongs to no method and leads to `target`: an address that can
 * be retargeted. For ifuncs and the like. NULL: no room.
 */
COF_API void *cof_stub_new(struct cof *cof, const void *target);
COF_API void  cof_stub_retarget(struct cof *cof, void *stub, const void *target);

/* -- Signals ---------------------------------------------------------------- */

/*
 * libcof's sampling signal was installed over whatever handler was there, and
 * passes on what is not its own. A host that runs a program which may call
 * sigaction(2) itself routes that here, so that neither loses signals: for
 * the sampling signal the program's action is kept and chained to, for any
 * other this is sigaction(2), with its results and errno.
 */
struct sigaction;
COF_API int cof_sampling_signal(const struct cof *cof);
COF_API int cof_sigaction(int sig, const struct sigaction *act,
			  struct sigaction *old);

#ifdef __cplusplus
}
#endif
#endif /* COF_H */
