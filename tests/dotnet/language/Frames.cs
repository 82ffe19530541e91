// hot
// mcs: -debug
// mono: --debug
// Stack traces have the frames of methods that libcof inlines where they are hot
// and the user does not ask for frames (--cof-frames).
using System;
using System.Collections.Generic;

static class Program {
	// With branches: Mono does not inline it by itself.
	static int Small(int x) {
		if (x % 997 == 0)
			throw new ArgumentException("small");
		return x * 3 + 1;
	}

	static int Middle(int x) {
		int sum = 0;

		for (int i = 0; i < 50; i++)
			sum += Small(x + i);
		return sum == 3 ? 4 : sum;
	}

	// What threw, all the traces of it, each once.
	static string Round() {
		var traces = new SortedSet<string>(StringComparer.Ordinal);
		int sum = 0, thrown = 0;

		for (int x = 1; x < 60000; x += 50) {
			try {
				sum += Middle(x);
			} catch (ArgumentException e) {
				thrown++;
				traces.Add(e.StackTrace);
			}
		}
		return sum + " " + thrown + " " + string.Join("\n", traces);
	}

	static void Main() { Loop.Run("frames", Round); }
}
