/*
 * arrays.cs - loops over arrays: a sieve, and a running sum
 *
 *	arrays.exe N: N lines, each after the same work
 */
using System;

static class Program {
	static long Sieve(bool[] prime)
	{
		long sum = 0;

		for (int i = 0; i < prime.Length; i++)
			prime[i] = true;
		for (int i = 2; i * i < prime.Length; i++)
			if (prime[i])
				for (int j = i * i; j < prime.Length; j += i)
					prime[j] = false;
		for (int i = 2; i < prime.Length; i++)
			if (prime[i])
				sum += i;
		return sum;
	}

	static int Sums(int[] v, int add)
	{
		for (int i = 1; i < v.Length; i++)
			v[i] = v[i - 1] + i ^ add;
		return v[v.Length - 1];
	}

	static void Main(string[] args)
	{
		var prime = new bool[100000];
		var v = new int[1000];

		for (int n = int.Parse(args[0]); n > 0; n--) {
			long sum = 0;

			for (int i = 0; i < 40; i++)
				sum += Sieve(prime);
			for (int i = 0; i < 20000; i++)
				sum += Sums(v, i);
			Console.WriteLine("sum {0}", sum);
		}
	}
}
