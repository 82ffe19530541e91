// hot
// Application domains: made, run in, talked to, unloaded, while the same methods
// are hot in the first one.
using System;
using System.Threading;

class Worker : MarshalByRefObject {
	int calls;
	static int made;
	public Worker() { made++; }
	public int Work(int n) { calls++; return Program.Compute(n) + made; }
	public string Where() { return AppDomain.CurrentDomain.FriendlyName; }
	public int Fail() { throw new InvalidOperationException("there"); }
}

static class Program {
	public static int Compute(int n) {
		int x = n;

		for (int i = 0; i < 300; i++)
			x = x * 31 + (x >> 5) + i;
		return x;
	}

	static long InDomain(int n) {
		AppDomain d = AppDomain.CreateDomain("other " + n);
		long sum = 0;

		try {
			var w = (Worker)d.CreateInstanceAndUnwrap(
				typeof(Worker).Assembly.FullName, "Worker");

			for (int i = 0; i < 50; i++)
				sum += w.Work(i) - Compute(i);
			sum += w.Where().Length;
			try {
				w.Fail();
			} catch (InvalidOperationException e) {
				sum += e.Message.Length;
			}
		} finally {
			AppDomain.Unload(d);
		}
		return sum;
	}

	static long Round() {
		long sum = InDomain(1);

		for (int i = 0; i < 20000; i++)
			sum = sum * 3 + Compute(i);
		return sum;
	}

	static void Main() { Loop.Run("domains", Round); }
}
