// hot
// gains
// Small methods that Mono does not inline by itself, in loops.
using System;

class Cell {
	int v;
	public int Step(int by, int limit) {
		int next = v + by;

		if (next >= limit)
			next -= limit;
		if ((next & 1) == 0)
			next += 1;
		v = next;
		return next;
	}
}

static class Program {
	static int Mix(int a, int b, int c) {
		int x = a * 31 + b;

		x ^= x >> 7;
		x += c * 17;
		return x ^ (x << 3) ^ (b & c);
	}

	static double Clamp(double v, double lo, double hi) {
		if (v < lo)
			return lo;
		if (v > hi)
			return hi;
		return v * 0.5 + lo;
	}

	static long Inner(Cell cell, int n) {
		long sum = 0;
		double d = 1;

		for (int i = 0; i < n; i++) {
			sum += Mix(i, (int)sum, cell.Step(i, 1000));
			d = Clamp(d + i, -5, 500);
		}
		return sum + (long)d;
	}

	static long Round() {
		var cell = new Cell();
		long sum = 0;

		for (int i = 0; i < 300; i++)
			sum += Inner(cell, 300);
		return sum;
	}

	static void Main() { Loop.Run("inlining", Round); }
}
