/*
 * eh_terminate.cpp - nobody catches it: terminate handlers and wait status
 *
 * guest-args: uncaught
 * guest-args: noexcept
 * guest-args: handler
 * guest-args: thread
 * guest-args: rethrow-nothing
 * guest-args: destructor
 * guest-args: pure
 * guest-args: exit-in-catch
 */
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include "guest.h"

NOINLINE static uint64_t work(unsigned n)
{
	uint64_t h = MIX0;

	for (unsigned i = 0; i < n; i++)
		h = mix(h, i);
	if (n == 17)
		throw std::logic_error("seventeen");
	return h;
}

static uint64_t round_() { return work(3000); }

NOINLINE static uint64_t promises(unsigned n) noexcept { return work(n); }

static void handler()
{
	try {
		std::rethrow_exception(std::current_exception());
	} catch (const std::exception &e) {
		printf("handler saw %s\n", e.what());
	}
	fflush(stdout);
	_exit(61);
}

struct Throws { ~Throws() noexcept(false) { throw 5; } };

struct Abstract {
	Abstract() { early(); }
	virtual ~Abstract() = default;
	NOINLINE void early() { value(); }
	virtual int value() = 0;
};

struct Concrete : Abstract { int value() override { return 1; } };

struct Says { ~Says() { puts("static destroyed"); } } says;

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	guest_run("eh_terminate", round_);
	fflush(stdout);
	if (!strcmp(how, "uncaught"))
		work(17);
	if (!strcmp(how, "noexcept")) {
		try {
			promises(17);
		} catch (...) {
			puts("caught what must not leave");
		}
	}
	if (!strcmp(how, "handler")) {
		std::set_terminate(handler);
		promises(17);
	}
	if (!strcmp(how, "thread"))
		std::thread([] { work(17); }).join();
	if (!strcmp(how, "rethrow-nothing"))
		throw;
	if (!strcmp(how, "destructor")) {
		try {
			Throws t;
			work(17);
		} catch (...) {
			puts("never");
		}
	}
	if (!strcmp(how, "pure"))
		Concrete c;
	if (!strcmp(how, "exit-in-catch")) {
		try {
			work(17);
		} catch (const std::exception &) {
			exit(62);
		}
	}
	return 0;
}
