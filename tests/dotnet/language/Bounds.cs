// Loops whose index overflows, and is checked all the same.
using System;

static class Program {
	static int Steps(int[] a, int n) {
		int s = 0, i = 0;

		for (int k = 0; k < n; k++) {
			if (i < a.Length)
				s += a[i];
			i += 0x40000000;
		}
		return s;
	}

	static int Down(int[] a, int n) {
		int s = 0, i = a.Length - 1;

		for (int k = 0; k < n; k++) {
			if (i >= 0)
				s += a[i];
			i -= 0x40000000;
		}
		return s;
	}

	static int Thrown(Func<int> f) {
		try {
			return f();
		} catch (IndexOutOfRangeException) {
			return -1;
		}
	}

	static long Round() {
		var a = new int[] { 1, 2, 3, 4, 5, 6, 7, 8 };
		long sum = 0;

		for (int i = 0; i < Loop.More; i++) {
			sum = sum * 31 + Thrown(() => Steps(a, 2));
			sum = sum * 31 + Thrown(() => Steps(a, 4));
			sum = sum * 31 + Thrown(() => Down(a, 2));
			sum = sum * 31 + Thrown(() => Down(a, 4));
		}
		return sum;
	}

	static void Main() { Loop.Run("bounds", Round); }
}
