/*
 * capabilities.h - what a thread may give up of its rights, libcof's threads
 * give up with it
 *
 * capset(2) and some options of prctl(2) are for the calling thread, and libc
 * leaves it at that. To itself a program of one thread has given up the right
 * for all of its process. A thread of libcof's that still had it would be there
 * for who breaks into the program. So libcof's follow. Where the program has
 * several threads, each is its own matter, and libcof's stay as they are.
 *
 * setfsuid(2), setfsgid(2) and a capability that is only not in effect can be
 * taken back at any time, so they give up nothing. With PR_SET_KEEPCAPS a
 * thread would keep more.
 */
#pragma once

#include <stdbool.h>

struct __user_cap_header_struct;
struct __user_cap_data_struct;

/* Does prctl(2) with these give up something? */
bool capabilities_given_up(int option, unsigned long a);

/* It has succeeded. */
void capabilities_follow(int option, unsigned long a, unsigned long b);

/* Is it in the calling thread's effective set? */
bool capabilities_has(unsigned capability);

/* capset(2) */
int capabilities_set(struct __user_cap_header_struct *header,
		     const struct __user_cap_data_struct *data);
