/*
 * vtable_slots.cpp - what a program can do with its vtables goes on working:
 * it reads a slot and keeps what stands there, and puts a function of its own
 * in, as libraries that hook or mock classes do
 *
 * guest-hot:
 * guest-reclaims:
 * guest-args: read
 * guest-args: hook
 * guest-args: throws
 */
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "guest.h"

namespace {

/* on() has the first slot. */
struct Step {
	virtual uint64_t on(uint64_t x) const = 0;
	virtual ~Step() = default;
	uint64_t k = 3;
};

struct Add : Step {
	NOINLINE uint64_t on(uint64_t x) const override { return x + k; }
};

struct Mul : Step {
	NOINLINE uint64_t on(uint64_t x) const override { return x * 31 + k; }
};

struct Odd { uint64_t x; };

struct Throw : Step {
	NOINLINE uint64_t on(uint64_t x) const override
	{
		if ((x & 0xff) == 7)
			throw Odd{x};
		return x ^ k;
	}
};

struct Nested : Step {
	std::unique_ptr<Step> a, b;
	NOINLINE uint64_t on(uint64_t x) const override
	{
		return b->on(a->on(x)) >> 1;
	}
};

using Slot = uint64_t (*)(const Step *, uint64_t);

/* To the compiler, of anything: it knows that vtables are constants. */
Slot *slot_of(const Step &s)
{
	Slot *slot = *reinterpret_cast<Slot *const *>(&s);

	__asm__ volatile("" : "+r"(slot));
	return slot;
}

std::vector<std::unique_ptr<Step>> all;

void fill(bool throws)
{
	for (int i = 0; i < 24; i++) {
		auto n = std::make_unique<Nested>();

		n->a.reset(i % 3 ? static_cast<Step *>(new Add) : new Mul);
		n->b.reset(throws && i % 4 == 0 ?
			   static_cast<Step *>(new Throw) : new Mul);
		all.push_back(std::move(n));
	}
}

NOINLINE uint64_t steps()
{
	uint64_t h = MIX0;

	for (int round = 0; round < 40; round++)
		for (auto &s : all) {
			try {
				h = mix(h, s->on(h & 0xffff));
			} catch (const Odd &o) {
				h = mix(h, o.x);
			}
		}
	return h;
}

/* What was read before the code was replaced, and after, does the same. */
uint64_t read_()
{
	Add add;
	Mul mul;
	static Slot early = *slot_of(add);
	Slot now = *slot_of(add);
	uint64_t h = steps();

	for (uint64_t i = 0; i < 100; i++)
		h = mix(h, early(&add, i) + now(&add, i) * 3 +
			   (*slot_of(mul))(&mul, i));
	return h;
}

Slot hooked;
uint64_t hooks;

uint64_t hook(const Step *s, uint64_t x)
{
	hooks++;
	return hooked(s, x) + 1;
}

void put(Slot *slot, Slot to)
{
	uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
	void *at = reinterpret_cast<void *>(
		reinterpret_cast<uintptr_t>(slot) & -page);

	if (mprotect(at, page, PROT_READ | PROT_WRITE) != 0)
		exit(4);
	*slot = to;
	if (mprotect(at, page, PROT_READ) != 0)
		exit(4);
}

uint64_t hook_()
{
	Mul mul;
	Slot *slot = slot_of(mul);
	uint64_t before = steps(), during, after;

	hooks = 0;
	hooked = *slot;
	put(slot, hook);
	during = steps();
	put(slot, hooked);
	after = steps();
	return mix(mix(mix(before, during), after), hooks);
}

}

int main(int argc, char **argv)
{
	bool throws = argc > 1 && argv[1][0] == 't';

	fill(throws);
	if (argc > 1 && argv[1][0] == 'h')
		guest_run("hook", [] { return hook_(); });
	else
		guest_run("steps", [] { return read_(); });
	return 0;
}
