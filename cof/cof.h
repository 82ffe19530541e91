/*
 * cof.h - continuous optimization for a running JIT
 *
 *	sample  ->  predict  ->  optimize  ->  patch  ->  reclaim
 *
 * libcof watches compiled code run, predicts what will be hot, asks the runtime
 * that embeds it (the host) to build that code again, swaps the new code in
 * while the program runs, and frees the old code once no thread can be inside.
 * libcof is an adviser: if it is stopped, fails or gets no CPU time, the
 * program runs exactly as its host compiled it.
 *
 * Words: a method is what the host calls a function. A version is one compiled
 * body of a method. A method's address is its stub, which never changes and
 * leads to the current version. docs/glossary.md has the others.
 *
 * Unless a comment says otherwise:
 *   thread     any thread may call, but not a signal handler;
 *   blocking   a call may wait for a short critical section of another thread,
 *              never for a build, a sample or the end of a generation;
 *   pointers   are borrowed for the length of the call;
 *   errors     0 is success, a negative value is -enum cof_err;
 *   units      are in the name: _ns, _hz, _bytes; a plain count has none;
 *   structs    with a .size: the caller sets it to sizeof. Fields that the
 *              caller was not compiled with read as zero, so new fields are
 *              added at the end only.
 *
 * This file is the whole interface, in reading order: what a host hands over,
 * what it is asked, how it starts, then threads, methods, versions and memory.
 *
 * "No" is not an error. When libcof decides not to do something, it counts a
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

/*
 * The number of the interface. It is raised with each release in which a
 * function, a field or a value is new, so a host that needs what N brought
 * checks COF_API_VERSION >= N when it is compiled and cof_api_version() >= N
 * when it runs. What is removed or changes its meaning changes the SONAME.
 */
#define COF_API_VERSION 1

/*
 * COF_VERSION_STRING and COF_API_VERSION of the library that is loaded, which
 * may be newer than this header. From any thread, a signal handler too.
 */
COF_API const char *cof_version(void);
COF_API int cof_api_version(void);

enum cof_err {
	COF_E_INVAL = 1,	/* an argument or an option is wrong */
	COF_E_NOMEM = 2,	/* (code) memory ran out; nothing changed */
	COF_E_PERM  = 3,	/* the kernel refuses what libcof must have */
	COF_E_STATE = 4,	/* not now: not started, or already stopped */
};

struct cof;			/* one libcof instance */
struct cof_thread;		/* a guest thread that is attached */
struct cof_method;		/* the same for all its versions */
struct cof_version;		/* one compiled body of a method */

/*
 * A plan: which set of optimizations to build a version with. The host decides
 * what each plan means. libcof only knows that a later plan costs more to build
 * and should run faster. libcof asks for PROFILE only if the host has
 * instrument() and collect(), and once a profile was collected.
 */
enum cof_plan {
	COF_PLAN_NONE    = 0,	/* tier 0: what the host compiles at first */
	COF_PLAN_STATIC  = 1,	/* what a static compiler would do, quickly */
	COF_PLAN_AVERAGE = 2,	/* the method alone, fully optimized */
	COF_PLAN_SPEED   = 3,	/* everything, callees inlined */
	COF_PLAN_PROFILE = 4,	/* as SPEED, guided by the method's profile */
	COF_PLAN_COUNT   = 5,
};

/* -- Code memory ----------------------------------------------------------- */

/*
 * A block of code memory. The same bytes are mapped twice: the host writes them
 * through `write`, and threads run them at `exec`. No address is ever both
 * writable and executable. All blocks of an instance lie in one range, so a
 * rel32 reaches from any block to any other.
 */
struct cof_code {
	void  *write;
	void  *exec;
	size_t size_bytes;	/* as allocated: at least as requested */
};

/* Where a block goes: hot versions are packed together. */
enum cof_code_area {
	COF_CODE_FIRST,		/* tier 0 and glue */
	COF_CODE_HOT,		/* versions that libcof asked for */
};

/* -- The host -------------------------------------------------------------- */

/* What a host expects of a plan. */
struct cof_estimate {
	double   speedup;	/* expected speed over the current version, as a
				 * ratio; 0 or less: not worth a build */
	uint64_t cost_ns;	/* expected CPU time of the build */
};

/* A direct call in a version: `call rel32` or `jmp rel32` to another method. */
struct cof_call_site {
	void              *rel32;	/* run-time address of the 4 bytes of
					 * displacement, inside the version */
	struct cof_method *callee;
};

/*
 * One compiled body of a method. All code ranges are run-time addresses.
 *
 * libcof binds `calls`: to the callee's current version if the 4 bytes do not
 * cross a cache line, else to the callee's stub. It does so again whenever the
 * callee's current version changes. The host need not fill the displacements
 * in. Only code in memory from cof_code_alloc() may have calls. The array
 * that build() stores in `calls` must stay readable until discard().
 */
struct cof_version_desc {
	size_t      size;	/* sizeof(struct cof_version_desc) */
	const void *start;	/* [start, start + size_bytes) is this version's
				 * code, in samples and on stacks */
	size_t      size_bytes;
	const void *entry;	/* where callers go; NULL: start */
	enum cof_plan plan;
	void       *data;	/* the host's; passed to discard() */
	struct cof_code block;	/* from cof_code_alloc(); libcof owns it once
				 * the call succeeded. .exec NULL: the host's
				 * own memory, which discard() frees */
	const struct cof_call_site *calls;
	size_t      n_calls;
	const void *eh_frame;	/* unwinding info, for the call stacks of
				 * samples (option stack_depth): an .eh_frame
				 * section in place. Copied. NULL: none */
	size_t      eh_frame_bytes;
	struct cof_method *const *inlined; /* the methods whose bodies are in
				 * this version, at any depth, each once. A
				 * trial compares the version's time with
				 * theirs. Copied */
	size_t      n_inlined;

	/*
	 * Filled in by cached_version() only. proven_permille: this version's
	 * speed, as an earlier run measured it, in thousandths of the speed of
	 * a version of plan proven_over. 1000: as fast; 0: not measured.
	 */
	unsigned    proven_permille;
	enum cof_plan proven_over; /* progress_permille is over it too */

	/*
	 * cached_version() only: how much the profile this version was built
	 * from differs from the profile passed in, as the share of edge counts
	 * not in common. 0: they are the same, or a version built from the
	 * newer profile was rolled back before.
	 */
	unsigned    drift_permille;

	/* cached_version() only: trial_result() said COF_TRIAL_UNSEEN. */
	int         unseen;

	/*
	 * The code adds one here each time it is entered. It takes no lock, so
	 * it may miss some. The counter must be valid for as long as the code.
	 * If a version has samples while no thread enters it, a frame is stuck
	 * in one of its loops, and libcof asks for osr() although the version
	 * is current. NULL: the code does not count.
	 */
	const uint64_t *entries;

	/* cached_version() only: as trial_progress() said last; 0: nothing. */
	unsigned    progress_permille;
	unsigned    progress_error;

	/*
	 * Nonzero: the code is the same, byte for byte, as that of the method's
	 * first version, of which there is a copy (cof_version_copy()). Then
	 * callers may come to either, so libcof asks for entry_direct(), and
	 * tries neither against the other.
	 */
	int         same_as_first;
	/* Fields above: 0.1. Add below, never between. */
};

/* Why a host leaves a method as it is. */
struct cof_reason {
	const char *name;	/* as drops of cof-stats: NO_ROOM */
	const char *text;	/* "because ...": a line of cof-stats */
};

/*
 * What libcof needs from a runtime. cof_start() copies the struct; ctx must
 * outlive cof_free(). A NULL callback means that the host cannot do that.
 * `method` and `version` arguments are the .data pointers that the host gave.
 */
struct cof_host {
	size_t      size;	/* sizeof(struct cof_host) */
	const char *name;	/* "llvm", "mono"; shown by cof-stats; static */
	void       *ctx;	/* first argument of every call below */

	/*
	 * A thread called the stub of a method that has no version yet. Build
	 * one and cof_version_add() it. If the host cannot, it must not return:
	 * it ends the program as its language demands.
	 *
	 * Thread: the guest thread that made the call, with all argument
	 * registers saved and all signals blocked, on a stack of libcof's of
	 * 256 KiB. Several threads may call for one method at a time. May
	 * block.
	 */
	void (*first_call)(void *ctx, void *method);

	/*
	 * Estimate what `plan` would bring for `method`, whose current version
	 * was built with `now`. Returns 0 and *out, or nonzero: not with this
	 * plan. The cost of COF_PLAN_PROFILE includes instrument().
	 *
	 * Thread: P/O only. Must be quick: no build, no I/O.
	 */
	int  (*estimate)(void *ctx, void *method, enum cof_plan now,
			 enum cof_plan plan, struct cof_estimate *out);

	/*
	 * Gather the method's IR. libcof keeps the handle, and passes it to
	 * every build() of the method until drop(); after a release_idle() it
	 * gathers anew. Returns NULL if it cannot;
	 * libcof counts that.
	 *
	 * Thread: build workers, several at a time, never two for one method.
	 * May block. Must not call cof_stop() or cof_free().
	 */
	void *(*gather)(void *ctx, void *method);

	/*
	 * Build `ir` with `plan` and fill in *out. Returns 0, or nonzero: the
	 * host declines. libcof counts that and does not ask again for a while.
	 * Another thread sets *stop to nonzero once the result will not be
	 * used. libcof has set out->size: fill in no more than that.
	 *
	 * Thread, blocking: as gather(). Owner: on 0 libcof holds *out, and
	 * calls discard() on it even if it never ran.
	 */
	int  (*build)(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		      struct cof_version_desc *out);

	/* Free a handle from gather(). Thread: a worker, P/O, or cof_free(). */
	void (*drop)(void *ctx, void *ir);

	/*
	 * No thread can be inside this version any more. Forget what belongs
	 * to it (unwind tables, debug entries). Its code block is still mapped
	 * during the call; libcof frees it afterwards.
	 *
	 * Thread: P/O, or the caller of cof_stop() or cof_free().
	 */
	void (*discard)(void *ctx, void *version);

	/*
	 * Write one decision, a line without newline. For option `verbose`.
	 *
	 * Thread: any of libcof's, one at a time.
	 */
	void (*log)(void *ctx, const char *line);

	/*
	 * Profiles, in modes pgo, full and auto:
	 *
	 *	instrument() -> it runs and counts -> counted() says enough
	 *	  -> collect() -> build() or build_unit() with PROFILE
	 *
	 * Build an instrumented version: it counts how often each branch goes
	 * which way, and what its indirect calls lead to. It is the method's
	 * current version until the profile is collected. Its plan is NONE,
	 * whatever out->plan says. Counts may be lost to races, but threads may
	 * not wait for each other. If the method has a profile already,
	 * counting begins anew, and the old profile stays in use until the next
	 * collect().
	 *
	 * Result, `stop`, thread, blocking, owner: as build().
	 */
	int  (*instrument)(void *ctx, void *ir, const int *stop,
			   struct cof_version_desc *out);

	/*
	 * How much the version of the latest instrument() has counted so far:
	 * entries plus loop iterations. 0: nothing, or there is no such
	 * version.
	 *
	 * Thread: P/O only. Must be quick: called several times a second for
	 * each method that counts.
	 */
	uint64_t (*counted)(void *ctx, void *method);

	/*
	 * Make the method's profile from the counts. Builds with
	 * COF_PLAN_PROFILE use it from then on: of the method alone, in a unit,
	 * or where the method is inlined. As a rule the instrumented version is
	 * not current any more, but threads may still be inside. libcof does
	 * not discard it before this returns. Returns 0, or nonzero: nothing
	 * useful was counted, and a former profile stays.
	 *
	 * Thread, blocking: as build().
	 */
	int  (*collect)(void *ctx, void *ir);

	/*
	 * Build n methods, hot at the same time, as one unit. Their calls of
	 * each other may be direct or inlined, and their code should lie
	 * together. `out` has n elements, with .size set. If an element's
	 * .start is NULL on return, the host declined that method; libcof
	 * counts that. Each of the others is a version by itself: libcof
	 * installs, replaces and discards it without regard to the others. Each
	 * has a block of its own, or none. What they share is the host's, until
	 * the last one's discard().
	 *
	 * Returns 0, or nonzero: the host declined all, and libcof reads
	 * nothing in `out`. NULL: each method is built by itself.
	 *
	 * `stop`, thread, blocking, owner: as build(). No other build, gather
	 * or collect of one of these methods runs meanwhile.
	 */
	int  (*build_unit)(void *ctx, void *const *ir, size_t n,
			    enum cof_plan plan, const int *stop,
			    struct cof_version_desc *out);

	/*
	 * On-stack replacement. Frames are stuck in a loop of `version` (its
	 * .data), which is not current any more, or which no thread enters any
	 * more (.entries of its description). Build continuations of its hot
	 * loops with `plan`, and see to it that frames of `version` that reach
	 * such a loop go on in the continuation. *out is the continuations'
	 * code. libcof enters it into its index as a version of the method that
	 * never becomes current, and discards it like any other. The host must
	 * not lead a frame there once it was discarded.
	 *
	 * libcof does not discard `version` while this runs. Returns 0;
	 * -COF_E_STATE: no frame came to one of its loops meanwhile, since they
	 * come round seldom or the machine is busy, so the host goes on looking
	 * out for one, and is asked again later, less and less often; or
	 * another nonzero: the host cannot, and is not asked again for this
	 * version and plan. libcof asks again after success if frames are stuck
	 * in other loops, or if there is a better plan, in which frames are to
	 * go on from now on. Plan NONE asks for continuations that count, like
	 * the version of the latest instrument(). Where frames that stay in
	 * such code filled the profile, plan PROFILE comes after collect() and
	 * before build(). `stop`, thread, blocking, owner: as build().
	 *
	 * `out` NULL: the version is current again, so lead no more frames out
	 * of it, and look out for none. `ir` may be NULL then. Thread: P/O.
	 * Must be quick.
	 */
	int  (*osr)(void *ctx, void *ir, void *version, enum cof_plan plan,
		    const int *stop, struct cof_version_desc *out);

	/*
	 * For the history (docs/history.md): a hash of the program's content,
	 * 16 to 64 bytes; not its path, since programs change and move. Mode
	 * auto acts on what earlier runs of a program with equal bytes showed.
	 * cof_start() reads it, and nothing later does. NULL: unknown; then
	 * nothing is remembered, and auto is full.
	 */
	const void *identity;
	size_t      identity_bytes;

	/*
	 * A hash of what the method is made of (its IR, not its address).
	 * libcof uses a profile or plan of an earlier run only for a method of
	 * the same name and shape. 0 or NULL: unknown; the name suffices.
	 *
	 * Thread: P/O, or the caller of cof_version_add(), cof_stop() or
	 * cof_exit(). Must be quick: no build, no I/O.
	 */
	uint64_t (*shape)(void *ctx, void *method);

	/*
	 * Write the method's profile, from the latest collect() or
	 * profile_load(), to buf, as bytes that profile_load() of a later run
	 * understands. Returns the profile's size in bytes. If that is more
	 * than `bytes`, the host wrote nothing, and libcof asks again with room
	 * for so many. 0: the method has no profile.
	 *
	 * Thread: P/O, or the caller of cof_stop() or cof_exit(). Builds may
	 * run meanwhile, also of this method. Must be quick: no build, no I/O.
	 */
	size_t (*profile_save)(void *ctx, void *method, void *buf,
			       size_t bytes);

	/*
	 * Take the method's profile from an earlier run, for builds with
	 * COF_PLAN_PROFILE without instrument() and collect(). The bytes come
	 * from a file. They should be of this program and shape, but may be
	 * anything: a bad profile may make code slow, never wrong. Returns 0,
	 * or nonzero: not a profile of this method.
	 *
	 * Thread, blocking: as build(), which comes next.
	 */
	int  (*profile_load)(void *ctx, void *method, const void *buf,
			     size_t bytes);

	/*
	 * Give back memory whose content can be made, or read, again. Called
	 * when nothing was built for option idle_ms, nothing is being built,
	 * and all IR was dropped. NULL: the host keeps little, and IR stays
	 * gathered.
	 *
	 * Thread: P/O. May take some milliseconds. No gather, build,
	 * instrument, collect, osr or profile_load runs meanwhile; a first_call
	 * may.
	 */
	void (*release_idle)(void *ctx);

	/*
	 * Fill in *out with a version of `method` that the host cached in an
	 * earlier run of the program and that was not rolled back: the version
	 * built from this very profile, else the latest, with the difference
	 * between the two profiles (drift_permille). Nothing is gathered or
	 * built. The profile becomes the method's, as if by profile_load();
	 * libcof calls profile_load() if another build is worth it. Returns 0,
	 * or nonzero: there is no such version, or it cannot be used.
	 * -COF_E_STATE: another process may be building it just now, so libcof
	 * asks again in a while. Owner: as build().
	 *
	 * Thread: P/O. The start of the program may wait for it (cof_ready()),
	 * so all calls together should take no more than a few ms.
	 */
	int  (*cached_version)(void *ctx, void *method, const void *profile,
			       size_t bytes, struct cof_version_desc *out);

	/*
	 * What the trial of `version` (its .data) showed. The version was built
	 * with plan PROFILE, or came from cached_version(), and was compared
	 * with a version of plan `over`.
	 *
	 *	stays             permille   the version
	 *	nonzero           1 or more  stays; its speed is `permille`
	 *	                             thousandths of the other's
	 *	nonzero           0          stays; its speed is not proven
	 *	COF_TRIAL_UNSEEN             stays; threads did not leave it in
	 *	                             time for the trial to see anything,
	 *	                             nor would they in the next trial
	 *	0                            was rolled back; cached_version()
	 *	                             must not return it again
	 *
	 * The latest call counts. The trial may go on after it.
	 *
	 * Thread: P/O. Must be quick. libcof does not discard the version
	 * meanwhile.
	 */
#define COF_TRIAL_UNSEEN 2
	void (*trial_result)(void *ctx, void *method, void *version, int stays,
			     unsigned permille, enum cof_plan over);

	/*
	 * A sample fell at `ip`, which no version holds. For a host that does
	 * not add each method when it compiles it, since it has thousands and
	 * few of them run. Such a host now adds the method that holds `ip`
	 * (cof_method_add(), cof_version_add()) and returns nonzero. 0: no
	 * method holds it. libcof then credits or drops the sample as any
	 * other. libcof does not ask about code of versions that were replaced:
	 * that is in the index until the last sample of it was looked up.
	 *
	 * Thread: SAM, under no lock of libcof's. cof_stop() and cof_exit()
	 * wait for a call that runs, so their caller may hold no lock that
	 * locate() waits for. Called for each sample in native code, at most
	 * 256 times a round, so it must be quick: its CPU time counts as
	 * sampling's (option budget_permille). It may wait for the host's own
	 * locks; meanwhile SAM takes no sample off the rings. Not called in
	 * mode off, nor in mode pgo without adds_uncalled: there are no
	 * samples.
	 */
	int  (*locate)(void *ctx, const void *ip);

	/*
	 * Code memory is to be in reach of a rel32 from this address, as near
	 * as there is room: for hosts whose own code is to call, or jump to,
	 * stubs. If there is no room, code memory lies anywhere; the address of
	 * the first stub shows which. NULL: anywhere.
	 */
	const void *near;

	/*
	 * Nonzero: the host has no cached version of this program now, so no
	 * version of an earlier run could be current before the first sample.
	 * Then mode auto leaves the program alone for its first moments (option
	 * auto_start_ms).
	 */
	int  no_cached_versions;

	/*
	 * A trial goes on. So far the speed of `version` was `permille`
	 * thousandths of that of a version of plan `over`, with a standard
	 * error of `error_permille` thousandths (1 to 100). If cached_version()
	 * hands that back, the next run's trial goes on from there: most runs
	 * end before a trial does. The latest call counts. NULL: the trials of
	 * each run begin anew.
	 *
	 * Thread, blocking: as trial_result().
	 */
	void (*trial_progress)(void *ctx, void *method, void *version,
			       unsigned permille, unsigned error_permille,
			       enum cof_plan over);

	/*
	 * 0: each fork(2) copies code memory. Nonzero: parent and child may
	 * share it until one of them writes to it, because the host keeps two
	 * rules:
	 *
	 *	No fork can come while the host fills a block from
	 *	cof_code_alloc(). It may hold a lock then, for example, which it
	 *	also takes in pthread_atfork(3) hooks registered after
	 *	cof_start().
	 *
	 *	While the loop is off, the host writes to no block that it has
	 *	filled.
	 */
	int  fork_shares_code;

	/*
	 * The program's last thread has ended by exit(2) itself, past libc, and
	 * libcof's threads alone keep the process. The host does what it does
	 * before _exit(2), as cof_exit_async_safe(), and ends the process with
	 * this exit status, which is what it would be without libcof's threads.
	 * It does not return. NULL: such a process goes on for ever. Not called
	 * in mode off, whose process has no thread of libcof's.
	 *
	 * Thread: one of libcof's, within seconds. No thread of the program is
	 * left, and its locks may be held.
	 */
	void (*left_alone)(void *ctx, int status);

	/*
	 * In a child of fork(2), before the loop begins anew there (option
	 * fork_start_ms): the host drops what its threads, and libcof's, held
	 * in the parent. None of them is here, and a build may have been cut
	 * short anywhere: what only builds use, and its locks, are to be made
	 * anew. libcof forgets what it gathered. Threads of the program run
	 * meanwhile. Nonzero: the loop does not begin. NULL: it never does in
	 * a child.
	 *
	 * Thread: one of libcof's, made for that.
	 */
	int  (*child_begins)(void *ctx);

	/*
	 * Reasons of the host's own for leaving a method as it is, for
	 * cof_method_declined() and cof-stats; static. More than 10 are an
	 * error. NULL: it has none.
	 */
	const struct cof_reason *reasons;
	size_t      n_reasons;

	/*
	 * It is known which methods were hot in earlier runs. A host with
	 * locate() adds those of its methods now for which cof_was_hot() is
	 * nonzero, and that it has not added, with the version that they have.
	 * Else what earlier runs built would wait for samples. NULL: it does.
	 * Not called if none is known.
	 *
	 * Thread: the one that calls cof_ready(); SAM, if the history came
	 * after that. Under no lock of libcof's.
	 */
	void (*add_hot)(void *ctx);

	/*
	 * Nonzero: the host adds versions of methods that may never be called,
	 * such as all functions of native code. Then libcof samples in mode pgo
	 * too, and a method's turn is its first sample.
	 */
	int         adds_uncalled;

	/*
	 * Code of the program's outside of code memory, such as an executable's
	 * own. As in code memory, a thread that a signal finds there holds no
	 * lock of libc's; so the loop of a fork's child may begin there. NULL:
	 * there is none.
	 */
	const void *own_code;
	size_t      own_code_bytes;

	/*
	 * Nonzero: the process is a child of fork(2), and its parent had no
	 * instance at the fork. Its run counts as that of a child in which the
	 * loop begins anew: one without an end, since how much it does depends
	 * on when its parent ends it.
	 */
	int         is_child;

	/*
	 * Continuations of loops of `version` that the host cached in an
	 * earlier run, with the version that cached_version() gave as `newer`
	 * (both .data). The host leads frames there, and fills in *out, as
	 * osr() does with plan PROFILE, but nothing is gathered or built.
	 * Returns 0, or nonzero: there are none. NULL: there never are.
	 *
	 * Thread: P/O. All calls together should take no more than a few ms.
	 */
	int  (*cached_continuations)(void *ctx, void *method, void *version,
				     void *newer,
				     struct cof_version_desc *out);

	/*
	 * How many bytes begin at `near`: code memory is to be in reach of each
	 * of them, so that versions reach the data of the host's executable
	 * without the word of an address. 0: one.
	 */
	size_t near_bytes;

	/* Fields above: 0.1. Add below, never between. */

	/*
	 * For a host that calls cof_version_copy(). direct nonzero: the first
	 * version is what the method has, or one that is same_as_first, and
	 * nothing is being built: callers of the native code may come to it,
	 * without the host's jump. 0: another version is about to become
	 * current, so the jump has to be there again. Returns 0, or nonzero:
	 * that cannot be, and nothing has changed. NULL: the jump stays.
	 *
	 * Thread: P/O, no lock of libcof's held.
	 */
	int  (*entry_direct)(void *ctx, void *method, int direct);

	/*
	 * Nonzero: the host attaches each thread of the process that may come
	 * to code of a version, from before that to its end; libcof knows its
	 * own. While the process has another thread, no code is freed. 0: a
	 * thread that is not attached is in no version.
	 */
	int attaches_all;

	/*
	 * Trials of loops. Frames that stay in a loop are reached by no trial
	 * of versions, so two continuations take turns in them, which both
	 * count how often their loops go round. A host has all three or none;
	 * without them a continuation stays whatever it is worth.
	 *
	 * osr_try() is as osr(), and what it builds counts turns and can be
	 * left at its loops. libcof asks for one with plan PROFILE, then, with
	 * `version` that one, for another with a plan that needs no profile,
	 * and finally for what the better one is to become with osr().
	 * Nonzero, but not -COF_E_STATE, for plan PROFILE: libcof asks osr() in
	 * the same job.
	 */
	int  (*osr_try)(void *ctx, void *ir, void *version, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out);

	/*
	 * Lead frames of `from` that reach one of its loops to the continuation
	 * `to` of the same loop; to NULL: nowhere. Both are from osr_try()
	 * (.data), and `to` is the other's. What comes by afterwards goes
	 * there; a frame that comes at this moment may not. Returns 0, or
	 * nonzero: it cannot. Thread: P/O. Must be quick.
	 */
	int  (*osr_lead)(void *ctx, void *from, void *to);

	/* How often loops of `version`, which is from osr_try(), went round.
	 * Threads may count meanwhile. Thread: P/O. */
	uint64_t (*osr_turns)(void *ctx, void *version);

	/*
	 * An instrumented version of the method that the host has cached: fill
	 * in *out, as instrument() does, but nothing is gathered or built. It
	 * is for runs too short to build one, so with option finish
	 * instrument() is to cache what it makes, as far as cached_counting()
	 * has none. Returns 0, or nonzero: there is none. NULL: there never
	 * is. -COF_E_STATE as of cached_version().
	 *
	 * Thread: P/O. All calls together should take no more than a few ms.
	 */
	int  (*cached_counting)(void *ctx, void *method,
				struct cof_version_desc *out);

	/* Nonzero: what a run leaves is built after it (cof_unfinished()). So
	 * libcof need not spend on builds what a short run cannot spare. */
	int is_finished;

	/* CPU time in ns that the first build takes more than is estimated, as
	 * the host has its compiler to load. */
	uint64_t first_build_ns;
};

/* -- Life ------------------------------------------------------------------ */

/*
 * Create an instance. `options` is "name=value,name=value" or NULL. Options in
 * the environment variable COF_OPTIONS come first, so `options` wins.
 *
 *	option mode
 *	off    There is no thread, timer or signal handler. Code memory, stubs
 *	       and versions work the same.
 *	pgo    Nothing is sampled. Each method is instrumented once, when its
 *	       first version was added, and built again with its profile. If
 *	       the host adds what is never called (adds_uncalled), libcof
 *	       samples, and takes a method with its first sample.
 *	co     libcof samples, predicts, and builds what is hot any number of
 *	       times.
 *	full   Both: what is hot is instrumented first where that pays.
 *	auto   The default: full, guided by what earlier runs of the program
 *	       showed.
 *
 * On success *out is the caller's, to be ended with cof_stop() and cof_free().
 * On error *out is NULL and nothing is left running. `why`, if not NULL, has at
 * least COF_WHY_BYTES bytes, and holds one line that says what is wrong.
 *
 * Errors: -COF_E_INVAL (host or option), -COF_E_NOMEM, -COF_E_PERM.
 */
#define COF_WHY_BYTES 160
COF_API int cof_start(const struct cof_host *host, const char *options,
		      char *why, struct cof **out);

/*
 * The host has loaded its program and is about to enter it. For each method
 * that has a version by now and that earlier runs found hot, the host's cached
 * version (cached_version()) is to be current from the first entry on. Waits
 * for that, for at most option history_wait_ms. A host with cached_version()
 * must call this: before, P/O picks no method that is known to be hot. NULL is
 * fine.
 */
COF_API void cof_ready(struct cof *cof);

/*
 * End the loop: join every thread of libcof's, delete every timer. Code stays
 * where it is, patched as it is, and threads may go on running it. The stats
 * file stays readable until cof_free(). Blocks for at most one build (see
 * `stop` in build()), one locate() and option history_wait_ms. NULL and a
 * second call are fine.
 */
COF_API void cof_stop(struct cof *cof);

/*
 * As cof_stop(); and afterwards libcof makes no system call in this process,
 * not in threads that end nor around fork(2). For a program that is about to
 * have the kernel end it for system calls that it does not make itself
 * (seccomp(2)). No thread attaches afterwards: the host does not call
 * cof_thread_attach(), adds no version, and never calls cof_free(). NULL and a
 * second call are fine.
 */
COF_API void cof_quiesce(struct cof *cof);

/*
 * For a host whose process is about to end, in place of cof_stop(). Sampling
 * ends, and the stats file says so. Waits only for a locate() that runs, and
 * for the history's record, for at most option history_wait_ms. Builds that run
 * go on until the process is gone, so cof_stop() and cof_free() do nothing
 * afterwards. NULL is fine.
 */
COF_API void cof_exit(struct cof *cof);

/*
 * The same for a thread that is about to call _exit(2). Async-signal-safe, and
 * safe under any lock. In a child of vfork(2), and of fork(2) until the loop
 * has begun there, it does nothing. SAM's thread makes the history's record;
 * this waits for it for at most twice option history_wait_ms. Without that
 * thread (mode pgo without adds_uncalled) the call leaves no record.
 */
COF_API void cof_exit_async_safe(struct cof *cof);

/*
 * With option finish, after cof_ready(): wait until the host has built, and
 * cached, what earlier runs of the program left to be built, as far as it is
 * worth it. Returns how many versions were built. Another thread that calls
 * cof_stop() ends the wait. Without the option it returns 0 at once, as for
 * NULL.
 */
COF_API uint64_t cof_finish(struct cof *cof);

/*
 * With option auto_finish, after cof_exit() or cof_stop(): how many hot methods
 * did the run neither count, if the host has cached_counting(), nor build with
 * their counts, which the history now has? A host may have a process of its own
 * call cof_finish() for them. Without the option, without a history, and for
 * NULL it is 0.
 */
COF_API uint64_t cof_unfinished(const struct cof *cof);

/*
 * Free everything, and call drop() and discard() for all there is. No thread
 * may be inside the instance's code or call into it any more. NULL is fine.
 */
COF_API void cof_free(struct cof *cof);

/* Set the name or path of what the host runs, for cof-stats --list. Copied. */
COF_API void cof_program(struct cof *cof, const char *name);

/*
 * Pass a line of the host's own to log(), in order with libcof's lines. Does
 * nothing unless option verbose is on.
 */
COF_API void cof_log_line(struct cof *cof, const char *line);

/*
 * Is the host to add every method as soon as it has compiled it? Nonzero in
 * mode pgo without adds_uncalled: it has no samples, so libcof never calls
 * locate().
 */
COF_API int cof_wants_every_method(const struct cof *cof);

/*
 * Was a method of this name hot in earlier runs? For add_hot() of the host. 0
 * also if it is not known yet. Thread: any.
 */
COF_API int cof_was_hot(const struct cof *cof, const char *name);

/* -- Threads --------------------------------------------------------------- */

/*
 * Attach the calling thread. From now on libcof samples it, and searches its
 * stack before it frees code. A thread must be attached while it runs the
 * instance's code. [stack_lo, stack_hi) is its stack; NULL, NULL: ask the
 * system. Attaching an attached thread is -COF_E_STATE.
 *
 * A thread that ends attached is detached in the last but one of the rounds in
 * which its key destructors run (pthread_key_create(3)). So these destructors
 * may be code of the instance; in the last round they may not.
 */
COF_API int  cof_thread_attach(struct cof *cof, const void *stack_lo,
			       const void *stack_hi);

/*
 * The program's thread `tid` (gettid(2)) runs, and is to attach later, though
 * it may enter the instance's code before: no code is freed until it has. For a
 * host that cannot attach it from another thread. One at a time; 0: none. A
 * child of fork(2) waits for the thread that forked, if that is not attached.
 */
COF_API void cof_thread_expect(struct cof *cof, int tid);

/* Detach it. The thread may not be inside the instance's code any more. One
 * that is not attached is not expected any more. */
COF_API void cof_thread_detach(struct cof *cof);

/*
 * Returns 1 while the calling thread is inside pthread_create(3) for a thread
 * of libcof's own or of cof_thread_create(), else 0. For a host that puts a
 * pthread_create() of its own in front of libc's, to attach or count the
 * program's threads: libcof starts threads at any time, on any thread.
 */
COF_API int  cof_creates_thread(void);

/*
 * Start a thread of the host's own, beside the program's: run(arg), detached,
 * with every signal blocked from its first instruction. cof_creates_thread() is
 * 1 while it is created. Errors: -COF_E_INVAL (`run` is NULL), -COF_E_NOMEM.
 */
COF_API int  cof_thread_create(void *(*run)(void *arg), void *arg);

/*
 * List, or take off the list, a stack that is no thread's own: a fiber's, a
 * coroutine's, an alternate signal stack. libcof searches all of it before it
 * frees code. Add it before anything runs there; remove it before it is
 * unmapped.
 *
 * libcof does not search a stack that is not listed. If it sees a thread
 * *running* on such a stack, it puts reclaim off; if the host has never listed
 * any, it disables reclaim, unless that is the thread's alternate signal stack.
 * It knows nothing of a fiber that is *suspended* before that, and may free the
 * code under it. A host that cannot list its stacks must call
 * cof_reclaim_disable().
 *
 * Errors: -COF_E_INVAL (empty, or overlaps a listed stack), -COF_E_STATE (a
 * stack that begins at `lo` is listed), -COF_E_NOMEM.
 */
COF_API int  cof_stack_add(struct cof *cof, const void *lo, const void *hi);
COF_API void cof_stack_remove(struct cof *cof, const void *lo);

/*
 * Call run(arg) on a thread of libcof's that has file descriptors of its own,
 * and wait for it. At first these are /dev/null as standard streams, and no
 * others. For a host that opens files while the program runs: a descriptor that
 * is open for a moment takes the number that the program's own open(2) would
 * have got, and a program that closes what it did not open closes it. `run`
 * closes what it opens, and finds no descriptor that the host or the program
 * has open.
 *
 * Thread: any, with any lock that `run` does not take. `run` runs with
 * all signals blocked, and is no cancellation point.
 * It runs on the calling thread if there is no other thread to be had, in a
 * fork's child, and without an instance (NULL). Before Linux 5.9 the
 * descriptors are the program's.
 */
COF_API void cof_call_with_private_files(struct cof *cof,
					 void (*run)(void *arg), void *arg);

/*
 * Never free code again: the host met something that stacks cannot show. `why`
 * is a line for cof-stats. Copied.
 */
COF_API void cof_reclaim_disable(struct cof *cof, const char *why);

/* -- Methods and versions -------------------------------------------------- */

/*
 * Make a method, without a version. `name` is copied. `data` is the host's. The
 * method has a stub; a call of it before the first cof_version_add() goes to
 * host->first_call().
 */
COF_API int  cof_method_add(struct cof *cof, const char *name, void *data,
			    struct cof_method **out);

/*
 * The host is about to unload what the method belongs to: no thread is inside a
 * version of the method, and none will enter one. From now on the method has no
 * version, and its stub leads to a trap. libcof calls discard() for each
 * version that was there, for a copy (cof_version_copy()) and for the version
 * it is of, too. Until then the host may not free the code of that version. It
 * drops what is built of the method meanwhile.
 *
 * A later cof_version_add() gives the method its next life: with the same name
 * and address, and with what the history knows. cof_version_copy() may follow.
 *
 * Errors: -COF_E_NOMEM; -COF_E_STATE: nothing can be replaced now;
 * -COF_E_PERM: a fork's child shares code memory. After an error all is as
 * before, and the code has to stay.
 */
COF_API int cof_method_unload(struct cof_method *method);

/*
 * The method's address: what function pointers and vtables hold, 16-byte
 * aligned, the same for the method's whole life.
 */
COF_API void *cof_method_stub(const struct cof_method *method);

/*
 * A second stub of the method, which leads to the current version as the first
 * one does, and goes on doing so after cof_leave_alone(). Made when it
 * is first asked for. NULL: none is left.
 */
COF_API void *cof_method_second_stub(struct cof_method *method);

/*
 * The entry of the current version, or NULL if there is none yet. The host may
 * not keep it: it is valid until the next version. Once a host has asked for
 * it, libcof frees this method's old code only while no attached thread sleeps.
 */
COF_API void *cof_method_entry(const struct cof_method *method);

/*
 * For a host whose programs have native code that libcof has versions of: the
 * program is about to be able to write to that of the listed methods, as
 * libraries that hook functions do. `entry` is where it begins. From now on
 * stubs, direct calls and slots of these methods lead there, whatever their
 * versions are, and the host declines to build them. `list` is read during the
 * call only.
 *
 * Where the host has overwritten an entry (cof_version_copy()), it has restored
 * it by now, and its jump led to the second stub. A thread that is still on the
 * jump, and a program that has saved it, come to a version by that stub.
 *
 * A method whose current version may have one of them inlined goes back to its
 * first version, if that has a copy; for others `rebuild` is called, and the
 * host adds a version that has not. NULL: there are none. Versions that come
 * later and have one inlined are refused.
 *
 * Returns how many were not left alone before. Thread: any, no lock of libcof's
 * held.
 */
struct cof_own_entry {
	struct cof_method *method;
	const void        *entry;
};
COF_API int cof_leave_alone(struct cof *cof, const struct cof_own_entry *list,
			    size_t n,
			    void (*rebuild)(void *ctx, void *method),
			    void *ctx);

/* Is it one of these? Then the host must not inline it. NULL is none. */
COF_API int cof_method_is_left_alone(const struct cof_method *method);

COF_API void *cof_method_data(const struct cof_method *method);
COF_API const char *cof_method_name(const struct cof_method *method);

/*
 * How many samples the method ever got, in any version: how hot it is, next to
 * others. 0 without a sampler.
 */
COF_API uint64_t cof_method_samples(const struct cof_method *method);

/*
 * The method stays as it is for this reason of cof_host's, counted from 1. From
 * now on its samples are counted under it, for cof-stats. 0: for none of them,
 * any more. To libcof it says nothing: the host declines where it is asked.
 */
COF_API void cof_method_declined(struct cof_method *method, unsigned reason);

/*
 * List a slot: a word of the host's that callers of `method` jump through.
 * libcof keeps the current entry in it, with a release store, as long as the
 * word holds what libcof last put there. Once the host changes the word, libcof
 * leaves it alone. It must stay valid until cof_slot_remove() or cof_free().
 * These store the stub in a word that libcof still keeps.
 */
COF_API int  cof_slot_add(struct cof_method *method, void **slot);
COF_API void cof_slot_remove(struct cof_method *method, void **slot);

/*
 * Give the method a new current version, which the host made. The former one,
 * if any, is retired. If two threads race for the first version, the later one
 * wins; both are correct.
 *
 * Errors: -COF_E_INVAL (the range is empty, overlaps, or lies outside),
 * -COF_E_NOMEM. Then desc->block is still the caller's.
 */
COF_API int  cof_version_add(struct cof_method *method,
			     const struct cof_version_desc *desc);

/*
 * For a host whose callers hold the bare entry of a method's first version, so
 * that nothing can change where they go. That version is current, and lies in
 * the host's own memory. The host has compiled it a second time, to [start,
 * start + size_bytes) of `copy`, also in its own memory, and is about to
 * overwrite the former entry with a jump to the method's stub. From now on the
 * stub leads to the copy, and to another version once that becomes current.
 *
 * Samples in either are the version's, and cof_version_find() gives its number
 * for either. Neither is freed before cof_method_unload() or cof_free(), which
 * lead to discard() for both: there are as many copies as methods were found
 * hot. libcof does not read the plan and the lists of `copy`, which may have no
 * calls.
 *
 * The host calls this once in a method's life, before anything was built of it:
 * in the first gather(), for example. Option dry_run does not concern it. On an
 * error the entry must stay as it is:
 *
 *	-COF_E_STATE  there is no such version, there is a copy already, or a
 *	              fork's child shares code memory
 *	-COF_E_INVAL  the range is empty or overlaps; or there are a block or
 *	              calls
 *	-COF_E_NOMEM
 *	-COF_E_PERM   the kernel refuses membarrier by now. Threads may be in
 *	              the copy all the same, so it must stay where it is
 *
 * After all but -COF_E_PERM the copy is still the caller's.
 */
COF_API int  cof_version_copy(struct cof_method *method,
			      const struct cof_version_desc *copy);

/*
 * Which version holds this address? Fills in the method and the version's
 * number (0 is the first) and returns 1. 0: no version holds it; libcof does
 * not ask locate(). `in` may be a return address minus 1.
 */
COF_API int  cof_version_find(struct cof *cof, const void *in,
			      struct cof_method **method, unsigned *number);

/* -- Code memory, for the host's versions and glue ------------------------- */

/*
 * Allocate a block of at least `size_bytes`, 64-byte aligned, filled with trap
 * bytes. -COF_E_NOMEM: the range is full.
 */
COF_API int  cof_code_alloc(struct cof *cof, size_t size_bytes,
			    enum cof_code_area area, struct cof_code *out);

/*
 * Give back a block that no version owns: of a build that failed, or glue of
 * the host's. The block may have run, if no thread can be inside any more and
 * nothing holds an address in it: libcof does not search for that. libcof uses
 * its addresses again only after a barrier on every processor, so this costs a
 * system call. If the kernel refuses that call, libcof never uses them again.
 */
COF_API void cof_code_free(struct cof *cof, const struct cof_code *block);

/*
 * Allocate plain read-write memory in reach of a rel32 from any code, for data
 * that code addresses relative to itself. Zeroed; `align` is a power of two up
 * to a page. Valid until cof_free(). NULL: there is no room.
 */
COF_API void *cof_data_alloc(struct cof *cof, size_t size_bytes, size_t align);

/*
 * 1: a rel32 in any code reaches each byte of the host's `near`, `near_bytes`
 * long, and is reached from there. 0: there was no room, or near is NULL.
 */
COF_API int cof_is_near(const struct cof *cof);

/*
 * Make a stub that belongs to no method and leads to `target`, until
 * cof_stub_retarget() makes it lead elsewhere. For ifuncs and the like. NULL:
 * there is no room.
 */
COF_API void *cof_stub_new(struct cof *cof, const void *target);
COF_API void  cof_stub_retarget(struct cof *cof, void *stub,
				const void *target);

/* -- Signals --------------------------------------------------------------- */

/*
 * libcof installs the handler of its sampling signal over whatever handler was
 * there, and passes on signals that are not its own. If the program may call
 * sigaction(2), its host routes that call to cof_sigaction(), so that neither
 * loses signals. For the sampling signal libcof stores the program's action and
 * chains to it. For any other signal this is sigaction(2), with its results and
 * errno. cof_sampling_signal() is that signal's number; 0 in mode off.
 *
 * With the option signal=32 there is nothing to route: libc's functions cannot
 * handle, block or await this one. libc itself sets a handler for it in the
 * first pthread_cancel(3). A host whose program may call that then calls
 * cof_sampling_signal_check(), from any thread: libcof's handler goes on top,
 * and chains to libc's. Else there are no samples until libcof notices, in mode
 * pgo never. The handler stays after cof_stop(): libcof must not be unloaded
 * then.
 */
struct sigaction;
COF_API int cof_sampling_signal(const struct cof *cof);
COF_API void cof_sampling_signal_check(struct cof *cof);
COF_API int cof_sigaction(int sig, const struct sigaction *act,
			  struct sigaction *old);

#ifdef __cplusplus
}
#endif
#endif /* COF_H */
