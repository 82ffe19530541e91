// hot
// env: MONO_THREADS_SUSPEND=coop
// The same loop with threads that stop at safe points only.
using System;
using System.Threading;

static class Program {
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

	static long Round() {
		int a = 0;
		var t = new Thread(() => { for (int i = 0; i < 20; i++) a += Work(i); });
		long sum = 0;

		t.Start();
		for (int i = 0; i < 20; i++)
			sum = sum * 3 + Work(i);
		t.Join();
		return sum + a;
	}

	static void Main() { Loop.Run("suspend", Round); }
}
