/*
 * linked - C and C++ files together: templates, inlines, types over both
 *
 * C that exceptions pass through has to be compiled with -fexceptions: else its
 * functions promise not to throw, and the linked program is optimized as a
 * whole.
 *
 * guest-hot:
 * guest-cflags: -fexceptions
 */
#include <typeinfo>

#include "linked.h"

NOINLINE uint64_t from_c(uint64_t x) { return mix(x, 4); }

struct Mine : Iface {
	uint64_t value(uint64_t x) override { return x * 3; }
};

static uint64_t round_()
{
	Mine mine;
	uint64_t h = MIX0;

	for (uint64_t i = 0; i < 300; i++) {
		h = mix(h, c_side(i, from_c));
		h = mix(h, call(mine, i));
		h += twice(i) + twice(static_cast<unsigned>(i));
		if (i % 32 != 0)	/* unwinding is not our code */
			continue;
		try {
			c_calls(&h, [](void *p) {
				throw Error{ *static_cast<uint64_t *>(p) };
			});
		} catch (const Error &e) {
			h = mix(h, e.v);
		}
		try {
			throws(i);
		} catch (const Error &e) {
			h = mix(h, e.v);
		}
	}
	return h;
}

int main()
{
	Iface *made = make();

	guest_run("linked", round_);
	printf("%s, %s, %d\n", typeid(*made).name(),
	       dynamic_cast<Mine *>(made) ? "mine" : "theirs",
	       *counter() == counter_here);
	delete made;
	return 0;
}
