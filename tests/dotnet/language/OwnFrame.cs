// Hot methods that ask for themselves on the stack, now and then.
using System;
using System.Diagnostics;
using System.Reflection;

static class Program {
	static string who;
	static int sum;

	static int Work(int x) {
		sum += x * 3;
		sum ^= x >> 2;
		sum += (x & 7) * sum;
		return sum;
	}

	static int Current(int x) {
		if (x < 0) {
			who = MethodBase.GetCurrentMethod().Name;
			return 0;
		}
		sum += x * 3;
		sum ^= x >> 2;
		sum += (x & 7) * sum;
		return sum;
	}

	static int Frame(int x) {
		if (x < 0) {
			who = new StackFrame(0).GetMethod().Name;
			return 0;
		}
		sum += x * 3;
		sum ^= x >> 2;
		sum += (x & 7) * sum;
		return sum;
	}

	static int All(int n) {
		int s = 0;

		for (int i = 0; i < n; i++)
			s += Current(i) + Frame(i) + Work(i);
		if (n == 1) {
			Current(-1);
			s += who.Length;
			Frame(-1);
			s += who.Length * 100;
		}
		return s;
	}

	static long Round() {
		sum = 1;
		return All(20000) * 1000L + All(1);
	}

	static void Main() { Loop.Run("own frame", Round); }
}
