/*
 * delegates.cs - delegates to static and instance methods, closures, iterators,
 * and generic methods that take them
 *
 *	delegates.exe N: N lines, each after the same work
 */
using System;
using System.Collections.Generic;

static class Sequence {
	public static IEnumerable<int> Range(int count)
	{
		for (int i = 0; i < count; i++)
			yield return i;
	}

	public static IEnumerable<R> Map<T, R>(IEnumerable<T> from, Func<T, R> by)
	{
		foreach (T item in from)
			yield return by(item);
	}

	public static IEnumerable<T> Where<T>(IEnumerable<T> from,
					      Func<T, bool> fits)
	{
		foreach (T item in from)
			if (fits(item))
				yield return item;
	}

	public static R Fold<T, R>(IEnumerable<T> from, R start,
				   Func<R, T, R> add)
	{
		foreach (T item in from)
			start = add(start, item);
		return start;
	}
}

static class Program {
	static bool IsOdd(int n)
	{
		return (n & 1) != 0;
	}

	static long Chain(int count, int factor)
	{
		var odd = Sequence.Where(Sequence.Range(count), IsOdd);
		var scaled = Sequence.Map(odd, n => (long)n * factor);

		return Sequence.Fold(scaled, 0L, (sum, n) => sum + n);
	}

	static int Apply(Func<int, int>[] steps, int x)
	{
		foreach (var step in steps)
			x = step(x);
		return x;
	}

	static void Main(string[] args)
	{
		int k = args.Length;
		var steps = new Func<int, int>[] {
			x => x + k, x => x ^ 5, x => x * 3, x => x >> 1
		};

		for (int n = int.Parse(args[0]); n > 0; n--) {
			long sum = 0;

			for (int i = 0; i < 200; i++) {
				sum += Chain(5000, i);
				for (int j = 0; j < 5000; j++)
					sum += Apply(steps, j);
			}
			Console.WriteLine("sum {0}", sum);
		}
	}
}
