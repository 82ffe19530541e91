/*
 * threads.c - Mono's profiler events; each comes on the thread it is about
 */
#include "vm/threads.h"

#include <string.h>

#include <mono/metadata/assembly.h>

#include "vm/host.h"

/* The first thread began before Mono and is attached already: -COF_E_STATE.
 * Code that a thread may be in that is not searched must stay. */
static void started(MonoProfiler *ctx, uintptr_t tid)
{
	struct cof *cof = ((struct cofm *)ctx)->cof;
	int err = cof_thread_attach(cof, NULL, NULL);

	(void)tid;
	if (err != 0 && err != -COF_E_STATE)
		cof_reclaim_disable(cof, "a thread could not be attached");
}

static void stopped(MonoProfiler *ctx, uintptr_t tid)
{
	(void)tid;
	cof_thread_detach(((struct cofm *)ctx)->cof);
}

/* The continuations of Mono.Tasklets are stacks that are saved among the
 * program's objects. Libcof cannot search them, so code can never be freed. */
static void loaded(MonoProfiler *ctx, MonoAssembly *assembly)
{
	const char *name = mono_assembly_name_get_name(
		mono_assembly_get_name(assembly));

	if (strcmp(name, "Mono.Tasklets") == 0)
		cof_reclaim_disable(((struct cofm *)ctx)->cof, name);
}

void cofm_threads_follow(struct cofm *host)
{
	mono_profiler_set_assembly_loaded_callback(host->profiler, loaded);
	mono_profiler_set_thread_started_callback(host->profiler, started);
	mono_profiler_set_thread_stopped_callback(host->profiler, stopped);
}
