// Asks for all threads' stacks by SIGQUIT, on standard output, while it runs: ten
// times, each $QUIT_MS after the last.
using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;

static class Program {
	const int SigQuit = 3;

	[DllImport("libc")] static extern int getpid();
	[DllImport("libc")] static extern int kill(int pid, int signal);

	static int Work(int n) {
		int x = n;

		for (int i = 0; i < 1000; i++)
			x = x * 31 + i;
		return x;
	}

	static int Main() {
		var time = Stopwatch.StartNew();
		int ms = int.Parse(Environment.GetEnvironmentVariable("QUIT_MS"));
		int asked = 0, x = 0;

		while (asked < 10) {
			x += Work(asked);
			if (time.ElapsedMilliseconds < ms * (asked + 1))
				continue;
			kill(getpid(), SigQuit);
			asked++;
		}
		return x == 1 ? 1 : 0;
	}
}
