/*
 * statics_cpp.cpp - construction and destruction of globals, in order
 */
#include <cstdlib>
#include <map>
#include <string>

#include "guest.h"

struct Says {
	const char *name;
	explicit Says(const char *n) : name(n) { printf("+%s\n", name); }
	~Says() { printf("-%s\n", name); }
};

__attribute__((init_priority(300))) static Says third("third");
__attribute__((init_priority(200))) static Says second("second");
static Says first("plain");

static const std::map<std::string, uint64_t> table = [] {
	std::map<std::string, uint64_t> m;

	for (uint64_t i = 0; i < 200; i++)
		m["key" + std::to_string(i)] = mix(MIX0, i);
	return m;
}();

template <int N> struct Counter {
	static uint64_t value;
};
template <int N> uint64_t Counter<N>::value = mix(N, N);
inline uint64_t inlined = Counter<5>::value + 1;

static Says &lazy()
{
	static Says s("lazy");

	return s;
}

static uint64_t round_()
{
	uint64_t h = MIX0;

	for (auto &[k, v] : table)
		h = mix(h, v + k.size());
	return h + inlined + Counter<7>::value;
}

int main()
{
	guest_run("statics_cpp", round_);
	fflush(stdout);
	lazy();
	std::atexit([] { puts("atexit"); });
	static Says local("local");
	std::exit(5);
}
