// bounded.cs - how much memory a program has while its methods are replaced
//
//	bounded MS
//
// Calls its methods for MS of CPU time, each often enough to be hot, and prints to
// standard error how much memory it had, in KB, after a fifth of the time and at
// the end.
using System;
using System.IO;
using System.Runtime.CompilerServices;

interface IShape { int Area(int n); }
class Square : IShape { public int Area(int n) { return n * n + Helper.Fold(n, 3); } }
class Circle : IShape { public int Area(int n) { return 3 * n + Helper.Fold(n, 5); } }

static class Helper {
	public static int Fold(int n, int by) {
		int sum = n;

		for (int i = 0; i < 20; i++)
			sum = sum * by + (sum >> 3) + i;
		return sum;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	public static int Twice(int n) { return Fold(n, 2) + Fold(n, 7); }
}

static class Program {
	static string Resident() {
		foreach (string line in File.ReadAllLines("/proc/self/status"))
			if (line.StartsWith("VmRSS:"))
				return line.Substring(6).Replace("kB", "").Trim();
		return "0";
	}

	static int Work(IShape[] shapes) {
		int sum = 0;

		for (int i = 0; i < 20000; i++)
			sum += shapes[i & 1].Area(i) ^ Helper.Twice(i);
		return sum;
	}

	static void Main(string[] args) {
		var shapes = new IShape[] { new Square(), new Circle() };
		double all = double.Parse(args[0]);
		int first = Work(shapes);
		bool early = false;

		while (Loop.Used() < all) {
			if (Work(shapes) != first)
				Console.WriteLine("another sum");
			if (early || Loop.Used() < all / 5)
				continue;
			early = true;
			Console.Error.WriteLine("early " + Resident());
		}
		Console.Error.WriteLine("late " + Resident());
		Console.WriteLine("sum " + first);
	}
}
