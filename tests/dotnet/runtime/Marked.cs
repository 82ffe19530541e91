// hot
// A method that the program itself marks to be inlined keeps its mark, and one that it
// does not has none, whatever was inlined meanwhile.
using System;
using System.Reflection;
using System.Runtime.CompilerServices;

static class Program {
	[MethodImpl(MethodImplOptions.AggressiveInlining)]
	static int Own(int x) {
		if (x % 3 == 0)
			return x * 5;
		if (x % 5 == 0)
			return x - 1;
		return x ^ (x << 3) ^ (x >> 7);
	}

	static int Plain(int x) {
		if (x % 7 == 0)
			return x * 11;
		if (x % 4 == 0)
			return x - 3;
		return x ^ (x << 5) ^ (x >> 3);
	}

	static readonly Func<int, int> own = Own, plain = Plain;

	static int Work() {
		int sum = 0;

		for (int i = 0; i < 20000; i++)
			sum = sum * 7 + Own(i) + Plain(i);
		return sum;
	}

	static int Round() {
		int sum = 0;

		for (int i = 0; i < 20; i++) {
			for (int k = 0; k < 20000; k++)
				sum = sum * 3 + own(k) + plain(k);
			sum += Work();
		}
		return sum;
	}

	static bool IsMarked(string name) {
		MethodInfo m = typeof(Program).GetMethod(name,
			BindingFlags.Static | BindingFlags.NonPublic);

		return ((int)m.GetMethodImplementationFlags() &
			(int)MethodImplOptions.AggressiveInlining) != 0;
	}

	static void Main() {
		Loop.Run("round", Round);
		Console.WriteLine("own {0}, plain {1}", IsMarked("Own"),
				  IsMarked("Plain"));
	}
}
