// lazy.cs - an assembly that is in no folder Mono knows, and that a handler finds when
// the program needs it (-d:LIBRARY: that assembly)
using System;
using System.Reflection;
using System.Threading;

#if LIBRARY
public class Thing {
	public int Number;

	public override string ToString() { return "a thing"; }
}
#else
static class Lazy {
	static int asked;
	static Thread main;

	static Assembly Find(object from, ResolveEventArgs what) {
		asked++;
		Console.WriteLine("asked for {0}, by the main thread {1}",
				  what.Name.Split(',')[0],
				  Thread.CurrentThread == main);
		return Assembly.LoadFrom("lazy/Thing.dll");
	}

	static int Late(int x) {
		var thing = new Thing();

		thing.Number = x;
		return thing.Number * 100 + thing.ToString().Length;
	}

	static int Step(int x) {
		if (x < 0)
			return Late(x);
		return x % 3 == 0 ? x * 5 + 1 : x - (x >> 2);
	}

	static long Round() {
		long sum = 0;

		for (int i = 0; i < 200000; i++)
			sum = sum * 3 + Step(i);
		return sum;
	}

	static void Main() {
		main = Thread.CurrentThread;
		AppDomain.CurrentDomain.AssemblyResolve += Find;
		Loop.Run("round", Round);
		Console.WriteLine("asked {0} times", asked);
		Console.WriteLine(Step(-7));
		Console.WriteLine("asked {0} times", asked);
	}
}
#endif
