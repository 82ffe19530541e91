/*
 * preload.c - libcof-preload.so: the program's side of native programs
 *
 * `runtime` executes the program itself with this library in LD_PRELOAD. The
 * library is linked with libc alone. Where a function of libc has to be known
 * of, it defines one of that name and calls the next.
 */
#include <sys/auxv.h>

#include "preload/environment.h"
#include "preload/libc_calls.h"
#include "preload/native.h"
#include "preload/program_text.h"
#include "preload/rtld_next.h"
#include "preload/signal_stack.h"
#include "process/attach.h"
#include "process/exec_self.h"
#include "process/finish.h"
#include "process/finisher.h"
#include "process/last_exit.h"
#include "process/own_path.h"
#include "process/start.h"

/*
 * Before all other constructors (-z initfirst): they read the environment, and
 * may start threads. The dynamic linker does not load this library where rights
 * are more than the user's, unless it lies in the system's folder.
 */
__attribute__((constructor))
static void begin(int argc, char **argv, char **envp)
{
	const struct environment *env;

	(void)argc;
	(void)argv;
	rtld_next_init();
	libc_calls_bind();
	if (getauxval(AT_SECURE) != 0)
		return;
	env = environment_take(envp);
	if (env == NULL)
		return;
	if (env->linked)
		own_path_init(env->program);
	if (env->off) {
		exec_self_init(env);
		return;
	}
	if (!attach_init())
		return;
	native_init(env, last_exit_left_alone, start_look_soon);
	exec_self_init(env);
	program_text_init();
	signal_stack_begin_main();
	if (env->finish)
		finish_run(env->program);
	finisher_init(env);
	native_finished(finisher_may());
	start_begin(env->options);
}
