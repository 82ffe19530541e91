// hot
// mcs: -debug
// mono: --debug
// With --debug, lines of the source are those of Mono's own code.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;

static class Program {
	[MethodImpl(MethodImplOptions.NoInlining)]
	static int Thrower(int n) {
		int m = n * 3;

		if (n % 3 == 0)
			throw new ArgumentException("a");
		m += 7;
		if (n % 3 == 1)
			throw new InvalidOperationException("b");
		return m;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static int Caller(int n) {
		int sum = 0;

		for (int i = 0; i < Loop.More; i++)
			sum += i;
		sum += Thrower(n);
		return sum;
	}

	static string Lines(Exception e) {
		var said = new StringBuilder();

		foreach (StackFrame f in new StackTrace(e, true).GetFrames())
			said.Append(f.GetMethod().Name).Append(':')
			    .Append(f.GetFileLineNumber()).Append(' ');
		return said.ToString();
	}

	static string Round() {
		string said = "";

		for (int i = 0; i < 900; i++) {
			try {
				Caller(i);
			} catch (Exception e) {
				if (i > 895)
					said += Lines(e);
			}
		}
		return said;
	}

	static void Main() { Loop.Run("lines", Round); }
}
