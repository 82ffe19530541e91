/*
 * stress.cs - everything at once, on several threads, with results that are checked
 *
 *	stress SEED ROUNDS
 *
 * What each worker does follows from SEED; the last line is a digest of all
 * results, the same in every run. Threads that are aborted, parked or started
 * and ended meanwhile check what they do themselves. Exit status 1: something
 * was wrong, and a line says what.
 */
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

static class Hot
{
	public static int Mix(int x)
	{
		x ^= x << 7;
		x = x * 31 + 17;
		return x ^ (int)((uint)x >> 9);
	}

	[MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
	public static int MixCheck(int x)
	{
		x = x ^ (x << 7);
		x = x * 31 + 17;
		return x ^ (int)((uint)x >> 9);
	}

	public static int Arithmetic(int n)
	{
		int s = 0;
		for (int i = 0; i < n; i++)
			s = s * 3 + Mix(i);
		return s;
	}

	public static int Vectors(int n)
	{
		var a = new Vector(0, 0);
		for (int i = 0; i < n; i++)
			a = a + new Vector(i, i + 1);
		return a.Dot(new Vector(3, 5));
	}

	public static int Shapes(Shape[] shape, int n)
	{
		int s = 0;
		for (int i = 0; i < n; i++) {
			IShape any = shape[i % shape.Length];
			s += any.Area(i) + shape[(i + 1) % shape.Length].Twice(i);
		}
		return s;
	}

	public static T Last<T>(List<T> list, Func<T, bool> which)
	{
		for (int i = list.Count - 1; i >= 0; i--)
			if (which(list[i]))
				return list[i];
		return default(T);
	}

	/* Frames stay in here while versions come and go. */
	public static int Deep(int depth, Func<int, int> bottom)
	{
		int below;

		if (depth == 0)
			return bottom(0);
		try {
			below = Deep(depth - 1, bottom);
		} finally {
			Depths.Left++;
		}
		return Mix(below) + depth;
	}

	public static int DeepCheck(int depth, int bottom)
	{
		int r = bottom;
		for (int i = 1; i <= depth; i++)
			r = MixCheck(r) + i;
		return r;
	}

	static readonly int[] pair = new int[2];
	static string none;

	static int Raise(int depth, int code)
	{
		if (depth == 0) {
			if ((code & 3) == 0)
				throw new Failure(code);
			if ((code & 3) == 1)
				return pair[code & 6 | 2];
			if ((code & 3) == 2)
				return code / (depth + depth);
			return none.Length;
		}
		try {
			return Raise(depth - 1, code) + 1;
		} finally {
			Depths.Left++;
		}
	}

	public static int Throwing(int depth, int code)
	{
		int before = Depths.Left, caught = 0;

		try {
			Raise(depth, code);
		} catch (Failure f) when ((f.Code & 4) == 0) {
			caught = f.Code + 1;
		} catch (Failure f) {
			caught = f.Code + 2;
		} catch (DivideByZeroException) {
			caught = 3;
		} catch (IndexOutOfRangeException) {
			caught = 4;
		} catch (NullReferenceException) {
			caught = 5;
		}
		return caught + Depths.Left - before;
	}

	public static int ThrowingCheck(int depth, int code)
	{
		int caught;

		if ((code & 3) == 0)
			caught = (code & 4) == 0 ? code + 1 : code + 2;
		else
			caught = (code & 3) == 1 ? 4 : (code & 3) == 2 ? 3 : 5;
		return caught + depth;
	}
}

static class Depths
{
	[ThreadStatic] public static int Left;
}

/* -- Workers ----------------------------------------------------------------- */

class Shared
{
	readonly object gate = new object();
	long sum, adds;
	public void Add(int v)
	{
		lock (gate) {
			sum += v;
			adds++;
			if ((adds & 255) == 0)
				Monitor.PulseAll(gate);
		}
	}
	public void Await()
	{
		lock (gate)
			Monitor.Wait(gate, 1);
	}
	public long Sum { get { lock (gate) return sum; } }
	public long Adds { get { lock (gate) return adds; } }
}

class Worker
{
	static readonly Shape[] shape = {
		new Square(3), new Oblong(2, 5), new Square(7), new Oblong(1, 1)
	};
	readonly Shared shared;
	readonly int rounds;
	readonly Func<int, int>[] step;
	Random32 random;
	public long Digest, Added;

	public Worker(uint seed, int rounds, Shared shared)
	{
		random = new Random32(seed);
		this.rounds = rounds;
		this.shared = shared;
		step = new Func<int, int>[] {
			Hot.Arithmetic, Hot.Vectors, n => Hot.Shapes(shape, n),
			Lists, Trees, Texts, Recursion, Exceptions, Locks,
			Dictionaries, Garbage
		};
	}

	int Lists(int n)
	{
		var text = new List<string>();
		var number = new List<long>();
		for (int i = 0; i < n; i++) {
			text.Add(i % 7 == 0 ? "seven" : "other");
			number.Add(i);
		}
		int limit = n / 2;
		string found = Hot.Last(text, s => s == "seven");
		return (int)Hot.Last(number, v => v <= limit) +
		       (found == null ? 0 : found.Length);
	}

	int Trees(int n)
	{
		return Node.Make(n % 9, n).Sum();
	}

	int Texts(int n)
	{
		string s = "";
		for (int i = 0; i < n % 40; i++)
			s = s + (char)('a' + i % 26);
		int h = 0;
		foreach (char c in s)
			h = h * 31 + c;
		return h;
	}

	int Recursion(int n)
	{
		int r = Hot.Deep(n % 50, x => x + n);
		Check.Equal(r, Hot.DeepCheck(n % 50, n), "recursion");
		return r;
	}

	int Exceptions(int n)
	{
		int r = Hot.Throwing(n % 12, n);
		Check.Equal(r, Hot.ThrowingCheck(n % 12, n), "exception");
		return r;
	}

	int Locks(int n)
	{
		for (int i = 0; i < n; i++)
			shared.Add(i);
		Added += (long)n * (n - 1) / 2;
		return n;
	}

	int Dictionaries(int n)
	{
		var d = new Dictionary<string, int>();
		for (int i = 0; i < n % 60; i++)
			d["k" + i % 13] = i;
		int s = 0;
		foreach (var e in d)
			s += e.Value;
		return s;
	}

	int Garbage(int n)
	{
		if (n % 16 == 0)
			GC.Collect(n % 3);
		new Finalized(n % 50);
		return n;
	}

	public void Run()
	{
		for (int i = 0; i < rounds; i++) {
			int what = random.Below(step.Length), n = random.Below(300);
			Digest = Digest * 1000003 + step[what](n) * 16 + what;
		}
	}
}

static class Program
{
	const int Workers = 3;

	static Thread Started(ThreadStart run)
	{
		var t = new Thread(run);
		t.Start();
		return t;
	}

	static int Main(string[] arg)
	{
		uint seed = uint.Parse(arg[0]);
		int rounds = int.Parse(arg[1]);
		var shared = new Shared();
		var worker = new Worker[Workers];
		var thread = new Thread[Workers];
		var others = new List<Thread>();
		long digest = 0, added = 0;

		others.Add(Started(new Parked(shared, false).Run));
		others.Add(Started(new Parked(shared, true).Run));
		others.Add(Started(new Aborted().Run));
		others.Add(Started(new Churn().Run));
		for (uint i = 0; i < Workers; i++) {
			worker[i] = new Worker(seed + 7919 * i, rounds, shared);
			thread[i] = Started(worker[i].Run);
		}
		for (int i = 0; i < Workers; i++) {
			thread[i].Join();
			digest = digest * 31 + worker[i].Digest;
			added += worker[i].Added;
		}
		Parked.Stop = Aborted.Stop = Churn.Stop = true;
		foreach (var t in others)
			t.Join();
		Check.Equal(shared.Sum, added, "sum under the lock");
		GC.Collect();
		GC.WaitForPendingFinalizers();
		if (Finalized.Ended > Finalized.Made ||
		    Finalized.Made - Finalized.Ended > 100)
			Check.Fail("finalizers: " + Finalized.Ended + " of " +
				   Finalized.Made);
		Console.WriteLine("seed " + seed + " digest " + digest);
		return Check.Failures == 0 ? 0 : 1;
	}
}
