/*
 * eh_callback.cpp - thrown in a callback of C code, through libc's frames
 *
 * guest-hot:
 */
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>

#include "guest.h"

static unsigned compares, limit;

struct Enough { unsigned after; };

NOINLINE static int compare(const void *a, const void *b)
{
	int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);

	if (++compares == limit)
		throw Enough{ compares };
	return x < y ? -1 : x > y;
}

NOINLINE static uint64_t search(const int *v, unsigned n, int key)
{
	const void *p = bsearch(&key, v, n, sizeof(*v), compare);

	return p ? static_cast<uint64_t>(static_cast<const int *>(p) - v) : 999;
}

static pthread_once_t once;
static unsigned tries;

static void fails_twice()
{
	if (++tries < 3)
		throw std::runtime_error("not yet");
}

static uint64_t round_()
{
	uint64_t h = MIX0;
	int v[64];

	for (unsigned i = 0; i < 64; i++)
		v[i] = static_cast<int>(i) * 5;
	for (unsigned i = 1; i < 300; i++) {
		compares = 0;
		limit = i % 90;	/* thrown one time in fifteen */
		try {
			h = mix(h, search(v, 64, static_cast<int>(i)));
		} catch (const Enough &e) {
			h = mix(h, e.after + 5000);
		}
	}
	/* The once-flag is given back when the routine throws. */
	once = PTHREAD_ONCE_INIT;
	tries = 0;
	for (unsigned i = 0; i < 4; i++) {
		try {
			pthread_once(&once, fails_twice);
			h = mix(h, tries);
		} catch (const std::runtime_error &) {
			h = mix(h, 100 + tries);
		}
	}
	return h;
}

int main()
{
	guest_run("eh_callback", round_);
	return 0;
}
