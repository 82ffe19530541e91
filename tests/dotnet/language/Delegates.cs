// hot
// Delegates: of static, instance and virtual methods, open ones, several in one,
// closures, events, and one method that is compiled again while delegates hold it.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

class Counter {
	public int n;
	public virtual int Add(int by) { n += by; return n; }
	public static int Twice(int x) { return x * 2; }
	public event Action<int> Added;
	public void Fire(int by) { if (Added != null) Added(by); }
}

class Double : Counter {
	public override int Add(int by) { n += 2 * by; return n; }
}

static class Program {
	delegate int Step(int x);
	delegate int Open(Counter c, int by);

	static readonly Step kept = Counter.Twice;

	static int Apply(Step step, int times, int x) {
		for (int i = 0; i < times; i++)
			x = step(x) % 10007;
		return x;
	}

	static Func<int, int> Adder(int by) { return x => x + by; }

	static long Round() {
		var open = (Open)Delegate.CreateDelegate(typeof(Open), null,
			typeof(Counter).GetMethod("Add"));
		Counter one = new Counter(), two = new Double();
		Step many = null;
		long sum = 0;
		int seen = 0;

		many += one.Add;
		many += two.Add;
		many += Counter.Twice;
		one.Added += by => seen += by;
		one.Added += by => seen ^= by;
		for (int i = 0; i < 100; i++) {
			int local = i;
			Step closure = x => x * 3 + local;

			sum += Apply(kept, 50, i) + Apply(closure, 50, i) +
			       Apply(one.Add, 20, i) + Apply(two.Add, 20, i);
			sum += many(i) + open(one, i) + open(two, i);
			sum += Adder(i)(local);
			one.Fire(i);
		}
		many -= two.Add;
		sum += many.GetInvocationList().Length;
		return sum + seen + one.n % 1000 + two.n % 1000;
	}

	static void Main() { Loop.Run("delegates", Round); }
}
