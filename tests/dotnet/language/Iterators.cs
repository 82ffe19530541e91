// hot
// mcs: -r:System.Core
// Iterators, LINQ, and what the class library does hot: strings, builders,
// dictionaries, sorting with comparers, regular expressions.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

static class Program {
	static IEnumerable<int> Primes(int n) {
		for (int i = 2; i < n; i++) {
			bool prime = true;

			for (int d = 2; d * d <= i && prime; d++)
				prime = i % d != 0;
			if (prime)
				yield return i;
		}
	}

	static IEnumerable<T> Nested<T>(IEnumerable<T> of, int depth) {
		try {
			foreach (T item in depth == 0 ? of : Nested(of, depth - 1))
				yield return item;
		} finally {
			ended++;
		}
	}

	static int ended;

	static long Words() {
		var text = new StringBuilder();
		var count = new Dictionary<string, int>();
		long sum = 0;

		for (int i = 0; i < 300; i++)
			text.Append("w").Append(i * 7 % 41).Append(i % 3 == 0 ? ", " : " ");
		foreach (string w in text.ToString().Split(' ', ',')) {
			int n;

			count.TryGetValue(w, out n);
			count[w] = n + 1;
		}
		foreach (var at in count.OrderBy(p => p.Key, StringComparer.Ordinal))
			sum = sum * 7 + at.Value * at.Key.Length;
		sum += text.ToString().ToUpperInvariant().IndexOf("W40") +
		       string.Join(";", count.Keys.Take(5)).Replace("w", "vv").Length;
		sum += Regex.Matches(text.ToString(), "w(\\d)\\1").Count;
		return sum + string.Format("{0:X4} {1,6:F2}", 77, 2.5).Length;
	}

	static long Sorts() {
		string[] words = Enumerable.Range(0, 200)
			.Select(i => "k" + i * 7919 % 1009).ToArray();
		int[] keys = Enumerable.Range(0, 200).Select(i => i * 31 % 211).ToArray();
		var list = new List<int>(keys);
		long sum = 0;

		Array.Sort(words, (a, b) => string.CompareOrdinal(b, a));
		Array.Sort(keys);
		list.Sort(Comparer<int>.Create((a, b) => b % 50 - a % 50 == 0 ?
			a - b : b % 50 - a % 50));
		for (int i = 0; i < 200; i++)
			sum = sum * 3 + words[i].Length + keys[i] + list[i];
		return sum + Array.BinarySearch(keys, 100);
	}

	static long Round() {
		long sum = 0;

		ended = 0;
		foreach (int p in Nested(Primes(500), 5))
			sum += p;
		foreach (int p in Nested(Primes(500), 5).Take(3))
			sum += p;
		sum += Primes(800).Where(p => p % 4 == 1)
			.Select(p => p * p).Zip(Primes(800), (a, b) => a - b).Sum();
		sum += Primes(300).GroupBy(p => p % 10).Sum(g => g.Key * g.Count());
		foreach (DictionaryEntry e in new Hashtable { { 1, 2 }, { "a", 3 } })
			sum += (int)e.Value;
		return sum + ended + Words() + Sorts();
	}

	static void Main() { Loop.Run("iterators", Round); }
}
