// lives.cs - how much memory a program has whose application domains come and go
//
//	lives LIVES
//
// Makes, heats and unloads LIVES domains. Prints to standard error how much memory
// it had, in KB, after a fifth of them and at the end.
using System;
using System.Collections.Generic;
using System.IO;

class Worker : MarshalByRefObject {
	static int Fold(int n, int by) {
		int sum = n;

		for (int i = 0; i < 20; i++)
			sum = sum * by + (sum >> 3) + i;
		return sum;
	}

	static int Both(int n) { return Fold(n, 2) + Fold(n, 7); }

	public int Work(int n) {
		var words = new Dictionary<string, int>();
		int sum = 0;

		for (int i = 0; i < n; i++) {
			words[(i % 50).ToString()] = i;
			sum += Both(i) + words.Count;
		}
		return sum;
	}
}

static class Program {
	static string Resident() {
		foreach (string line in File.ReadAllLines("/proc/self/status"))
			if (line.StartsWith("VmRSS:"))
				return line.Substring(6).Replace("kB", "").Trim();
		return "0";
	}

	static int Life() {
		AppDomain d = AppDomain.CreateDomain("a life");
		var w = (Worker)d.CreateInstanceAndUnwrap(
			typeof(Worker).Assembly.FullName, "Worker");
		int sum = w.Work(20000);

		AppDomain.Unload(d);
		return sum;
	}

	static void Main(string[] args) {
		int lives = int.Parse(args[0]), first = Life();

		for (int i = 1; i < lives; i++) {
			if (Life() != first)
				Console.WriteLine("another sum");
			if (i == lives / 5)
				Console.Error.WriteLine("early " + Resident());
		}
		Console.Error.WriteLine("late " + Resident());
		Console.WriteLine("sum " + first);
	}
}
