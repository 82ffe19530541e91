/*
 * fib.cs - nothing but calls
 *
 *	fib.exe N: N lines, each after the same work
 */
using System;

static class Program {
	static int Fib(int n)
	{
		return n < 2 ? n : Fib(n - 1) + Fib(n - 2);
	}

	static void Main(string[] args)
	{
		for (int n = int.Parse(args[0]); n > 0; n--)
			Console.WriteLine("fib {0}", Fib(33));
	}
}
