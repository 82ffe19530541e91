// hot
// mcs: -debug
// mono: --debug
// A trace in another application domain has the lines of the code there, which is
// Mono's own, whatever was compiled again in the first.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

class Worker : MarshalByRefObject {
	public string Fail(int n) {
		try {
			return Program.Checked(n).ToString();
		} catch (Exception e) {
			StackFrame f = new StackTrace(e, true).GetFrame(0);

			return f.GetMethod().Name + ":" + f.GetFileLineNumber();
		}
	}
}

static class Program {
	[MethodImpl(MethodImplOptions.NoInlining)]
	public static int Checked(int n) {
		int x = n;

		for (int i = 0; i < 300; i++)
			x = x * 31 + (x >> 5) + i;
		if (n < 0)
			throw new ArgumentException("negative");
		return x;
	}

	static string Round() {
		AppDomain d = AppDomain.CreateDomain("other");
		long sum = 0;
		string said;

		for (int i = 0; i < 20000; i++)
			sum = sum * 3 + Checked(i);
		var w = (Worker)d.CreateInstanceAndUnwrap(
			typeof(Worker).Assembly.FullName, "Worker");
		said = w.Fail(-1) + " " + new Worker().Fail(-1) + " " + sum;
		AppDomain.Unload(d);
		return said;
	}

	static void Main() { Loop.Run("lines", Round); }
}
