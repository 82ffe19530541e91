/*
 * preload.c - libcof-preload.so: the program's side of native programs
 *
 * `runtime` executes the program itself with this library in LD_PRELOAD. The
 * library is linked with libc alone. Where a function of libc has to be known
 * of, it defines one of that name and calls the next.
 */
#include <sys/auxv.h>

#include "preload/environment.h"
#include "preload/native.h"
#include "preload/program_text.h"
#include "preload/start.h"

/* Before all other constructors (-z initfirst): they read the environment, and
 * may start threads. */
__attribute__((constructor))
static void begin(int argc, char **argv, char **envp)
{
	const struct environment *env;

	(void)argc;
	(void)argv;
	if (getauxval(AT_SECURE) != 0)
		return;
	env = environment_take(envp);
	if (env == NULL)
		return;
	native_init(env->program, env->options);
	program_text_init();
	start_init(env->options);
	start_begin();
}
