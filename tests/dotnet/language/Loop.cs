// Loop.cs - run something until it has certainly been compiled again
//
// Part of every program. What a round returns must not depend on time or chance:
// it is printed once, and every later round must return the same.
using System;
using System.Diagnostics;
using System.Threading;

static class Loop {
	static readonly Process self = Process.GetCurrentProcess();

	// CPU time of the process; $CASE_MS of it are to be used.
	public static double Used() {
		self.Refresh();
		return self.TotalProcessorTime.TotalMilliseconds;
	}

	static double Wanted() {
		string ms = Environment.GetEnvironmentVariable("CASE_MS");
		return ms == null ? 0 : double.Parse(ms);
	}

	public static void Run<T>(string name, Func<T> round) {
		Run(name, 1, round);
	}

	// Where Mono works for the program most of the time, by throwing or collecting:
	// for (int i = 0; i < Loop.More; i++) is the program's own.
	public const int More = 4000;

	// `part` of the time: for programs of several loops.
	public static void Run<T>(string name, double part, Func<T> round) {
		T first = round();
		double end = Used() + Wanted() * part;
		int n = 1;

		Console.WriteLine(name + " " + first);
		do {
			// To ask what was used takes longer than some rounds.
			int asked = Environment.TickCount;

			do {
				T again = round();

				n++;
				if (again.Equals(first))
					continue;
				Console.WriteLine(name + " round " + n + " " + again);
				Environment.Exit(99);
			} while (Environment.TickCount - asked < 10 && Wanted() > 0);
		} while (Used() < end);
	}
}

// Work for two threads, in methods that call one another.
static class TwoThreads {
	static int Work(int n) {
		int x = n;

		for (int i = 0; i < 3000; i++)
			x = x * 31 + (x >> 3) + Step(i);
		return x;
	}

	static int Step(int i) {
		if (i % 3 == 0)
			return i * 5;
		if (i % 5 == 0)
			return i - 1;
		return new int[i % 7].Length;
	}

	public static long Round() {
		int a = 0;
		var t = new Thread(() => { for (int i = 0; i < 20; i++) a += Work(i); });
		long sum = 0;

		t.Start();
		for (int i = 0; i < 20; i++)
			sum = sum * 3 + Work(i);
		t.Join();
		return sum + a;
	}
}
