/*
 * strings.cs - StringBuilder, Split, characters
 *
 *	strings.exe N: N lines, each after the same work
 */
using System;
using System.Text;

static class Program {
	static string Join(int words)
	{
		var text = new StringBuilder();

		for (int i = 0; i < words; i++) {
			text.Append(i);
			text.Append(',');
			text.Append("abc");
		}
		return text.ToString();
	}

	static long Sum(string text)
	{
		long sum = 0;

		foreach (char c in text)
			sum += c;
		return sum;
	}

	static void Main(string[] args)
	{
		for (int n = int.Parse(args[0]); n > 0; n--) {
			long sum = 0;

			for (int i = 0; i < 40; i++) {
				string text = Join(4000);

				sum += Sum(text) + text.Split(',').Length;
			}
			Console.WriteLine("sum {0}", sum);
		}
	}
}
