/*
 * far.h - memory that no rel32 at a given address reaches
 *
 * A program's own code and data may be near code memory: the loader decides.
 */
#pragma once

#include <stdint.h>
#include <sys/mman.h>

#define FAR_BYTES 4096
#define FAR_AWAY  (UINT64_C(16) << 30)

static _Alignas(FAR_BYTES) unsigned char far_own[FAR_BYTES];

static inline void *far_map(void *hint, int flags)
{
	void *p = mmap(hint, FAR_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	assert_true(p != MAP_FAILED);
	return p;
}

/*
 * A page 16 GiB from `at`, where nothing else is mapped as a rule. If that
 * place cannot be had, as under AddressSanitizer, a page of the program: there
 * the program is far from all else. For cmocka tests.
 */
static inline void *far_from(const void *at)
{
	uintptr_t here = (uintptr_t)at;
	uintptr_t there = here > UINT64_C(1) << 40 ? here - FAR_AWAY
						   : here + FAR_AWAY;
	void *p = far_map((void *)(there & ~(uintptr_t)(FAR_BYTES - 1)), 0);

	there = (uintptr_t)p;
	if ((there > here ? there - here : here - there) > FAR_AWAY / 2)
		return p;
	munmap(p, FAR_BYTES);
	there = (uintptr_t)far_map(far_own, MAP_FIXED);
	assert_true((there > here ? there - here : here - there) >
		    FAR_AWAY / 2);
	return far_own;
}

static inline void far_free(void *p)
{
	if (p == far_own)
		far_map(far_own, MAP_FIXED);
	else
		munmap(p, FAR_BYTES);
}
