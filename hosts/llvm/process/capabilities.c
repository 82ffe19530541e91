/*
 * capabilities.c - the stand-in for capset(2); see capabilities.h
 */
#include "process/capabilities.h"

#include <linux/capability.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/rawcall.h"
#include "own_threads/own_threads.h"
#include "preload/call_failed.h"
#include "preload/native.h"
#include "preload/rtld_next.h"

#define WORDS _LINUX_CAPABILITY_U32S_3	/* the most of a version */

typedef struct __user_cap_data_struct sets[WORDS];

static void follow(long number, long a, long b, long c)
{
	if (!own_threads_libc_calls())
		own_threads_call(number, a, b, c);
}

bool capabilities_given_up(int option, unsigned long a)
{
	return option == PR_SET_NO_NEW_PRIVS || option == PR_CAPBSET_DROP ||
	       option == PR_SET_SECUREBITS ||
	       (option == PR_CAP_AMBIENT && (a == PR_CAP_AMBIENT_LOWER ||
					     a == PR_CAP_AMBIENT_CLEAR_ALL));
}

void capabilities_follow(int option, unsigned long a, unsigned long b)
{
	follow(SYS_prctl, option, (long)a, (long)b);
}

/* The calling thread's. */
static void read_sets(uint32_t version, sets to)
{
	struct __user_cap_header_struct own = { version, 0 };

	memset(to, 0, sizeof(sets));
	cof_raw(SYS_capget, (long)&own, (long)to, 0, 0);
}

bool capabilities_has(unsigned capability)
{
	sets now;

	read_sets(_LINUX_CAPABILITY_VERSION_3, now);
	return now[capability / 32].effective >> capability % 32 & 1;
}

static bool differ(const sets a, const sets b)
{
	for (size_t i = 0; i < WORDS; i++)
		if (a[i].permitted != b[i].permitted ||
		    a[i].inheritable != b[i].inheritable)
			return true;
	return false;
}

int capabilities_set(struct __user_cap_header_struct *header,
		     const struct __user_cap_data_struct *data)
{
	struct __user_cap_header_struct own = { _LINUX_CAPABILITY_VERSION_3,
						0 };
	sets before, now;
	long result;

	/* A thread that is just being made would have those of its maker. */
	native_wait();
	read_sets(own.version, before);
	result = cof_raw(SYS_capset, (long)header, (long)data, 0, 0);
	if (result < 0)
		return (int)call_failed(result);
	read_sets(own.version, now);
	if (differ(before, now))
		follow(SYS_capset, (long)&own, (long)now, 0);
	return 0;
}

/* libc has it, without a declaration. */
int capset(struct __user_cap_header_struct *header,
	   const struct __user_cap_data_struct *data);

STAND_IN
int capset(struct __user_cap_header_struct *header,
	   const struct __user_cap_data_struct *data)
{
	return capabilities_set(header, data);
}
