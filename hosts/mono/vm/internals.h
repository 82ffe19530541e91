/*
 * internals.h - all that is used of Mono 6.8 and is not public
 *
 * The functions are in libmonosgen-2.0.a and are not exported. The offsets are
 * of the build that compile/check.c accepts (gdb's `ptype /o` on its debug
 * symbols).
 */
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <mono/metadata/object.h>
#include <mono/metadata/threads.h>
#include <mono/metadata/profiler.h>
#include <mono/metadata/class.h>
#include <mono/metadata/mono-debug.h>
#include <mono/utils/mono-error.h>

/* -- The compiler ---------------------------------------------------------- */

/* Returns a struct MonoCompile. Mono enters the code into its table, but no
 * call leads there. */
void    *mini_method_compile(MonoMethod *method, uint32_t opts,
			     MonoDomain *domain, int flags, int parts,
			     int aot_method_index);
void     mono_destroy_compile(void *cfg);

/* A bit of `flags`. Without it the compiler assumes that classes are
 * initialized. A method of another class that it inlines may then read fields
 * without a value. */
#define COFM_RUN_CCTORS 1

/* The linker's --wrap leads Mono's calls of it to the __wrap_ one. */
MonoBoolean __real_mono_runtime_class_init_full(MonoVTable *vtable,
						MonoError *error);
MonoBoolean __wrap_mono_runtime_class_init_full(MonoVTable *vtable,
						MonoError *error);
#define COFM_VTABLE_INITIALIZED 45	/* uint8_t */
#define COFM_ERROR_BYTES        80	/* Mono's own, less than the public */

/* NULL: Mono has not compiled it, or has it from an image. */
void    *mono_jit_find_compiled_method(MonoDomain *domain, MonoMethod *method);

uint32_t mono_parse_default_optimizations(const char *list);
uint32_t mono_get_optimizations_for_method(MonoMethod *method, uint32_t opt);
void     mono_jit_info_table_remove(MonoDomain *domain, MonoJitInfo *info);
void     mono_code_manager_destroy(void *manager);
void     __real_mono_code_manager_destroy(void *manager);
void     __wrap_mono_code_manager_destroy(void *manager);
MonoGenericContext *mono_method_get_context(MonoMethod *method);

void     mono_thread_hazardous_try_free_all(void);
/* mono_domain_set() makes a thread's pending abort anew in the other domain if
 * `migrate` is nonzero, and ends the process if that is being unloaded. */
void     mono_domain_set_internal_with_options(MonoDomain *domain,
					       mono_bool migrate);
void     mono_domain_lock(MonoDomain *domain);
void     mono_domain_unlock(MonoDomain *domain);

struct cofm_links { void *data; struct cofm_links *next; };	/* GSList */
struct cofm_jumps { struct cofm_links *first; };	/* MonoJumpList */
struct cofm_hash_iter { void *mono[8]; };		/* GHashTableIter */

struct cofm_links *monoeg_g_slist_delete_link(struct cofm_links *list,
					      struct cofm_links *link);
void monoeg_g_hash_table_iter_init(struct cofm_hash_iter *iter, void *hash);
int  monoeg_g_hash_table_iter_next(struct cofm_hash_iter *iter, void **key,
				   void **value);
void *monoeg_g_hash_table_lookup(void *hash, const void *key);
int  monoeg_g_hash_table_remove(void *hash, const void *key);

#define COFM_DOMAIN_CODE    48	/* its code manager */
#define COFM_DOMAIN_ID      188	/* int32_t */
#define COFM_DOMAIN_COPIES  320	/* int: of the table of records, besides it */
#define COFM_DOMAIN_TO_FREE 344	/* GSList * of MonoJitInfo */
#define COFM_DOMAIN_JIT    496	/* MonoJitDomainInfo *; in it, */
#define COFM_JIT_JUMPS     8	/* the table of MonoJumpList *, */
#define COFM_JIT_DYNAMIC   64	/* and of COFM_CFG_DYNAMIC, by method */

#define COFM_CFG_HEADER    8	/* MonoMethodHeader * */
#define COFM_CFG_BLOCKS    48	/* MonoBasicBlock *: the first */
#define COFM_CFG_JIT_INFO  120	/* MonoJitInfo * */
#define COFM_CFG_DYNAMIC   128	/* struct: code manager at 8 */
#define COFM_CFG_CODE      624	/* uint8_t * */
#define COFM_CFG_CODE_LEN  636	/* uint32_t */
#define COFM_CFG_EXCEPTION 860	/* int; 0: none */
#define COFM_DYNAMIC_CODE  8

#define COFM_HEADER_CODE   0	/* const uint8_t *: the IL */
#define COFM_HEADER_SIZE   8	/* uint32_t */

#define COFM_BLOCK_NEXT    8	/* MonoBasicBlock *: in the order of the code */
#define COFM_BLOCK_IL      56	/* const uint8_t *; NULL: the compiler's own */
#define COFM_BLOCK_NATIVE  68	/* int: offset of its code */
#define COFM_BLOCK_LENGTH  72	/* int */
#define COFM_BLOCK_REAL    248	/* uint32_t: IL offset in the method */

static inline void *cofm_pointer_at(const void *object, size_t offset)
{
	void *p;

	memcpy(&p, (const char *)object + offset, sizeof(p));
	return p;
}

static inline int32_t cofm_int_at(const void *object, size_t offset)
{
	int32_t v;

	memcpy(&v, (const char *)object + offset, sizeof(v));
	return v;
}

/* struct MonoMethod: flags of the metadata, and the JIT's bits. */
#define COFM_METHOD_IFLAGS 2	/* uint16_t */
#define COFM_METHOD_TOKEN  4	/* uint32_t */
#define COFM_METHOD_NAME   24	/* const char * */
#define COFM_METHOD_BITS   32	/* uint32_t */
#define COFM_BIT_INLINE_INFO (1u << 0)	/* Mono looked whether it can inline */
#define COFM_BIT_INLINE_FAIL (1u << 1)	/* and it cannot */
#define COFM_BIT_DYNAMIC     (1u << 9)	/* its code has a manager of its own */
#define COFM_BIT_INFLATED    (1u << 12)	/* an instance of a generic one */

/* struct MonoJitInfo: its sequence points. */
#define COFM_JIT_INFO_KIND   34	/* uint8_t */
#define COFM_JIT_INFO_IMAGE  0x20u	/* a bit of it: from an image */
#define COFM_JIT_INFO_FLAGS  35	/* uint8_t; Mono uses 6 bits of it */
#define COFM_JIT_INFO_POINTS 48	/* void * */

/* -- Places in the IL ------------------------------------------------------ */

struct _MonoDebugLineNumberEntry {
	uint32_t il_offset, native_offset;
};

MonoDebugSourceLocation *mono_debug_lookup_source_location_by_il(
	MonoMethod *method, uint32_t il_offset, MonoDomain *domain);

struct cofm_point {			/* SeqPoint */
	int32_t il_offset, native_offset, flags, next_offset, next_len;
};

struct cofm_point_iter {		/* SeqPointIterator */
	struct cofm_point point;
	uint8_t *at, *begin, *end;
	int32_t  has_debug_data;
};

void mono_seq_point_iterator_init(struct cofm_point_iter *iter, void *points);
MonoBoolean mono_seq_point_iterator_next(struct cofm_point_iter *iter);

/* -- Calls ----------------------------------------------------------------- */

/* What generated code calls through a trampoline; returns where to go on. */
typedef void *cofm_trampoline_fn(void *regs, uint8_t *after_call, void *method,
				 uint8_t *tramp);
#define COFM_TRAMPOLINE_JIT 0	/* of a call whose callee is not compiled yet */

/* The linker's --wrap leads Mono's calls of these to the __wrap_ ones. The last
 * leads the call that ends at `after_call` to `callee`. */
void *__real_mono_get_trampoline_func(int kind);
void *__wrap_mono_get_trampoline_func(int kind);
void  __real_mono_arch_patch_callsite(uint8_t *method, uint8_t *after_call,
				      uint8_t *callee);
void  __wrap_mono_arch_patch_callsite(uint8_t *method, uint8_t *after_call,
				      uint8_t *callee);

/* -- Generics -------------------------------------------------------------- */

typedef struct _MonoGenericInst MonoGenericInst;

struct _MonoGenericContext {
	MonoGenericInst *of_class, *of_method;
};

MonoGenericInst *mono_metadata_get_generic_inst(int n, MonoType **types);
MonoMethod *mono_class_inflate_generic_method_checked(
	MonoMethod *method, MonoGenericContext *context, MonoError *error);
MonoBoolean mono_method_is_generic_sharable_full(MonoMethod *method,
						 MonoBoolean variables,
						 MonoBoolean partial,
						 MonoBoolean value_types);
MonoMethod *mini_get_shared_method_full(MonoMethod *method, int flags,
					MonoError *error);

/* -- Threads and the world ------------------------------------------------- */

extern void *mono_jit_trace_calls;	/* option --trace's; NULL: none */

/* The linker's --wrap leads Mono's calls of these to the __wrap_ ones. */
typedef void cofm_hash_fn(void *key, void *value, void *arg);	/* GHFunc */
int   __real_mono_thread_info_sleep(uint32_t ms, MonoBoolean *alerted);
int   __wrap_mono_thread_info_sleep(uint32_t ms, MonoBoolean *alerted);

void  __real_mono_thread_info_safe_suspend_and_run(pthread_t id,
						   MonoBoolean interrupt,
						   void *run, void *arg);
void  __wrap_mono_thread_info_safe_suspend_and_run(pthread_t id,
						   MonoBoolean interrupt,
						   void *run, void *arg);
void  __real_ves_icall_System_Threading_Thread_GetStackTraces(
	void *threads, void *stacks, MonoError *error);
void  __wrap_ves_icall_System_Threading_Thread_GetStackTraces(
	void *threads, void *stacks, MonoError *error);
void  __real_mono_g_hash_table_foreach(void *hash, cofm_hash_fn *each,
				       void *arg);
void  __wrap_mono_g_hash_table_foreach(void *hash, cofm_hash_fn *each,
				       void *arg);
MonoBoolean __real_mono_gc_is_finalizer_internal_thread(void *thread);
MonoBoolean __wrap_mono_gc_is_finalizer_internal_thread(void *thread);
void  __real_mono_profiler_raise_thread_started(uintptr_t tid);
void  __wrap_mono_profiler_raise_thread_started(uintptr_t tid);
void  __real_mono_profiler_raise_thread_stopping(uintptr_t tid);
void  __wrap_mono_profiler_raise_thread_stopping(uintptr_t tid);
void  __real_mono_profiler_raise_thread_stopped(uintptr_t tid);
void  __wrap_mono_profiler_raise_thread_stopped(uintptr_t tid);

void  __real_mono_runtime_shutdown_stat_profiler(void);
void  __wrap_mono_runtime_shutdown_stat_profiler(void);
void  __real_mono_profiler_raise_runtime_shutdown_begin(void);
void  __wrap_mono_profiler_raise_runtime_shutdown_begin(void);

/* The first thing that Mono does to unload a domain. */
MonoBoolean __real_mono_threads_abort_appdomain_threads(MonoDomain *domain,
							int timeout_ms);
MonoBoolean __wrap_mono_threads_abort_appdomain_threads(MonoDomain *domain,
							int timeout_ms);

void *mono_threads_enter_gc_safe_region(void **stack);
void  mono_threads_exit_gc_safe_region(void *cookie, void **stack);
void  mono_thread_info_set_flags(uint32_t flags);
int   mono_threads_suspend_get_suspend_signal(void);
int   mono_threads_suspend_get_restart_signal(void);
int   mono_threads_suspend_get_abort_signal(void);
MonoBoolean mono_threads_is_hybrid_suspension_enabled(void);
MonoBoolean mono_threads_is_cooperative_suspension_enabled(void);
void  mono_thread_set_state(void *thread, uint32_t state);
/* Mono owns `name` from now on. */
void  mono_thread_set_name(void *thread, const char *name, size_t bytes,
			   const uint16_t *wide, int flags, MonoError *error);
void *mono_thread_internal_current(void);
void  sgen_gc_lock(void);
void  sgen_gc_unlock(void);
void  sgen_stop_world(int generation, MonoBoolean serial);
void  sgen_restart_world(int generation, MonoBoolean serial);

#define COFM_THREAD_BACKGROUND 4u	/* of mono_thread_set_state() */
/* Of mono_thread_info_set_flags(): no collection waits for the thread; Mono's
 * own profiler does not sample it. */
#define COFM_INFO_NO_GC        1u
#define COFM_INFO_NO_SAMPLE    2u

/* struct MonoInternalThread */
#define COFM_INTERNAL_ID       88	/* uint64_t: a pthread_t */
#define COFM_INTERNAL_FLAGS    208	/* size_t */
#define COFM_DONT_MANAGE       1u	/* when the program ends, Mono does not
					 * wait for, suspend or abort it */

/* What MONO_DEBUG and the debugger ask for. */
void *mini_get_debug_options(void);
#define COFM_DEBUG_DEBUGGED    24	/* int: make code for a debugger */

MonoBoolean mono_runtime_get_no_exec(void);

/* Does Mono interpret the IL? Then the records that it reports as compiled are
 * of the interpreter's code, and some reports have none. */
extern int mono_use_interpreter;

int  mono_main(int argc, char **argv);

/* Put the words of MONO_ENV_OPTIONS behind the first word of *argv, which
 * becomes another array. mono_main() does not do this. */
void mono_parse_env_options(int *argc, char ***argv);
char *mono_get_runtime_build_info(void);
