/*
 * eh_threads.cpp - several threads throw at once; one thread's error elsewhere
 *
 * guest-hot:
 */
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "guest.h"

struct Counts { uint64_t &to; ~Counts() { to++; } };

NOINLINE static uint64_t work(uint64_t x)
{
	for (unsigned i = 0; i < 500; i++)
		x = mix(x, i);
	return x;
}

NOINLINE static uint64_t deep(unsigned n, uint64_t &left)
{
	Counts c{ left };

	left += work(n) & 1;
	if (n == 0)
		throw std::runtime_error(std::to_string(left));
	return deep(n - 1, left) + 1;
}

static void loop(unsigned seed, uint64_t &result)
{
	uint64_t h = seed, left = 0;

	for (unsigned i = 0; i < 40; i++) {
		try {
			deep(i % 13, left);
		} catch (const std::exception &e) {
			h = mix(h, left + static_cast<unsigned>(e.what()[0]));
		}
	}
	result = h;
}

static uint64_t round_()
{
	std::vector<std::thread> threads;
	uint64_t results[4], h = MIX0;

	for (unsigned i = 0; i < 4; i++)
		threads.emplace_back(loop, i, std::ref(results[i]));
	for (auto &t : threads)
		t.join();
	for (uint64_t r : results)
		h = mix(h, r);

	auto f = std::async(std::launch::async, [] {
		uint64_t left = 0;
		return deep(5, left);
	});
	try {
		h = mix(h, f.get());
	} catch (const std::runtime_error &e) {
		h = mix(h, static_cast<unsigned>(e.what()[0]));
	}
	return h;
}

int main()
{
	guest_run("eh_threads", round_);
	return 0;
}
