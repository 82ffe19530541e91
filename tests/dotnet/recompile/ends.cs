// ends.cs - every way in which a program ends, while it is compiled again
//
//	ends HOW MS
//
// Threads run hot methods; after MS the program ends by HOW.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;

class Remote : MarshalByRefObject {
	public int Run(int n) {
		int s = 0;
		for (int i = 0; i < n; i++)
			s = s * 31 + Program.Work(i & 255);
		return s;
	}
}

static class Program {
	[MethodImpl(MethodImplOptions.NoInlining)]
	public static int Work(int n) {
		int s = 0;
		for (int i = 0; i < n; i++)
			s = s * 7 + Small(i);
		return s;
	}

	static int Small(int i) { return i * 3 ^ i >> 2; }

	static void Busy() {
		int expected = Work(300);
		for (;;)
			if (Work(300) != expected)
				Environment.FailFast("wrong");
	}

	static void Start(bool background) {
		for (int i = 0; i < 3; i++)
			new Thread(Busy) { IsBackground = background }.Start();
	}

	static int Main(string[] arg) {
		string how = arg[0];
		int ms = int.Parse(arg[1]);

		Start(how != "foreground");
		if (how != "thread")
			Thread.Sleep(ms);
		switch (how) {
		case "return":
			return 3;
		case "exit":
			Environment.Exit(4);
			break;
		case "thread":	// Exit on another thread, while Main waits
			new Thread(() => {
				Thread.Sleep(ms);
				Environment.Exit(5);
			}).Start();
			Thread.Sleep(-1);
			break;
		case "unhandled":
			throw new InvalidOperationException("unhandled");
		case "unhandled-thread":
			new Thread(() => {
				throw new InvalidOperationException("unhandled");
			}).Start();
			Thread.Sleep(-1);
			break;
		case "domain":
			var domain = AppDomain.CreateDomain("other");
			var remote = (Remote)domain.CreateInstanceAndUnwrap(
				typeof(Remote).Assembly.FullName, "Remote");
			int result = remote.Run(20000);
			AppDomain.Unload(domain);
			return result == new Remote().Run(20000) ? 6 : 1;
		case "term":
		case "int":
		case "abort":
			Process.Start("/bin/kill", "-" + how.ToUpper().Replace("ABORT", "ABRT") + " " +
				Process.GetCurrentProcess().Id).WaitForExit();
			Thread.Sleep(-1);
			break;
		case "foreground":	// they end by themselves
			new Thread(() => {
				Thread.Sleep(ms);
				Environment.Exit(7);
			}).Start();
			return 8;
		case "failfast":
			Environment.FailFast("failfast");
			break;
		}
		return 9;
	}
}
