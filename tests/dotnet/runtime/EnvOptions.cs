// hot
// mcs: -debug
// env: MONO_ENV_OPTIONS=--debug
// Options of Mono's come from the environment, too: with --debug there are lines.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

static class Program {
	[MethodImpl(MethodImplOptions.NoInlining)]
	static int Line(int n) {
		int x = n;

		for (int i = 0; i < 300; i++)
			x = x * 31 + (x >> 5) + i;
		if (n < 0)
			return new StackTrace(true).GetFrame(0).GetFileLineNumber();
		return x;
	}

	static string Round() {
		long sum = 0;

		for (int i = 0; i < 20000; i++)
			sum = sum * 3 + Line(i);
		return Line(-1) + " " + sum;
	}

	static void Main() { Loop.Run("line", Round); }
}
