/*
 * libc.cpp - work that is cheap natively if a program has one thread, or few
 * thread-local variables
 *
 *	libc chars|pointers|locals|blocks ROUNDS
 *
 *	chars     writes and reads a file character by character
 *	pointers  copies shared pointers
 *	locals    draws random numbers by a thread-local state
 *	blocks    two threads allocate and free
 *
 * A round takes about a tenth of a second, and prints a line.
 */
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

static uint64_t chars()
{
	static FILE *file = tmpfile();
	uint64_t sum = 0;
	int c;

	if (file == nullptr)
		return 0;
	rewind(file);
	for (uint32_t i = 0; i < 32000000; i++)
		putc(static_cast<int>(i * 2654435761u >> 25), file);
	rewind(file);
	while ((c = getc(file)) != EOF)
		sum = sum * 31 + static_cast<uint64_t>(c);
	return sum;
}

static uint64_t pointers()
{
	static std::vector<std::shared_ptr<uint64_t>> all;
	uint64_t sum = 0;

	for (uint64_t i = all.size(); i < 1000; i++)
		all.push_back(std::make_shared<uint64_t>(i));
	for (int round = 0; round < 16000; round++)
		for (auto one : all)
			sum += *one;
	return sum;
}

static thread_local uint64_t state = 1;

__attribute__((noinline)) static uint64_t draw()
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 33;
}

static uint64_t locals()
{
	uint64_t sum = 0;

	for (int i = 0; i < 36000000; i++)
		sum += draw();
	return sum;
}

static void allocate(uint64_t seed)
{
	void *block[64] = {};

	for (int i = 0; i < 5000000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		free(block[seed >> 58]);
		block[seed >> 58] = malloc(16 + (seed >> 40 & 255));
	}
	for (void *one : block)
		free(one);
}

static uint64_t blocks()
{
	std::thread one(allocate, 1), other(allocate, 2);

	one.join();
	other.join();
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint64_t  (*round)();
	} cases[] = {
		{ "chars", chars }, { "pointers", pointers },
		{ "locals", locals }, { "blocks", blocks },
	};
	unsigned long rounds = argc > 2 ? strtoul(argv[2], nullptr, 10) : 1;

	for (auto &one : cases) {
		if (argc < 2 || strcmp(argv[1], one.name) != 0)
			continue;
		for (unsigned long i = 0; i < rounds; i++) {
			printf("%" PRIu64 "\n", one.round());
			fflush(stdout);
		}
		return 0;
	}
	fprintf(stderr, "libc: chars, pointers, locals or blocks?\n");
	return 2;
}
