#!/bin/sh
# test_mono_profiler.sh - Mono's own profilers end after libcof's threads
#
# When the program ends, Mono waits for the sampler of a profiler, and a
# profiler for its own threads. A thread of libcof's that stops the world
# meanwhile would never be done.

# shellcheck source=tests/tools/tool_lib.sh
. "$(dirname "$0")/../../tools/tool_lib.sh"
command -v mono >/dev/null 2>&1 && command -v mcs >/dev/null 2>&1 || exit 77
command -v "${CC:-cc}" >/dev/null 2>&1 || exit 77
dir=$(mktemp -d "${TMPDIR:-/tmp}/cof-test.XXXXXX") || exit 77
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
unset COF_OPTIONS
XDG_DATA_HOME=$dir XDG_CACHE_HOME=$dir
LD_LIBRARY_PATH=$dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export XDG_DATA_HOME XDG_CACHE_HOME LD_LIBRARY_PATH

# Says at three moments whether libcof's threads are there, in the end: a thread
# names itself, and one that was joined may be in /proc for a moment longer.
# Others have the program's name.
cat >"$dir/ends.c" <<'C'
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

void *mono_profiler_create(void *profiler);
int mono_profiler_enable_sampling(void *handle);
int mono_profiler_set_sample_mode(void *handle, int mode, uint32_t hz);
void mono_profiler_set_runtime_shutdown_begin_callback(void *handle,
						       void (*cb)(void *));
void mono_profiler_set_thread_stopped_callback(void *handle,
					       void (*cb)(void *, uintptr_t));
void mono_profiler_init_ends(const char *desc);

static int are_there(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	int found = 0;

	while ((task = readdir(tasks)) != NULL) {
		char path[300], name[32] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm",
			 task->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(name, sizeof(name), file))
			found |= strncmp(name, "cof-", 4) == 0 &&
				 strcmp(name, "cof-mono\n") != 0;
		fclose(file);
	}
	closedir(tasks);
	return found;
}

static void say(const char *when, int want)
{
	int there = are_there();

	for (int i = 0; i < 60000 && there != want; i++) {
		usleep(10000);
		there = are_there();
	}
	printf("%s: %s\n", when, there ? "there" : "gone");
	fflush(stdout);
}

static _Atomic int is_sampled;

/* Mono has told the sampler's thread to end, which ends beside this one. */
static void ending(void *profiler)
{
	(void)profiler;
	for (int i = 0; i < 60000 && is_sampled; i++)
		usleep(10000);
	say("shutdown", 0);
}

static void stopped(void *profiler, uintptr_t tid)
{
	char name[16] = "";

	(void)profiler, (void)tid;
	prctl(PR_GET_NAME, name);
	if (strncmp(name, "Profiler", 8) != 0)
		return;
	say("sampler", 0);
	is_sampled = 0;
}

void mono_profiler_init_ends(const char *desc)
{
	void *handle = mono_profiler_create(NULL);

	mono_profiler_set_runtime_shutdown_begin_callback(handle, ending);
	if (strstr(desc, "sample")) {
		is_sampled = 1;
		mono_profiler_set_thread_stopped_callback(handle, stopped);
		mono_profiler_enable_sampling(handle);
		mono_profiler_set_sample_mode(handle, 1, 100);
	}
	say("start", 1);
}
C
"${CC:-cc}" -shared -fPIC -o "$dir/libmono-profiler-ends.so" "$dir/ends.c" ||
	exit 99
cat >"$dir/guest.cs" <<'CS'
class P { static int Main() { System.Console.WriteLine("ran"); return 3; } }
CS
mcs -out:"$dir/guest.exe" "$dir/guest.cs" || exit 99

# ends PROFILE LINES: these and no other lines are printed
ends() {
	timeout 600 "$here/hosts/mono/cof-mono" --cof=co --cof-stats=none \
		--cof-history=none "--mono=--profile=$1" "$dir/guest.exe" \
		>"$dir/out" 2>"$dir/err"
	[ $? = 3 ] || fail "$1: $(cat "$dir/err")"
	# Mono says this where the caller's policy is one it does not know.
	grep -v 'unknown policy' "$dir/out" >"$dir/said"
	printf '%b' "$2" | cmp -s - "$dir/said" || fail "$1: $(cat "$dir/said")"
}

ends ends 'start: there\nran\nshutdown: gone\n'
ends ends:sample 'start: there\nran\nsampler: gone\nshutdown: gone\n'

[ "$fails" = 0 ] || exit 1
