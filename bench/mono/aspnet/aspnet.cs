// aspnet.cs - pages of an ASP.NET application, as fast as they come
//
//	aspnet.exe FOLDER PAGES [THREADS]
//
// FOLDER has bin/aspnet.exe, this program, and default.aspx. The pages are made in
// an application domain of their own, as in every ASP.NET host. The output is a
// line for each tenth of the pages: how many, and the process's CPU time in ms
// that they took.
using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Web;
using System.Web.Hosting;

public class Host : MarshalByRefObject {
	public string Page() {
		var to = new StringWriter();

		HttpRuntime.ProcessRequest(new SimpleWorkerRequest("default.aspx", "", to));
		return to.ToString();
	}

	// The CPU time that n pages took. Each is the same.
	public double Run(int n, int threads) {
		double before = Used();
		string want = Page();
		var all = new Thread[threads];

		for (int i = 0; i < threads; i++) {
			all[i] = new Thread(() => {
				while (Interlocked.Decrement(ref n) > 0)
					if (Page() != want)
						Environment.Exit(3);
			});
			all[i].Start();
		}
		foreach (var t in all)
			t.Join();
		return Used() - before;
	}

	static double Used() {
		return Process.GetCurrentProcess().TotalProcessorTime.TotalMilliseconds;
	}

	public override object InitializeLifetimeService() { return null; }
}

static class Program {
	static void Main(string[] a) {
		int n = int.Parse(a[1]) / 10, threads = a.Length > 2 ? int.Parse(a[2]) : 1;
		var host = (Host)ApplicationHost.CreateApplicationHost(typeof(Host), "/",
			Path.GetFullPath(a[0]));

		for (int i = 0; i < 10; i++)
			Console.WriteLine("{0} {1:f0}", n, host.Run(n, threads));
		Console.Out.Flush();
		Environment.Exit(0);
	}
}
