/*
 * test_header_cxx.cpp - cof.h is valid C++11, also after all system headers
 *
 * They come first, so that the test fails if one of their macros breaks cof.h.
 */
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <wchar.h>

#include "cof.h"

#if __cplusplus >= 201402L
#error "to be compiled as C++11"
#endif

/* Callbacks as a C++ host writes them. */
static int decline(void *, void *, cof_plan, const int *, cof_version_desc *)
{
	return 1;
}

int main()
{
	char why[COF_WHY_BYTES] = "";
	cof_host host = cof_host();
	cof *instance = nullptr;

	/* The C name links, and the call says what is wrong with this host. */
	host.build = decline;
	if (cof_start(&host, nullptr, why, &instance) != -COF_E_INVAL ||
	    instance || !why[0])
		return 1;

	host.size = sizeof(host);
	host.name = "cxx";
	if (cof_start(&host, "mode=off,stats=none", why, &instance) != 0) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	cof_stop(instance);
	cof_free(instance);
	return 0;
}
