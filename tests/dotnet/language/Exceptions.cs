// hot
// Exceptions through frames that are compiled again: nested, filtered, rethrown,
// in finally, in constructors, with frames of several kinds between.
using System;
using System.Collections.Generic;

class Mine : Exception {
	public readonly int code;
	public Mine(int code) : base("mine " + code) { this.code = code; }
}
class Yours : Mine { public Yours(int code) : base(code) { } }

class Picky {
	public readonly int n;
	public Picky(int n) { if (n % 7 == 3) throw new Mine(n); this.n = n; }
}

class Held : IDisposable {
	public static int open;
	public Held() { open++; }
	public void Dispose() { open--; }
}

static class Program {
	static int order, done;

	static int Thrower(int n) {
		for (int more = 0; more < Loop.More; more++)
			done ^= more;
		order = order * 3 + 1;
		if (n % 4 == 0)
			throw new Mine(n);
		if (n % 4 == 1)
			throw new Yours(n);
		if (n % 4 == 2)
			throw new InvalidOperationException();
		return n;
	}

	static int Middle(int n, int depth) {
		try {
			using (new Held())
				return depth == 0 ? Thrower(n) :
				       Middle(n, depth - 1) + 1;
		} finally {
			order = order * 5 + depth;
		}
	}

	static bool Wanted(Mine e, int n) { order += 7; return e.code % 8 == n % 8; }

	static int Outer(int n) {
		try {
			try {
				return Middle(n, n % 5);
			} catch (Yours e) when (e.code % 3 == 0) {
				return 1000 + e.code;
			} catch (Mine e) when (Wanted(e, n)) {
				throw;
			} catch (InvalidOperationException e) {
				throw new Mine(n + e.Message.Length * 0);
			}
		} catch (Mine e) {
			return e.code * 2;
		}
	}

	static int InFinally(int n) {
		int got = 0;

		try {
			try {
				Thrower(n & ~3);
			} finally {
				try {
					Thrower(n | 1);
				} catch (Mine e) {
					got = e.code;
				} catch (InvalidOperationException) {
					got = -1;
				}
			}
		} catch (Exception e) {
			return got + e.Message.Length;
		}
		return -2;
	}

	static int Return(int n) {
		foreach (int i in new[] { 1, 2, 3 }) {
			try {
				if (i == n % 4)
					return i * 10;
				if (i == 2)
					continue;
			} finally {
				order++;
			}
		}
		return 0;
	}

	static int Delegated(int n) {
		Func<int, int> f = Thrower;

		try {
			return new List<int> { n }.ConvertAll(x => f(x))[0];
		} catch (Mine e) {
			return e.code;
		} catch (InvalidOperationException) {
			return 5;
		}
	}

	static long Round() {
		long sum = 0;

		order = 1;
		for (int i = 0; i < 60; i++) {
			sum = sum * 7 + Outer(i) + InFinally(i) + Return(i) +
			      Delegated(i);
			try {
				sum += new Picky(i).n;
			} catch (Mine e) {
				sum -= e.code;
			}
		}
		return sum + order + Held.open;
	}

	static void Main() { Loop.Run("exceptions", Round); }
}
