// hot
// Threads are aborted and interrupted inside methods that are compiled again.
using System;
using System.Threading;

class Victim {
	public volatile bool begun;
	public int cleaned, reset;
	long n;

	long Spin(int times) {
		long sum = 0;

		for (int i = 0; i < times; i++)
			sum += i ^ n;
		return sum;
	}

	void Inner() {
		try {
			begun = true;
			for (;;)
				n += Spin(100);
		} finally {
			cleaned++;
		}
	}

	public void Run() {
		try {
			Inner();
		} catch (ThreadAbortException) {
			cleaned += 10;
			Thread.ResetAbort();
		}
		reset++;
	}

	public void RunToTheEnd() {
		try { Inner(); } finally { cleaned += 100; }
	}

	public void Sleep() {
		try {
			begun = true;
			Thread.Sleep(Timeout.Infinite);
		} catch (ThreadInterruptedException) {
			cleaned += 1000;
		}
	}
}

static class Program {
	static int One(Victim v, ThreadStart run, bool interrupt) {
		var t = new Thread(run);

		t.Start();
		while (!v.begun)
			Thread.Yield();
		if (!interrupt) {
			t.Abort();
			t.Join();
		}
		/* One that comes before the sleep may be lost, by Mono itself. */
		while (interrupt && !t.Join(5))
			t.Interrupt();
		return v.cleaned + v.reset * 7;
	}

	static long Round() {
		long sum = 0;

		for (int i = 0; i < 8; i++) {
			Victim a = new Victim(), b = new Victim(), c = new Victim();

			sum = sum * 3 + One(a, a.Run, false) +
			      One(b, b.RunToTheEnd, false) +
			      One(c, c.Sleep, true);
		}
		return sum;
	}

	static void Main() { Loop.Run("abort", Round); }
}
