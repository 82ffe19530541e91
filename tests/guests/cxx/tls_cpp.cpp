/*
 * tls_cpp.cpp - thread_local objects: made on first use, destroyed at the end
 *
 * guest-hot:
 */
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "guest.h"

static std::atomic<int> made{ 0 }, destroyed{ 0 };
static std::atomic<uint64_t> order{ 0 };

struct Tracked {
	uint64_t v;
	explicit Tracked(uint64_t x) : v(x) { made++; }
	~Tracked()
	{
		destroyed++;
		order += v * static_cast<unsigned>(destroyed.load() >= 0);
	}
};

thread_local Tracked global_one(11);
static thread_local std::string text = "thread";
static thread_local std::vector<uint64_t> numbers{ 1, 2, 3 };

struct Holder {
	static thread_local Tracked member;
	static inline thread_local uint64_t inline_member = 6;
};

thread_local Tracked Holder::member(22);

NOINLINE static uint64_t local(uint64_t x)
{
	thread_local Tracked t(x % 2 + 30);
	thread_local uint64_t plain = 4;

	plain += x;
	t.v = mix(t.v, plain);
	return t.v;
}

NOINLINE static uint64_t use(uint64_t x)
{
	numbers[x % 3] += x;
	text[x % text.size()] = static_cast<char>('a' + x % 26);
	Holder::inline_member ^= x;
	return global_one.v + Holder::member.v + numbers[0] +
	       static_cast<unsigned char>(text[0]) + Holder::inline_member;
}

static void body(uint64_t seed, uint64_t &out)
{
	uint64_t h = seed;

	for (uint64_t i = 0; i < 1000; i++)
		h = mix(h, use(i) + local(i + seed * 2));
	global_one.v = 11;
	out = h;
}

/* The last one destroyed in its thread prints what is left of the others. */
struct Last {
	std::string *to;
	~Last() { *to += "last"; }
};

struct First {
	std::string *to;
	~First() { *to += "first "; }
};

static void ends(std::string &said)
{
	thread_local Last last{ &said };
	thread_local First first{ &said };

	said += "made ";
	(void)last;
	(void)first;
}

static uint64_t round_()
{
	uint64_t out[3], h = MIX0;
	std::vector<std::thread> t;
	int before = destroyed;
	std::string said;

	for (uint64_t i = 0; i < 3; i++)
		t.emplace_back(body, i, std::ref(out[i]));
	for (auto &x : t)
		x.join();
	for (uint64_t o : out)
		h = mix(h, o);
	std::thread(ends, std::ref(said)).join();
	for (char c : said)
		h = mix(h, static_cast<unsigned char>(c));
	return mix(h, static_cast<unsigned>(destroyed - before));
}

struct AtExit { ~AtExit() { puts("main's thread_local destroyed"); } };
struct Global { ~Global() { puts("global destroyed"); } } global;

int main()
{
	thread_local AtExit at_exit;

	guest_run("tls_cpp", round_);
	printf("%s\n", made == destroyed ? "all destroyed" : "some left");
	(void)&at_exit;
	return 0;
}
