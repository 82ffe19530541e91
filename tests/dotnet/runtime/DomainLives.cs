// hot
// Application domains that are made, heated and unloaded, one after the other. Each
// begins with statics of its own, and is unloaded while a thread is busy in it.
using System;
using System.Collections.Generic;
using System.Threading;

static class Work {
	static int calls;
	static readonly Dictionary<int, string> names = new Dictionary<int, string>();

	static int Step(int n) {
		calls++;
		if (n % 5 == 0)
			return n / 5 + names.Count;
		return n * 3 + calls % 7;
	}

	static string Name(int n) {
		string name;

		if (!names.TryGetValue(n, out name))
			names[n] = name = "n" + n;
		return name;
	}

	public static int Turn(int turns) {
		int sum = 0;

		for (int i = 0; i < turns; i++)
			sum = sum * 31 + Step(i) + Name(i % 10).Length;
		return sum;
	}
}

class Worker : MarshalByRefObject {
	static int made;
	int number;

	public Worker() { number = ++made; }
	public int Turn(int turns) { return Work.Turn(turns) + number; }

	// Returns once the other thread is busy. It has statics that its domain has not.
	public void Busy() {
		var began = new ManualResetEvent(false);
		var t = new Thread(() => {
			int x = Elsewhere.Spin(1);

			began.Set();
			for (;;)
				x = Elsewhere.Spin(x);
		});

		t.Start();
		began.WaitOne();
	}
}

static class Elsewhere {
	public static int Spin(int x) {
		for (int i = 0; i < 1000; i++)
			x = x * 17 + (x >> 7) + i;
		return x;
	}
}

static class Program {
	static string Life() {
		AppDomain d = AppDomain.CreateDomain("a life");
		string sums = "";

		for (int i = 0; i < 2; i++) {
			var w = (Worker)d.CreateInstanceAndUnwrap(
				typeof(Worker).Assembly.FullName, "Worker");

			sums += w.Turn(100000) + " ";
			if (i == 1)
				w.Busy();
		}
		AppDomain.Unload(d);
		return sums;
	}

	static void Main() { Loop.Run("lives", Life); }
}
