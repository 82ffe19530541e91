// hot
// Objects that only recompiled frames hold, of all sizes, while others allocate;
// pinned ones, weak references, finalizers, arrays of arrays.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

class Tree {
	public Tree left, right;
	public int value;
	public static Tree Make(int depth, int value) {
		if (depth == 0)
			return new Tree { value = value };
		return new Tree {
			left = Make(depth - 1, value * 2),
			right = Make(depth - 1, value * 2 + 1),
			value = value,
		};
	}
	public int Sum() {
		return value + (left == null ? 0 : left.Sum() - right.Sum());
	}
}

class Ended {
	public static int n;
	readonly byte[] some = new byte[100];
	~Ended() { if (some.Length == 100) Interlocked.Increment(ref n); }
}

static class Program {
	static int done;

	static int Deep(int n, object held) {
		var mine = new object[] { n, held, "x" + n };

		for (int more = 0; more < Loop.More; more++)
			done ^= more;
		if (n == 0) {
			GC.Collect(0);
			return 1;
		}
		int got = Deep(n - 1, mine);
		return got + (int)mine[0] + ((string)mine[2]).Length +
		       (mine[1] == held ? 1 : 1000);
	}

	static int Lists(int n) {
		var all = new List<int[]>();
		int sum = 0;

		for (int i = 0; i < n; i++) {
			all.Add(new int[i % 300]);
			all[i / 2][0 < all[i / 2].Length ? 0 : 0 * i] =
				all[i / 2].Length > 0 ? i : i;
		}
		foreach (int[] a in all)
			sum += a.Length + (a.Length > 0 ? a[0] : 0);
		return sum;
	}

	static int Safe(int n) {
		try { return Lists(n); } catch (IndexOutOfRangeException) { return n; }
	}

	static int Pinned() {
		var bytes = new byte[1000];
		GCHandle h = GCHandle.Alloc(bytes, GCHandleType.Pinned);

		bytes[7] = 77;
		for (int i = 0; i < 100; i++)
			new Tree().left = new Tree();
		int got = Marshal.ReadByte(h.AddrOfPinnedObject(), 7);
		h.Free();
		return got;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static WeakReference Weak() { return new WeakReference(new Tree()); }

	static void Drop(int n) { for (int i = 0; i < n; i++) new Ended(); }

	static long Round() {
		var held = new WeakReference(new int[3]);
		var kept = new int[9];
		var alive = new WeakReference(kept);
		long sum = 0;

		for (int i = 0; i < 10; i++) {
			sum = sum * 3 + Tree.Make(8, i).Sum() + Deep(40, kept) +
			      Safe(200 + i) + Pinned();
			Drop(50);
		}
		sum += alive.Target == kept ? 7 : 0;
		return sum + kept.Length;
	}

	static void Main() {
		Loop.Run("collector", Round);
		for (int i = 0; i < 200 && Ended.n < 900; i++) {
			GC.Collect();
			GC.WaitForPendingFinalizers();
		}
		Console.WriteLine(Ended.n >= 900 ? "finalized" : "not finalized");
		WeakReference[] weak = new WeakReference[100];
		for (int i = 0; i < 100; i++)
			weak[i] = Weak();
		int left = 100;
		for (int i = 0; i < 200 && left > 90; i++) {
			GC.Collect();
			left = 0;
			foreach (WeakReference w in weak)
				left += w.IsAlive ? 1 : 0;
		}
		Console.WriteLine(left <= 90 ? "collected" : "not collected");
	}
}
