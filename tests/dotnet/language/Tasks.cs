// hot
// Tasks, async and await, Parallel, exceptions through them.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

static class Program {
	static int Work(int n) {
		int x = n;

		for (int i = 0; i < 500; i++)
			x = x * 31 + i;
		if (n % 10 == 9)
			throw new ArgumentException(n.ToString());
		return x;
	}

	static async Task<int> Twice(int n) {
		int a = await Task.Run(() => Work(n));

		await Task.Yield();
		try {
			return a + await Deeper(n + 1);
		} catch (ArgumentException e) {
			return a - int.Parse(e.Message);
		}
	}

	static async Task<int> Deeper(int n) {
		await Task.Yield();
		return Work(n);
	}

	static async Task<long> All() {
		var tasks = new List<Task<int>>();
		long sum = 0;

		for (int i = 0; i < 9; i++)
			tasks.Add(Twice(i));
		foreach (int got in await Task.WhenAll(tasks))
			sum = sum * 3 + got;
		return sum;
	}

	static long Round() {
		int[] squares = new int[50];
		long sum = All().Result;

		Parallel.For(0, 50, i => squares[i] = Work(i - i % 10));
		sum += squares.Sum(x => (long)x);
		sum += Enumerable.Range(0, 40).AsParallel()
			.Select(i => (long)Work(i * 10)).Sum();
		try {
			Task.WaitAll(Task.Run(() => Work(9)), Task.Run(() => Work(1)));
		} catch (AggregateException e) {
			sum += e.InnerExceptions.Count;
		}
		return sum;
	}

	static void Main() { Loop.Run("tasks", Round); }
}
