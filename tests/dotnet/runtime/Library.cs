// hot
// Methods of mscorlib's, which Debian ships compiled ahead of time: some are
// shared by instances, some called through interfaces, some with callbacks.
using System;
using System.Collections.Generic;
using System.Text;

static class Library {
	sealed class Backwards : IComparer<string> {
		public int Compare(string a, string b) {
			return -string.CompareOrdinal(a, b);
		}
	}

	struct Point { public int x, y; }

	static readonly string[] words = new string[200];
	static string line;

	static int Texts() {
		var text = new StringBuilder();

		for (int i = 0; i < 500; i++)
			text.Append("word").Append(' ').Append(i);
		return text.ToString().Length;
	}

	static int Split() {
		int n = 0;

		foreach (string word in line.Split(' '))
			n += word.Length;
		return n;
	}

	static int Sort() {
		var copy = (string[])words.Clone();

		Array.Sort(copy, new Backwards());
		for (int i = 1; i < copy.Length; i++)
			if (string.CompareOrdinal(copy[i - 1], copy[i]) < 0)
				return -1;
		return copy[0].Length;
	}

	static int Tables() {
		var byName = new Dictionary<string, int>();
		int sum = 0;

		for (int i = 0; i < words.Length; i++)
			byName[words[i]] = i;
		foreach (string word in words)
			sum += byName[word];
		return sum;
	}

	static int Lists() {
		var points = new List<Point>();
		IList<Point> same = points;
		int sum = 0;

		for (int i = 0; i < 500; i++)
			points.Add(new Point { x = i, y = -i });
		for (int i = 0; i < 500; i++)
			sum += points[i].x + same[i].y + 1;
		return sum;
	}

	static void Main() {
		for (int i = 0; i < words.Length; i++)
			words[i] = (i * 7919 % 1009).ToString();
		line = string.Join(" ", words);
		Loop.Run("texts", 0.2, Texts);
		Loop.Run("split", 0.2, Split);
		Loop.Run("sort", 0.2, Sort);
		Loop.Run("tables", 0.2, Tables);
		Loop.Run("lists", 0.2, Lists);
	}
}
