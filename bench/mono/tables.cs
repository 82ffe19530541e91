/*
 * tables.cs - Dictionary with numbers and with strings as keys
 *
 *	tables.exe N: N lines, each after the same work
 */
using System;
using System.Collections.Generic;

class Numbers {
	uint state = 12345;

	public uint Next()
	{
		uint x = state;

		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		return state = x;
	}
}

static class Program {
	static int Count<T>(Dictionary<T, int> count, T key)
	{
		int seen;

		count.TryGetValue(key, out seen);
		return count[key] = seen + 1;
	}

	static void Main(string[] args)
	{
		var names = new string[1000];

		for (int i = 0; i < names.Length; i++)
			names[i] = "key" + i;
		for (int n = int.Parse(args[0]); n > 0; n--) {
			var numbers = new Numbers();
			var byNumber = new Dictionary<int, int>();
			var byName = new Dictionary<string, int>();
			long sum = 0;

			for (int i = 0; i < 600000; i++)
				sum += Count(byNumber, (int)(numbers.Next() & 0x3fff));
			for (int i = 0; i < 400000; i++)
				sum += Count(byName, names[i % 1000]);
			foreach (var entry in byNumber)
				sum += entry.Key ^ entry.Value;
			Console.WriteLine("sum {0}", sum);
		}
	}
}
