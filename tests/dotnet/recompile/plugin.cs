// hot
// plugin.cs - an assembly that only application domains load which are unloaded
//
// With LIBRARY it is that assembly. The program loads it into one domain after the
// other: what is compiled of it goes with the domain, and so does the assembly.
using System;
#if LIBRARY
using System.Collections.Generic;
using System.Linq;

public struct Pair { public int A, B; }

public class Plugin : MarshalByRefObject, IComparable {
	static int calls;
	readonly List<Pair> pairs = new List<Pair>();
	readonly Dictionary<string, Plugin> others = new Dictionary<string, Plugin>();

	static int Mix(int a, int b) {
		if (((a ^ b) & 3) == 0)
			return a - b;
		return a * 5 + b;
	}

	int Fill(int n) {
		int sum = 0;

		pairs.Clear();
		for (int i = 0; i < n; i++)
			pairs.Add(new Pair { A = i, B = Mix(i, n) });
		foreach (Pair p in pairs)
			sum = sum * 3 + Mix(p.A, p.B);
		others["it"] = this;
		return sum + others.Values.Sum(p => p.pairs.Count);
	}

	public int CompareTo(object n) {
		int sum = 0;

		for (int i = 0; i < 100; i++)
			sum += Fill((int)n) + ++calls;
		return sum;
	}
}
#else
static class Program {
	static string Life() {
		AppDomain d = AppDomain.CreateDomain("plugins");
		var p = (IComparable)d.CreateInstanceAndUnwrap("Library", "Plugin");
		string sums = p.CompareTo(300) + " " + p.CompareTo(200);

		AppDomain.Unload(d);
		return sums;
	}

	static void Main() { Loop.Run("lives", Life); }
}
#endif
