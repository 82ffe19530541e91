// hot
// Threads that come and go, foreground and background, pools, timers.
using System;
using System.Collections.Generic;
using System.Threading;

static class Program {
	static readonly ThreadLocal<int> local = new ThreadLocal<int>(() => 5);
	[ThreadStatic] static int[] buffer;

	static int Work(int n) {
		int x = n;

		if (buffer == null)
			buffer = new int[64];
		for (int i = 0; i < 4000; i++) {
			x = x * 1103515245 + 12345;
			buffer[(x >> 16) & 63] += i;
		}
		return buffer[n & 63] + local.Value;
	}

	static long Round() {
		int[] got = new int[24];
		long sum = 0;

		for (int batch = 0; batch < 3; batch++) {
			var threads = new List<Thread>();

			for (int i = 0; i < 8; i++) {
				int at = batch * 8 + i;
				var t = new Thread(() => got[at] = Work(at), 256 << 10);

				t.IsBackground = i % 2 == 0;
				t.Start();
				threads.Add(t);
			}
			foreach (Thread t in threads)
				t.Join();
		}
		using (var done = new CountdownEvent(16)) {
			int pooled = 0;

			for (int i = 0; i < 16; i++) {
				ThreadPool.QueueUserWorkItem(o => {
					var was = buffer;

					buffer = null;
					Interlocked.Add(ref pooled, Work((int)o));
					buffer = was;
					done.Signal();
				}, i);
			}
			done.Wait();
			sum += pooled;
		}
		foreach (int g in got)
			sum = sum * 3 + g;
		return sum;
	}

	static void Main() {
		Loop.Run("threads", Round);
		new Thread(() => Thread.Sleep(Timeout.Infinite)) {
			IsBackground = true
		}.Start();
		new Thread(() => {
			Thread.Sleep(50);
			Console.WriteLine("last");
		}).Start();
	}
}
