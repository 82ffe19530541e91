/*
 * small.cs - methods a bit too long for a JIT to inline by itself
 *
 *	small.exe N: N lines, each after the same work
 */
using System;

static class Small {
	static int Mix(int a, int b, int c)
	{
		a -= c;
		a ^= (c << 4) | (int)((uint)c >> 28);
		c += b;
		b -= a;
		b ^= (a << 6) | (int)((uint)a >> 26);
		return a + b ^ c;
	}

	static int Clamp(int v, int low, int high)
	{
		if (v < low)
			return low;
		if (v > high)
			return high;
		return v;
	}

	static int Luma(int red, int green, int blue)
	{
		return Clamp((77 * red + 150 * green + 29 * blue) >> 8, 0, 255);
	}

	static long Pixels(int h)
	{
		long sum = 0;

		for (int i = 0; i < 1000000; i++) {
			h = Mix(h, i, i * 7);
			sum += Luma(h & 255, h >> 8 & 255, h >> 16 & 255);
		}
		return sum + h;
	}

	static void Main(string[] args)
	{
		for (int n = int.Parse(args[0]); n > 0; n--) {
			long sum = 0;

			for (int i = 0; i < 8; i++)
				sum += Pixels(i);
			Console.WriteLine("pixels {0}", sum);
		}
	}
}
