// parked.cs - frames that stay in versions that are replaced meanwhile
//
//	parked MS
//
// A thread sleeps in a finally block at the bottom of methods that others keep
// hot, so its return addresses are in versions that nobody enters any more. After
// MS it goes back through them: some return, some are left by an exception.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

class Stop : Exception {
	public readonly int Value;
	public Stop(int value) { Value = value; }
}

static class Program {
	static volatile bool resume;
	static int left;

	[MethodImpl(MethodImplOptions.NoInlining)]
	static long Work(int n) {
		long s = n;
		for (int i = 0; i < 400; i++)
			s = s * 31 + (i ^ n);
		return s;
	}

	// A different local in each frame, which must be there afterwards.
	[MethodImpl(MethodImplOptions.NoInlining)]
	static long Down(int depth, bool park, bool raise) {
		var held = new int[depth + 1];
		held[depth] = depth * 7;
		long s = Work(depth);
		if (depth == 0) {
			while (park && !resume)
				Thread.Sleep(5);
			if (raise)
				throw new Stop(41);
			return s;
		}
		try {
			s += Down(depth - 1, park, raise);
		} catch (Stop e) {
			if (e.Value != 41 || held[depth] != depth * 7)
				throw new Exception("lost");
			if (depth % 3 != 0)
				throw;
			throw new Stop(e.Value);
		} finally {
			Interlocked.Increment(ref left);
		}
		return s + held[depth] - depth * 7;
	}

	static string Parked(int depth, bool raise) {
		try {
			return "returned " + Down(depth, true, raise);
		} catch (Stop e) {
			return "raised " + e.Value;
		}
	}

	static string Result(int depth, bool raise) {
		if (raise)
			return "raised 41";
		long s = 0;
		for (int i = depth; i >= 0; i--)
			s += Work(i);
		return "returned " + s;
	}

	static int Main(string[] arg) {
		const int threads = 6;
		var thread = new Thread[threads];
		var result = new string[threads];
		var clock = Stopwatch.StartNew();
		long ms = long.Parse(arg[0]);
		int wrong = 0, started = 0;

		// Later ones are parked in later versions.
		while (clock.ElapsedMilliseconds < ms) {
			if (started < threads &&
			    clock.ElapsedMilliseconds >= ms * started / threads / 2) {
				int at = started++;
				thread[at] = new Thread(() => result[at] =
					Parked(20 + at, at % 2 == 1));
				thread[at].Start();
			}
			for (int i = 0; i < 100; i++)
				if (Down(i % 40, false, false) < 0 && i < 0)
					wrong++;
			GC.Collect(0);
		}
		left = 0;
		resume = true;
		int frames = 0;
		for (int i = 0; i < started; i++) {
			thread[i].Join();
			frames += 20 + i;
			if (result[i] != Result(20 + i, i % 2 == 1))
				wrong++;
		}
		Console.WriteLine("{0} wrong, {1} frames left out", wrong,
				  frames - left);
		return wrong == 0 ? 0 : 1;
	}
}
