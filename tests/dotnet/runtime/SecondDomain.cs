// hot
// gains
// What is hot runs in a second application domain, as pages of ASP.NET do. Both
// domains run the same methods, each with statics of its own.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

interface IShape { int Area(int n); }
class Square : IShape { public int Area(int n) { return n * n + Shared.Step(n); } }
class Circle : IShape { public int Area(int n) { return 3 * n - Shared.Step(n); } }

static class Shared {
	public static int by = 1;
	static readonly string text = "a text of " + AppDomain.CurrentDomain.FriendlyName;

	public static int Step(int n) {
		if (n % 3 == 0)
			return n / 3 + by;
		return n * 7 + by;
	}

	public static int Letters(int n) { return text[n % text.Length]; }

	public static T Last<T>(List<T> all, int n) { return all[n % all.Count]; }

	static int Fail(int n) {
		if (n % 50 == 49)
			throw new InvalidOperationException("at " + n);
		return Step(n);
	}

	static int Caught(int n) {
		try {
			return Fail(n);
		} catch (InvalidOperationException e) {
			return e.Message.Length + (e.StackTrace.Contains("Fail") ? by : 0);
		}
	}

	public static long Round(int rounds) {
		var shapes = new IShape[] { new Square(), new Circle() };
		var numbers = new List<int> { 1, 2, 3 };
		var words = new List<string> { "one", "seven" };
		long sum = 0;

		for (int i = 0; i < rounds; i++) {
			sum = sum * 3 + shapes[i & 1].Area(i) + Letters(i);
			sum += Last(numbers, i) + Last(words, i).Length;
			if (i % 16 == 0)
				sum += Caught(i);
		}
		return sum + numbers.Where(n => n > by).Sum();
	}
}

class Worker : MarshalByRefObject {
	public Worker(int by) { Shared.by = by; }

	public long Round(int rounds) {
		long other = 0;
		var t = new Thread(() => other = Shared.Round(rounds));

		t.Start();
		long sum = Shared.Round(rounds);
		t.Join();
		return sum * 31 + other;
	}
}

static class Program {
	static void Main() {
		AppDomain d = AppDomain.CreateDomain("the second");
		var w = (Worker)d.CreateInstanceAndUnwrap(typeof(Worker).Assembly.FullName,
			"Worker", false, 0, null, new object[] { 5 }, null, null);

		Loop.Run("second", 0.8, () => w.Round(3000));
		Loop.Run("both", 0.2, () => w.Round(500) + " " + new Worker(1).Round(500));
		Loop.Run("first", 0, () => new Worker(1).Round(500));
		AppDomain.Unload(d);
		Console.WriteLine(new Worker(1).Round(500));
	}
}
