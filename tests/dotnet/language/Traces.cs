// hot
// Stack traces name the frames that are there, before and after methods in them
// were compiled again.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;

static class Program {
	[MethodImpl(MethodImplOptions.NoInlining)]
	static int Third(int n) {
		if (n % 50 == 0)
			throw new ArgumentException("third");
		return n * 2;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static int Second(int n) {
		try {
			return Third(n) + 1;
		} catch (InvalidOperationException) {
			return -1;
		}
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static int First(int n) { return Second(n) + 1; }

	[MethodImpl(MethodImplOptions.NoInlining)]
	static string Here() {
		var said = new StringBuilder();

		foreach (StackFrame f in new StackTrace().GetFrames()) {
			said.Append(f.GetMethod().Name).Append(' ');
			if (f.GetMethod().Name == "Round")
				break;
		}
		return said.ToString();
	}

	static string Names(Exception e) {
		var said = new StringBuilder();

		foreach (StackFrame f in new StackTrace(e).GetFrames())
			said.Append(f.GetMethod().Name).Append(' ');
		return said.ToString();
	}

	static string Round() {
		string said = Here() + System.Reflection.MethodBase.GetCurrentMethod().Name;

		for (int i = 1; i < 2001; i++) {
			try {
				First(i);
			} catch (ArgumentException e) {
				if (i % 1000 == 0)
					said += " " + Names(e);
				if (!e.StackTrace.Contains("Program.Third"))
					said += " lost";
			}
		}
		return said;
	}

	static void Main() { Loop.Run("traces", Round); }
}
