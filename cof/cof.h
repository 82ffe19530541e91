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
 * All of it is in this one file, which an embedder installs, includes and reads
 * from top to bottom: what a host hands over, what it is asked, how it starts,
 * then methods, versions, memory and threads.
 *
 * "No" is not an error. When libcof decides not to do something it counts a
 * reason (base/flow.def) and goes on; cof-stats shows the counts. libcof never
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
 * build and should run faster. PROFILE is asked for only from a host that has
 * instrument() and collect(), once a profile was collected.
 */
enum cof_plan {
	COF_PLAN_NONE    = 0,	/* tier 0: what the host compiles at first */
	COF_PLAN_STATIC  = 1,	/* what a static compiler would do, quickly */
	COF_PLAN_AVERAGE = 2,	/* the method alone, fully optimized */
	COF_PLAN_SPEED   = 3,	/* everything, callees inlined */
	COF_PLAN_PROFILE = 4,	/* as SPEED, guided by how it was seen to run */
	COF_PLAN_COUNT   = 5,
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
	struct cof_method *const *inlined; /* methods whose bodies are in this
				 * version, at any depth, each once: its time
				 * is compared with theirs. Copied */
	size_t      n_inlined;
	unsigned    proven_permille;	/* cached_version() only: measured in an earlier
				 * run, its speed over a version that was
				 * built with the plan proven_over; 1000: as
				 * fast; 0: it was not measured */
	enum cof_plan proven_over; /* of what is progress_permille too */
	unsigned    drift_permille;	/* cached_version() only: of what the profile given
				 * counted, so much counts differently in the
				 * one it was built from; 0: built from the
				 * same, or what was built from the one given
				 * was taken back */
	int         unseen;	/* cached_version() only: trial_result() said COF_TRIAL_UNSEEN */
	const uint64_t *entries; /* the code adds one here when it is entered,
				 * without a lock, so it may miss some; good
				 * for as long as the code. Samples in code
				 * that nobody enters are of frames that stay
				 * in a loop of it, which is when osr() is
				 * asked for while it is current. NULL: it
				 * does not count */
	unsigned    progress_permille; /* cached_version() only: what trial_progress() said last, */
	unsigned    progress_error;	/* 0: nothing */
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
	 * with `now`? Returns 0 and *out, or nonzero: not with this plan. For
	 * COF_PLAN_PROFILE the cost is that of instrument() and of the build.
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

	/*
	 * Profiles, in modes pgo, full and auto:
	 *
	 *	instrument() -> it runs, counting -> counted() says enough
	 *	  -> collect() -> build() or build_group() with PROFILE
	 *
	 * Build a version that counts how it runs: how often each branch goes
	 * which way, what its indirect calls lead to. It becomes the method's
	 * current version until the profile is collected; its plan is NONE,
	 * whatever out->plan says. Counting may lose counts to races, but may
	 * not make threads wait for each other. Called again for a method that
	 * has a profile, it begins anew: the old profile stays in use until
	 * the next collect().
	 *
	 * Returns 0, or nonzero: declined, counted, and not asked again for a
	 * while. `stop`, thread, blocking, owner: as build().
	 */
	int  (*instrument)(void *ctx, void *ir, const int *stop,
			   struct cof_version_desc *out);

	/*
	 * How much the version of the latest instrument() has counted so far:
	 * times it was entered plus times its loops went round. 0: nothing, or
	 * no such version.
	 *
	 * Thread: P/O only. Must be quick: called for each method that counts,
	 * several times a second.
	 */
	uint64_t (*counted)(void *ctx, void *method);

	/*
	 * Turn what was counted into the method's profile. Builds with
	 * COF_PLAN_PROFILE use it from then on: of the method alone, in a
	 * group, or where it is inlined. The counting version is not current
	 * any more, as a rule, but threads may still be inside; it is not
	 * discarded before this returns. Returns 0, or nonzero: no profile,
	 * nothing useful was counted; a former one stays.
	 *
	 * Thread, blocking: as build().
	 */
	int  (*collect)(void *ctx, void *ir);

	/*
	 * Build n methods, hot at the same time, as one unit: their calls of
	 * each other may be direct or inlined, and their code should lie
	 * together. `out` has n elements, .size set. An element whose .start is
	 * NULL on return: that method was declined, counted. Each of the others
	 * is a version by itself: installed, replaced and discarded without
	 * regard to the others. Each has a block of its own, or none; what they
	 * share is the host's, until the last one's discard().
	 *
	 * Returns 0, or nonzero: all declined, and nothing in `out` is looked
	 * at. NULL: each method is built by itself.
	 *
	 * `stop`, thread, blocking, owner: as build(). No other build, gather
	 * or collect of one of these methods runs meanwhile.
	 */
	int  (*build_group)(void *ctx, void *const *ir, size_t n,
			    enum cof_plan plan, const int *stop,
			    struct cof_version_desc *out);

	/*
	 * Threads stay inside `version` (its .data), which is not current any
	 * more, or which nobody enters any more (.entries of its description):
	 * a loop of it does not end. Build continuations of its hot loops
	 * with `plan`, and see to it that frames of `version` that reach such a
	 * loop go on in the continuation. *out is the continuations' code:
	 * libcof enters it into its index as a version of the method that never
	 * becomes current, and discards it like any other; the host must not
	 * lead a frame there once it was discarded.
	 *
	 * `version` is not discarded while this runs. Returns 0, or nonzero:
	 * cannot, and not asked again for this version and plan. Asked again
	 * after success: threads stay inside all the same, in other loops; or
	 * there is a better plan, and frames are to go on there from now on.
	 * The plan NONE means continuations that count, like the version of
	 * the latest instrument(). `stop`, thread, blocking, owner: as build().
	 *
	 * `out` NULL: the version is current again, so lead no more frames out
	 * of it. P/O; must be quick. `ir` may be NULL then.
	 */
	int  (*osr)(void *ctx, void *ir, void *version, enum cof_plan plan,
		    const int *stop, struct cof_version_desc *out);

	/*
	 * History, docs/history.md. What the program is: a hash of its content,
	 * 16 to 64 bytes; not its path, since programs change and move. What
	 * earlier runs of a program with equal bytes showed is what mode auto
	 * acts on. Read in cof_start() only. NULL: unknown; then nothing is
	 * remembered, and auto is full.
	 */
	const void *identity;
	size_t      identity_bytes;

	/*
	 * A hash of what the method is made of (its IR, not its address): a
	 * profile or plan of an earlier run is used for a method of the same
	 * name and shape only. 0 or NULL: unknown; the name is believed.
	 *
	 * Thread: P/O, or the caller of cof_version_add(), cof_stop() or
	 * cof_exit(). Must be quick: no build, no I/O.
	 */
	uint64_t (*shape)(void *ctx, void *method);

	/*
	 * Put the method's profile, from the latest collect() or
	 * profile_load(), into buf, as bytes that profile_load() of a later run
	 * understands. Returns how many bytes it takes; more than `bytes`:
	 * nothing was written, and it is asked again with room for so many. 0:
	 * it has no profile.
	 *
	 * Thread: P/O, or the caller of cof_stop() or cof_exit(); builds may
	 * run meanwhile, of this method too. Must be quick: no build, no I/O.
	 */
	size_t (*profile_save)(void *ctx, void *method, void *buf, size_t bytes);

	/*
	 * The method's profile from an earlier run, for builds with
	 * COF_PLAN_PROFILE without instrument() and collect(). The bytes come
	 * from a file: they are of this program and shape by all that is known,
	 * and yet may be anything. What they say may make code slow, never
	 * wrong. Returns 0, or nonzero: not a profile of this method.
	 *
	 * Thread, blocking: as build(), which comes next.
	 */
	int  (*profile_load)(void *ctx, void *method, const void *buf,
			     size_t bytes);

	/*
	 * Nothing was built for option idle_ms and nothing is being built, and
	 * all IR was dropped: give back memory that can be made, or read, again.
	 * NULL: the host keeps little, and IR stays gathered.
	 *
	 * Thread: P/O. May take some milliseconds. No gather, build, instrument,
	 * collect, osr or profile_load runs meanwhile; a first_call may.
	 */
	void (*release_idle)(void *ctx);

	/*
	 * Has the host kept, from an earlier run of the program, a version of
	 * `method` that was not taken back? Then fill in *out with the one it
	 * built from this very profile, else with the latest, and say how far
	 * its own is from this (drift_permille): nothing is gathered or built,
	 * and the bytes are the method's profile as if by profile_load(), which
	 * is called if it is worth another build. Returns 0, or nonzero:
	 * there is none, or it cannot be used. Owner: as build().
	 *
	 * Thread: P/O; the start of the program may wait for it (cof_ready()),
	 * so no more than a few ms for all.
	 */
	int  (*cached_version)(void *ctx, void *method, const void *profile,
		     size_t bytes, struct cof_version_desc *out);

	/*
	 * `version` (its .data), built with plan PROFILE or from cached_version(), came
	 * off so in its trial against one that was built with the plan `over`:
	 * it stays, and is `permille` as fast (1000: as fast); or not (`stays`
	 * 0), and cached_version() is not to bring it again. The latest call is what is
	 * known of it: the trial may go on, and `permille` be 0, for unproven.
	 * `stays` COF_TRIAL_UNSEEN: it stays, and threads never left it in time
	 * for the trial to see anything, nor would they in the next.
	 *
	 * Thread: P/O. Must be quick; it is not discarded meanwhile.
	 */
#define COF_TRIAL_UNSEEN 2
	void (*trial_result)(void *ctx, void *method, void *version, int stays,
		       unsigned permille, enum cof_plan over);

	/*
	 * A sample fell at `ip`, which no version holds. A host that does not
	 * hand over each method when it compiles it, since it has thousands and
	 * a few run, adds the one that holds it now (cof_method_add(),
	 * cof_version_add()) and returns nonzero; 0: it is no method's. The
	 * sample is then credited, or dropped, as any other. It is not asked
	 * about code of versions that were replaced: that is in the index until
	 * the last sample of it was looked up.
	 *
	 * Thread: SAM, under no lock of libcof's; cof_stop() and cof_exit()
	 * wait for a call that runs, so whoever calls them may hold no lock that
	 * it waits for. Called for each sample in native code, at most 256 times
	 * a round, so it must be quick: its CPU time counts as sampling's
	 * (option budget_permille). It may wait for the host's own locks;
	 * meanwhile no sample is taken off the rings. Not called in modes off
	 * and pgo, which do not sample.
	 */
	int  (*locate)(void *ctx, const void *ip);

	/*
	 * Code memory is to be in reach of a rel32 from this address, as near as
	 * there is room: for hosts whose own code is to call, or jump to, stubs.
	 * If there is none it lies anywhere; the first stub shows. NULL:
	 * anywhere.
	 */
	const void *near;

	/*
	 * Nonzero: cached_version() would bring nothing now, so nothing of an earlier run
	 * could be in before the program's first sample. Then mode auto leaves a
	 * program alone for its first moments (option auto_start_ms).
	 */
	int  no_cached_versions;

	/*
	 * In a trial that goes on `version` was so far `permille` as fast as one
	 * built with the plan `over`, with a standard error of so many
	 * thousandths (1 to 100). If cached_version() hands that back, the next run's trial
	 * goes on from there: most runs end before a trial does. The latest call
	 * counts. NULL: each run begins anew.
	 *
	 * Thread, blocking: as trial_result().
	 */
	void (*trial_progress)(void *ctx, void *method, void *version, unsigned permille,
		     unsigned error_permille, enum cof_plan over);

	/*
	 * Nonzero: fork(2) may leave code memory to parent and child as it is until
	 * one of them writes to it. To that end the host fills a block that it got
	 * from cof_code_alloc() where no fork can come between, as under a lock that
	 * it takes in pthread_atfork(3) hooks registered after cof_start(), and
	 * writes to none later while the loop is off. Else each fork copies it.
	 */
	int  fork_shares_code;

	/* Fields above: 0.1. Add below, never between. */
};

/* -- Life ------------------------------------------------------------------- */

/*
 * Create an instance. `options` is "name=value,name=value" or NULL; options in
 * the environment variable COF_OPTIONS come first, so `options` wins.
 *
 * Option mode: `off` creates no thread, timer or signal handler; code memory,
 * stubs and versions work the same. `pgo` samples nothing: every method is
 * instrumented once, when its first version was added, and built again with
 * its profile. `co` samples and predicts, and builds what is hot any number of
 * times. `full` is both: what is hot is instrumented first where that pays.
 * `auto`, the default, is full, guided by what earlier runs of the program
 * showed.
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
 * The host has loaded its program, and is about to enter it: methods that have a
 * version by now and that earlier runs found hot are to run, from their first
 * entry, what the host kept of them (cached_version()). Waits for that, for at most option
 * history_wait_ms. A host with cached_version() must call it: until then nothing that is
 * known is picked. NULL is fine.
 */
COF_API void cof_ready(struct cof *cof);

/*
 * End the loop: join every thread of ours, delete every timer. Code stays where
 * it is, patched as it is, and threads may go on running it; the stats file
 * stays readable until cof_free(). Blocks for at most one build (see `stop` in
 * build()), one locate() and option history_wait_ms. NULL and a second call are
 * fine.
 */
COF_API void cof_stop(struct cof *cof);

/*
 * For a host whose process is about to end, in the place of cof_stop():
 * sampling ends and the stats file says so, and nothing is waited for but a
 * locate() that runs, and the record for the history, for at most option
 * history_wait_ms. Builds that run
 * go on until the process is gone, so cof_stop() and cof_free() do nothing any
 * more. NULL is fine.
 */
COF_API void cof_exit(struct cof *cof);

/*
 * The same for who calls _exit(2): async-signal-safe, under any lock, and in a child,
 * vfork(2)'s too, it does nothing. The record is made on a thread of libcof's, for
 * which this waits for at most twice history_wait_ms. In mode pgo there is none.
 */
COF_API void cof_exit_async_safe(struct cof *cof);

/*
 * Free everything, calling drop() and discard() for all there is. No thread may
 * be inside the instance's code or call into it any more. NULL is fine.
 */
COF_API void cof_free(struct cof *cof);

/* How long cof_start() was at the history (option history_wait_ms), in ns: for a
 * host that says where its start-up goes. */
COF_API uint64_t cof_history_waited_ns(const struct cof *cof);

/* What the host runs, as a name or path; shown by cof-stats --list. Copied. */
COF_API void cof_program(struct cof *cof, const char *name);

/*
 * A line of the host's own for the host's log, in order with libcof's; dropped
 * unless option verbose is on.
 */
COF_API void cof_log_line(struct cof *cof, const char *line);

/*
 * Is every method to be added as soon as the host has compiled it? Nonzero in mode
 * pgo, which has no samples by which locate() would learn of those that matter.
 */
COF_API int cof_wants_every_method(const struct cof *cof);

/* -- Threads ---------------------------------------------------------------- */

/*
 * Attach the calling thread: from now on it is sampled, and its stack is
 * searched before code is freed. Every thread that runs the instance's code
 * must be attached meanwhile. [lo, hi) is its stack; NULL, NULL: ask the
 * system. Attaching an attached thread is -COF_E_STATE.
 *
 * A thread that ends attached is detached in the last but one of the rounds in which
 * destructors of its keys run (pthread_key_create(3)), so these may be code that is
 * sampled and replaced; in the last they may not.
 */
COF_API int  cof_thread_attach(struct cof *cof, const void *stack_lo,
			       const void *stack_hi);

/* Undo. The thread may not be inside the instance's code any more. */
COF_API void cof_thread_detach(struct cof *cof);

/*
 * Is the calling thread inside pthread_create(3) for one of libcof's own threads, or one
 * of cof_thread_create()? Then 1, else 0. For a host with a pthread_create() of its own
 * in front of libc's, which attaches or counts the program's: libcof's begin at any
 * time, on any thread.
 */
COF_API int  cof_creates_thread(void);

/*
 * A thread of the host's beside the program: run(arg), detached, with every signal
 * blocked from its first instruction. It is none of the program's: cof_creates_thread()
 * is 1 while it begins. 0, -COF_E_INVAL without a function, -COF_E_NOMEM.
 */
COF_API int  cof_thread_create(void *(*run)(void *arg), void *arg);

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

/*
 * While a compiler works, on whatever thread: what it allocates is libcof's, in an
 * arena of its own, and can go back to the system when it is done. Build workers
 * are inside already; a host that compiles elsewhere, on threads of the program
 * say, calls these around it. They nest, and need no instance. Only on jemalloc do
 * they do anything.
 */
COF_API void cof_compile_enter(void);
COF_API void cof_compile_leave(void);

/*
 * Call run(arg) on a thread of libcof's that has file descriptors of its own, at first
 * /dev/null as standard streams and no others, and wait for it. For a host that opens
 * files while the program runs: a descriptor that it has for a moment takes the number
 * of one that the program is just opening, and a program that closes what it did not
 * open closes it. What `run` opens is closed in it; and what the host or the program has
 * open is not there.
 *
 * Any thread, with any lock, that `run` does not take; inside cof_compile_enter(),
 * with all signals blocked and no point of cancellation. Runs on the calling thread if
 * there is no other to be had, in a fork's child, or without an instance (NULL); before
 * Linux 5.9 the descriptors are the program's.
 */
COF_API void cof_call_with_private_files(struct cof *cof, void (*run)(void *arg), void *arg);

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

/* How many samples the method ever got, in any version: how hot it is, next to
 * others. 0 without a sampler. Thread: any. */
COF_API uint64_t cof_method_samples(const struct cof_method *method);

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
 * The current version, the host's first one in memory of the host's own, is
 * called by an address that callers hold and nobody can take back from them. The
 * host has compiled it a second time, to [start, start + size_bytes) of `copy`,
 * in memory of its own too, and is about to overwrite the former entry with a jump
 * to the method's stub: from now on that leads to the copy, and when another
 * version becomes current, to that. Samples in either are the version's, and
 * cof_version_find() gives its number for either. Neither is freed before
 * cof_free(), which calls discard() for both: there are as many as methods were
 * found hot. Plan and lists of `copy` are not looked at; it may have no calls.
 *
 * Once for a method, before anything was built of it, in the first gather() for
 * example. Option dry_run does not concern it. On an error the entry must stay as
 * it is: -COF_E_STATE (not such a version, or there is a copy, or a fork's child
 * shares code memory), -COF_E_INVAL (a range that is empty or overlaps; a block or calls),
 * -COF_E_NOMEM: the copy is still the caller's. -COF_E_PERM: the kernel refuses
 * membarrier by now, and threads may be in the copy all the same, so it must stay
 * where it is.
 */
COF_API int  cof_version_copy(struct cof_method *method,
			      const struct cof_version_desc *copy);

/*
 * Which version holds this address? Fills in the method and the version's
 * number (0 is the first) and returns 1, or 0: no code of ours; locate() is not
 * asked. `in` may be a return address minus 1.
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
