/*
 * hello.cs - what starting costs
 *
 *	hello.exe
 */
using System;

static class Program {
	static void Main()
	{
		Console.WriteLine("hello, world");
	}
}
