// hot
// Exceptions that live longer than the code they went through: their traces are
// asked for at the end.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

static class Kept {
	static readonly List<Exception> all = new List<Exception>();

	[MethodImpl(MethodImplOptions.NoInlining)]
	static int Deep(int n, int bad) {
		int r = n * 3;

		if (n == bad)
			throw new InvalidOperationException("deep");
		r += n % 7;
		return r > 1000 ? r / 2 : r;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static int Middle(int bad) {
		int sum = 0;

		for (int i = 0; i < 100; i++)
			sum += Deep(i, bad);
		return sum;
	}

	static int Round() {
		int sum = 0;

		for (int i = 0; i < 500; i++)
			sum += Middle(-1);
		try {
			sum += Middle(50);
		} catch (InvalidOperationException e) {
			if (all.Count < 20000)
				all.Add(e);
		}
		return sum;
	}

	static void Main() {
		Loop.Run("sum", Round);

		string first = all[0].StackTrace;
		int others = 0;

		foreach (Exception e in all)
			if (e.StackTrace != first)
				others++;
		Console.WriteLine(first);
		Console.WriteLine(others + " others");
	}
}
