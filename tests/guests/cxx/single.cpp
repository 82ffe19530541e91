/*
 * single.cpp - what a program of one thread is spared, until it has another
 *
 * guest-args: pointers
 * guest-args: streams
 */
#include <sys/single_threaded.h>

#include <memory>
#include <thread>
#include <vector>

#include "guest.h"

struct node {
	std::shared_ptr<node> next;
	uint64_t value;
};

static uint64_t count(const std::vector<std::shared_ptr<node>> &nodes)
{
	uint64_t h = MIX0;

	for (auto n : nodes)
		h = mix(h, n->value + static_cast<uint64_t>(n.use_count()));
	return h;
}

/* Shared by threads that copy them all the time: no count may get lost. */
static uint64_t pointers()
{
	std::vector<std::shared_ptr<node>> nodes;
	std::vector<std::thread> threads;
	uint64_t h = MIX0;

	for (uint64_t i = 0; i < 64; i++)
		nodes.push_back(std::make_shared<node>(node{ nullptr, i }));
	printf("one thread: %d\n", __libc_single_threaded);
	ROUNDS_BEGIN(round)
		round = mix(round, count(nodes));
		h = round;
	ROUNDS_END(round);
	for (int t = 0; t < 4; t++)
		threads.emplace_back([&nodes] {
			for (int i = 0; i < 20000; i++)
				for (auto n : nodes)
					n->value += 0;
		});
	for (auto &t : threads)
		t.join();
	printf("four more: %d\n", __libc_single_threaded);
	for (auto &n : nodes)
		h = mix(h, static_cast<uint64_t>(n.use_count()));
	return h;
}

static uint64_t read_all(FILE *f)
{
	uint64_t sum = 0;

	for (int c; (c = getc(f)) != EOF;)
		sum += static_cast<uint64_t>(c);
	return feof(f) && !ferror(f) ? sum : 0;
}

/* Read by one thread, then by four at once: no character twice, none lost. */
static uint64_t streams()
{
	FILE *f = tmpfile();
	std::vector<std::thread> threads;
	uint64_t sum[4] = {}, h = MIX0;

	for (int i = 0; i < 300000; i++)
		putc(i % 251, f);
	rewind(f);
	h = mix(h, read_all(f));
	for (int t = 0; t < 4; t++)
		threads.emplace_back([] {});
	for (auto &t : threads)
		t.join();
	threads.clear();
	rewind(f);
	for (auto &s : sum)
		threads.emplace_back([&s, f] { s = read_all(f); });
	for (auto &t : threads)
		t.join();
	fclose(f);
	return mix(h, sum[0] + sum[1] + sum[2] + sum[3]);
}

int main(int argc, char **argv)
{
	static const guest_case cases[] = {
		GUEST_CASE(pointers), GUEST_CASE(streams),
	};

	return guest_cases(cases, 2, argc, argv);
}
