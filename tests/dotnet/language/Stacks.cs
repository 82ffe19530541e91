// hot
// The stacks of all threads, which Mono stops for it, again and again.
using System.Collections;
using System.Reflection;
using System.Threading;

static class Program {
	static volatile bool end;
	static int running, most;

	static int Work(int n) {
		int x = n;

		for (int i = 0; i < 1000; i++)
			x = x * 31 + i;
		return x;
	}

	static void Spin() {
		Interlocked.Increment(ref running);
		while (!end)
			Work(3);
	}

	static long Round() {
		MethodInfo stacks = typeof(Thread).GetMethod("Mono_GetStackTraces",
			BindingFlags.NonPublic | BindingFlags.Static);
		var threads = new Thread[3];
		long sum = 0;

		end = false;
		running = 0;
		for (int i = 0; i < threads.Length; i++) {
			threads[i] = new Thread(Spin) { Name = "spin" };
			threads[i].Start();
		}
		while (running < threads.Length)
			Thread.Yield();
		for (int i = 0; i < 10; i++) {
			var all = (IDictionary)stacks.Invoke(null, null);
			int found = 0;

			foreach (DictionaryEntry e in all)
				if (((Thread)e.Key).Name == "spin")
					found++;
			sum = sum * 31 + found + Work(i);
			if (all.Count > most)
				most = all.Count;
		}
		end = true;
		foreach (Thread t in threads)
			t.Join();
		return sum;
	}

	static void Main() {
		Loop.Run("stacks", Round);
		System.Console.WriteLine("threads " + most);
	}
}
