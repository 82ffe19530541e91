/*
 * threads_cpp.cpp - std::thread, locks, conditions, call_once, async, atomics
 *
 * guest-hot:
 */
#include <atomic>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <numeric>
#include <queue>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "guest.h"

template <typename T> class Channel {
	std::mutex lock;
	std::condition_variable more;
	std::queue<T> items;
	bool closed = false;

public:
	void put(T v)
	{
		std::lock_guard hold(lock);
		items.push(std::move(v));
		more.notify_one();
	}
	void close()
	{
		std::lock_guard hold(lock);
		closed = true;
		more.notify_all();
	}
	bool get(T &v)
	{
		std::unique_lock hold(lock);
		more.wait(hold, [&] { return closed || !items.empty(); });
		if (items.empty())
			return false;
		v = std::move(items.front());
		items.pop();
		return true;
	}
};

NOINLINE static uint64_t work(uint64_t x)
{
	for (unsigned i = 0; i < 100; i++)
		x = mix(x, i);
	return x;
}

static uint64_t channels()
{
	Channel<uint64_t> in, out;
	std::vector<std::jthread> workers;
	uint64_t sum = 0, v;

	for (unsigned i = 0; i < 3; i++)
		workers.emplace_back([&] {
			uint64_t x;

			while (in.get(x))
				out.put(work(x));
		});
	for (uint64_t i = 0; i < 200; i++)
		in.put(i);
	in.close();
	workers.clear();
	out.close();
	while (out.get(v))
		sum += v;
	return sum;
}

static uint64_t futures()
{
	std::vector<std::future<uint64_t>> f;
	std::once_flag once;
	std::atomic<int> ran{ 0 };
	std::shared_mutex rw;
	std::latch all{ 4 };
	uint64_t h = MIX0, shared = 0;

	for (uint64_t i = 0; i < 4; i++)
		f.push_back(std::async(std::launch::async, [&, i] {
			std::call_once(once, [&] { ran++; });
			{
				std::unique_lock hold(rw);
				shared += work(i);
			}
			all.count_down();
			all.wait();
			std::shared_lock hold(rw);
			return work(shared + i);
		}));
	for (auto &g : f)
		h = mix(h, g.get());

	std::promise<uint64_t> promise;
	std::jthread t([&](std::stop_token stop) {
		uint64_t n = 0;

		do
			n = work(1);
		while (!stop.stop_requested());
		promise.set_value(n);
	});
	work(2);
	t.request_stop();
	return mix(h, promise.get_future().get() + (unsigned)ran);
}

/* A static local is made once, whoever comes first. */
struct Slow {
	uint64_t v;
	static inline std::atomic<int> made{ 0 };
	Slow() : v(work(9)) { made++; }
};

NOINLINE static uint64_t instance(uint64_t x)
{
	static Slow slow;

	return mix(slow.v, x);
}

static uint64_t statics()
{
	std::vector<std::thread> t;
	std::atomic<uint64_t> sum{ 0 };

	for (unsigned i = 0; i < 4; i++)
		t.emplace_back([&] {
			for (uint64_t k = 0; k < 500; k++)
				sum += instance(k);
		});
	for (auto &x : t)
		x.join();
	return sum;
}

int main()
{
	guest_run("statics", statics);
	guest_run("channels", channels);
	guest_run("futures", futures);
	printf("made %d\n", Slow::made.load());
	return 0;
}
