// args: 0
// args: 3
// args: 300
// args: -1
// args: main 5
// args: thread 6
// args: native 7
// args: throw main
// args: throw thread
// args: throw pool
// args: throw filter
// args: throw cctor
// args: throw domain
// modes: off auto stress
// All the ways out: returned, Environment.Exit(), exceptions nobody catches.
using System;
using System.Runtime.InteropServices;
using System.Threading;

class Broken {
	public static int n = int.Parse("no");
}

static class Program {
	[DllImport("libc")]
	static extern void exit(int status);

	static int Work(int n) {
		int x = n;

		for (int i = 0; i < 1000; i++)
			x = x * 31 + i;
		return x;
	}

	static long Round() {
		long sum = 0;

		for (int i = 0; i < 300; i++)
			sum += Work(i);
		return sum;
	}

	static void Throw(string where) {
		switch (where) {
		case "main":
			throw new ApplicationException("in main");
		case "thread":
			var t = new Thread(() => {
				throw new ApplicationException("in a thread");
			});
			t.Start();
			t.Join();
			Thread.Sleep(Timeout.Infinite);
			break;
		case "pool":
			ThreadPool.QueueUserWorkItem(o => {
				throw new ApplicationException("in the pool");
			});
			Thread.Sleep(Timeout.Infinite);
			break;
		case "filter":
			try {
				throw new ApplicationException("filtered");
			} catch (ApplicationException e) when (e.Message == "no") {
			}
			break;
		case "cctor":
			Console.WriteLine(Broken.n);
			break;
		case "domain":
			AppDomain.CurrentDomain.UnhandledException += (s, e) =>
				Console.WriteLine("seen " +
					((Exception)e.ExceptionObject).Message);
			throw new ApplicationException("said first");
		}
	}

	static int Main(string[] args) {
		int status;

		AppDomain.CurrentDomain.ProcessExit += (s, e) =>
			Console.WriteLine("exit event");
		Loop.Run("exits", Round);
		if (int.TryParse(args[0], out status))
			return status;
		if (args[0] == "throw") {
			Throw(args[1]);
			return 77;
		}
		status = int.Parse(args[1]);
		switch (args[0]) {
		case "native":
			exit(status);
			break;
		case "main":
			try {
				Environment.Exit(status);
			} finally {
				Console.WriteLine("not reached");
			}
			break;
		case "thread":
			new Thread(() => Environment.Exit(status)).Start();
			for (;;)
				Round();
		}
		return 88;
	}
}
