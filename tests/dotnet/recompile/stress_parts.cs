/*
 * stress_parts.cs - the small types of stress.cs, how it checks
 * results, and threads that are parked, aborted, started and ended
 */
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

class Failure : Exception
{
	public readonly int Code;
	public Failure(int code) { Code = code; }
}

struct Random32
{
	uint state;
	public Random32(uint seed) { state = seed * 2654435761u + 1; }
	public uint Next()
	{
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		return state;
	}
	public int Below(int n) { return (int)(Next() % (uint)n); }
}

/* -- What is hot ------------------------------------------------------------- */

struct Vector
{
	public int X, Y;
	public Vector(int x, int y) { X = x; Y = y; }
	public static Vector operator +(Vector a, Vector b)
	{
		return new Vector(a.X + b.X, a.Y + b.Y);
	}
	public int Dot(Vector o) { return X * o.X + Y * o.Y; }
}

interface IShape { int Area(int scale); }

abstract class Shape : IShape
{
	public abstract int Area(int scale);
	public virtual int Twice(int scale) { return 2 * Area(scale); }
}

class Square : Shape
{
	readonly int side;
	public Square(int side) { this.side = side; }
	public override int Area(int scale) { return side * side * scale; }
}

class Oblong : Shape
{
	readonly int a, b;
	public Oblong(int a, int b) { this.a = a; this.b = b; }
	public override int Area(int scale) { return a * b * scale; }
	public override int Twice(int scale) { return Area(scale) + Area(scale); }
}

class Finalized
{
	public static int Made, Ended;
	readonly int[] content;
	public Finalized(int n)
	{
		Interlocked.Increment(ref Made);
		content = new int[n + 1];
		for (int i = 0; i <= n; i++)
			content[i] = Hot.Mix(i);
	}
	~Finalized()
	{
		for (int i = 0; i < content.Length; i++)
			if (content[i] != Hot.MixCheck(i))
				Check.Fail("finalizer: content");
		Interlocked.Increment(ref Ended);
	}
}

class Node
{
	public Node Left, Right;
	public int Value;
	public static Node Make(int depth, int value)
	{
		if (depth == 0)
			return new Node { Value = value };
		return new Node {
			Left = Make(depth - 1, 2 * value),
			Right = Make(depth - 1, 2 * value + 1), Value = value
		};
	}
	public int Sum()
	{
		return Value + (Left != null ? Left.Sum() + Right.Sum() : 0);
	}
}

static class Check
{
	public static int Failures;
	public static void Fail(string what)
	{
		Interlocked.Increment(ref Failures);
		Console.WriteLine("wrong: " + what);
	}
	public static void Equal(long a, long b, string what)
	{
		if (a != b)
			Fail(what + ": " + a + " is not " + b);
	}
}

/* Sleeps at the bottom of hot methods, while these are replaced. */
class Parked
{
	public static volatile bool Stop;
	readonly Shared shared;
	readonly bool throws;
	public int Times;

	public Parked(Shared shared, bool throws)
	{
		this.shared = shared;
		this.throws = throws;
	}

	int Bottom(int x)
	{
		for (int i = 0; i < 20 && !Stop; i++) {
			if ((Times & 1) == 0)
				Thread.Sleep(10);
			else
				shared.Await();
		}
		if (throws)
			throw new Failure(77);
		return 5;
	}

	public void Run()
	{
		do {
			int before = Depths.Left, depth = 10 + Times % 30, r;

			try {
				r = Hot.Deep(depth, Bottom);
				if (throws)
					Check.Fail("parked: no exception");
				Check.Equal(r, Hot.DeepCheck(depth, 5), "parked");
			} catch (Failure f) {
				Check.Equal(f.Code, 77, "parked: exception");
				if (f.StackTrace.IndexOf("Deep") < 0)
					Check.Fail("parked: trace " + f.StackTrace);
			}
			Check.Equal(Depths.Left - before, depth, "parked: left");
			Times++;
		} while (!Stop);
	}
}

/* Threads that are aborted in hot code, and the one that does it. */
class Aborted
{
	public static volatile bool Stop;
	public int Times;

	static void Victim()
	{
		bool inside = false;

		try {
			for (;;) {
				try {
					inside = true;
					Check.Equal(Hot.Arithmetic(50) ^ Hot.Vectors(9),
						    expected, "aborted");
				} finally {
					inside = false;
				}
			}
		} catch (ThreadAbortException) {
			if (inside)
				Check.Fail("aborted: finally was left out");
			Thread.ResetAbort();
		}
	}

	static readonly int expected = Hot.Arithmetic(50) ^ Hot.Vectors(9);

	public void Run()
	{
		do {
			var t = new Thread(Victim);
			t.Start();
			Thread.Sleep(5);
			t.Abort();
			if (!t.Join(600000))
				Check.Fail("aborted: does not end");
			Times++;
		} while (!Stop);
	}
}

/* Threads that live for a moment. */
class Churn
{
	public static volatile bool Stop;
	public int Times;

	public void Run()
	{
		int expected = Hot.Shapes(new Shape[] { new Square(2) }, 100);

		do {
			var t = new Thread[4];
			var r = new int[4];
			for (int i = 0; i < t.Length; i++) {
				int at = i;
				t[i] = new Thread(() => r[at] = Hot.Shapes(
					new Shape[] { new Square(2) }, 100));
				t[i].Start();
			}
			for (int i = 0; i < t.Length; i++) {
				t[i].Join();
				Check.Equal(r[i], expected, "churn");
			}
			int pooled = 0;
			using (var done = new ManualResetEvent(false)) {
				ThreadPool.QueueUserWorkItem(_ => {
					pooled = Hot.Arithmetic(20);
					done.Set();
				});
				done.WaitOne();
			}
			Check.Equal(pooled, Hot.Arithmetic(20), "pool");
			Times++;
		} while (!Stop);
	}
}
