/*
 * coroutine.cpp - C++20 coroutines whose resume functions get replaced
 *
 * guest-hot:
 */
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

#include "guest.h"

template <typename T> class Generator {
public:
	struct promise_type {
		T value{};
		std::exception_ptr error;

		Generator get_return_object()
		{
			return Generator(Handle::from_promise(*this));
		}
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(T v)
		{
			value = v;
			return {};
		}
		void return_void() {}
		void unhandled_exception() { error = std::current_exception(); }
	};
	using Handle = std::coroutine_handle<promise_type>;

	explicit Generator(Handle h) : handle(h) {}
	Generator(Generator &&o) noexcept : handle(std::exchange(o.handle, {}))
	{ }
	~Generator()
	{
		if (handle)
			handle.destroy();
	}
	bool next()
	{
		handle.resume();
		if (handle.promise().error)
			std::rethrow_exception(handle.promise().error);
		return !handle.done();
	}
	T value() const { return handle.promise().value; }

private:
	Handle handle;
};

static uint64_t destroyed;
struct Local { uint64_t v; ~Local() { destroyed = mix(destroyed, v); } };

static Generator<uint64_t> primes(uint64_t limit)
{
	Local l{ limit };

	for (uint64_t n = 2; n < limit; n++) {
		bool prime = true;

		for (uint64_t d = 2; d * d <= n && prime; d++)
			prime = n % d != 0;
		if (prime)
			co_yield n;
	}
}

static Generator<uint64_t> hashes(unsigned n)
{
	Local l{ n };
	uint64_t h = MIX0;

	for (unsigned i = 0; i < n; i++) {
		h = mix(h, i);
		co_yield h;
	}
	if (n % 2)
		throw std::runtime_error("odd");
}

/* Symmetric transfer: tail calls from one coroutine to the next. */
struct Task {
	struct promise_type {
		std::coroutine_handle<> next = std::noop_coroutine();
		uint64_t result = 0;

		Task get_return_object()
		{
			return { std::coroutine_handle<promise_type>::
				 from_promise(*this) };
		}
		std::suspend_always initial_suspend() { return {}; }
		struct Final {
			bool await_ready() noexcept { return false; }
			std::coroutine_handle<>
			await_suspend(std::coroutine_handle<promise_type> h)
				noexcept
			{
				return h.promise().next;
			}
			void await_resume() noexcept {}
		};
		Final final_suspend() noexcept { return {}; }
		void return_value(uint64_t v) { result = v; }
		void unhandled_exception() { std::terminate(); }
	};
	std::coroutine_handle<promise_type> handle;

	bool await_ready() { return false; }
	std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller)
	{
		handle.promise().next = caller;
		return handle;
	}
	uint64_t await_resume()
	{
		uint64_t r = handle.promise().result;

		handle.destroy();
		return r;
	}
};

static Task leaf(uint64_t x) { co_return mix(x, 3); }

static Task sum(unsigned depth, uint64_t x)
{
	if (depth == 0)
		co_return co_await leaf(x);
	uint64_t a = co_await sum(depth - 1, x * 2);
	uint64_t b = co_await sum(depth - 1, x * 2 + 1);
	co_return a ^ b * 3;
}

static uint64_t round_()
{
	uint64_t h = MIX0;

	destroyed = MIX0;
	for (auto g = primes(1500); g.next();)
		h = mix(h, g.value());
	std::vector<Generator<uint64_t>> many;
	for (unsigned i = 0; i < 20; i++)
		many.push_back(hashes(i + 5));
	for (unsigned turn = 0; turn < 12; turn++)
		for (auto &g : many) {
			try {
				if (turn < 6 && g.next())
					h = mix(h, g.value());
			} catch (const std::runtime_error &) {
				h += 9;
			}
		}
	many.clear();
	auto t = sum(6, 1);
	t.handle.resume();
	h = mix(h, t.await_resume());
	return mix(h, destroyed);
}

int main()
{
	guest_run("coroutine", round_);
	return 0;
}
