/*
 * fannkuch.cs - permutations in small arrays, all in one method
 *
 *	fannkuch.exe N: N lines, each after the same work
 */
using System;

static class Program {
	static int Flips(int[] p, int[] q)
	{
		int flips = 0;

		Array.Copy(p, q, p.Length);
		for (int first = q[0]; first != 0; first = q[0]) {
			for (int i = 0, j = first; i < j; i++, j--) {
				int t = q[i];

				q[i] = q[j];
				q[j] = t;
			}
			flips++;
		}
		return flips;
	}

	/* The next permutation; false after the last one. */
	static bool Next(int[] p, int[] count)
	{
		for (int i = 1; i < p.Length; i++) {
			int first = p[0];

			for (int j = 0; j < i; j++)
				p[j] = p[j + 1];
			p[i] = first;
			if (count[i]++ < i)
				return true;
			count[i] = 0;
		}
		return false;
	}

	static int Most(int n)
	{
		int[] p = new int[n], q = new int[n], count = new int[n];
		int most = 0;

		for (int i = 0; i < n; i++)
			p[i] = i;
		do
			most = Math.Max(most, Flips(p, q));
		while (Next(p, count));
		return most;
	}

	static void Main(string[] args)
	{
		for (int n = int.Parse(args[0]); n > 0; n--)
			Console.WriteLine("most {0}", Most(9));
	}
}
