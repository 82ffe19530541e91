// hot
// A path that is taken after its method was compiled again, and reads what a class
// constructor makes that has not run by then.
using System;

class Holder<T> {
	static readonly int[] empty = { 4, 5, 6 };
	readonly int[] items;

	public Holder() {
		items = empty;
	}

	public int Sum() {
		int sum = 0;

		foreach (int i in items)
			sum += i;
		return sum;
	}
}

static class Plain {
	public static readonly string Text = "made " + new string('x', 3);

	public static int Length() {
		return Text.Length;
	}
}

static class Cold {
	static int Work(int n, bool cold) {
		int sum = 0;

		for (int i = 0; i < n; i++)
			sum += i ^ (i >> 3);
		if (!cold)
			return sum;
		return new Holder<string>().Sum() + new Holder<int>().Sum() * 100 +
			Plain.Length() * 10000;
	}

	static int Round() {
		int sum = 0;

		for (int i = 0; i < 2000; i++)
			sum += Work(300, false);
		return sum;
	}

	static void Main() {
		Loop.Run("sum", Round);
		Console.WriteLine(Work(1, true));
	}
}
