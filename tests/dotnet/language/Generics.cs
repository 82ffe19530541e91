// hot
// Generic methods and types: shared code for references, code of its own for
// value types, generic virtual and interface methods, statics of each instance.
using System;
using System.Collections.Generic;

interface IFold { T Fold<T>(T a, T b, Func<T, T, T> f); }

class Left : IFold {
	public virtual T Fold<T>(T a, T b, Func<T, T, T> f) { return f(a, b); }
}

class Right : Left {
	public override T Fold<T>(T a, T b, Func<T, T, T> f) { return f(b, a); }
}

struct Pair<A, B> {
	public A a; public B b;
	public Pair(A a, B b) { this.a = a; this.b = b; }
	public Pair<B, A> Turned() { return new Pair<B, A>(b, a); }
}

class Stats<T> {
	public static int made;
	public readonly T value;
	public Stats(T value) { this.value = value; made++; }
	public bool Is<U>() { return typeof(T) == typeof(U); }
	public string Kind() { return typeof(T).Name; }
}

class Stack2<T> {
	T[] items = new T[4];
	int n;
	public void Push(T item) {
		if (n == items.Length)
			Array.Resize(ref items, n * 2);
		items[n++] = item;
	}
	public T Pop() { return items[--n]; }
	public int Count { get { return n; } }
}

class Name : IComparable<Name> {
	public readonly string text;
	public Name(string text) { this.text = text; }
	public int CompareTo(Name other) {
		return string.CompareOrdinal(text, other.text);
	}
}

static class Program {
	static T Max<T>(T[] of) where T : IComparable<T> {
		T most = of[0];

		for (int i = 1; i < of.Length; i++)
			if (of[i].CompareTo(most) > 0)
				most = of[i];
		return most;
	}

	static T Make<T>() where T : new() { return new T(); }

	static int Drain<T>(T[] of, Func<T, int> weigh) {
		var stack = new Stack2<T>();
		int sum = 0;

		foreach (T item in of)
			stack.Push(item);
		while (stack.Count > 0)
			sum = sum * 3 + weigh(stack.Pop());
		return sum;
	}

	static bool IsA<T>(object o) where T : class { return o as T != null; }
	static T[] Fill<T>(int n, Func<int, T> f) {
		var made = new T[n];

		for (int i = 0; i < n; i++)
			made[i] = f(i);
		return made;
	}

	static long Fold(IFold fold, int i) {
		return fold.Fold(i, 3, (a, b) => a - b) +
		       fold.Fold("a", "bc", (a, b) => a + b)[0] +
		       (long)fold.Fold(i + 0.5, 2.0, (a, b) => a / b);
	}

	static long Round() {
		int[] ints = Fill(50, i => i * 7919 % 101);
		string[] texts = Fill(50, i => "t" + i * 7919 % 101);
		Name[] names = Fill(50, i => new Name("n" + i * 31 % 97));
		double[] reals = Fill(50, i => i * 0.5);
		IFold left = new Left(), right = new Right();
		long sum = 0;

		Stats<int>.made = Stats<string>.made = Stats<Name>.made = 0;
		for (int i = 0; i < 100; i++) {
			sum += Max(ints) + Max(texts).Length +
			       Max(names).text.Length + (long)Max(reals);
			sum += Drain(ints, x => x) + Drain(texts, x => x.Length) +
			       Drain(names, x => x.text[1]) +
			       Drain(reals, x => (int)x);
			sum += Fold(left, i) + Fold(right, i);
			sum += new Pair<int, string>(i, "p").Turned().a.Length;
			sum += new Stats<int>(i).value + new Stats<string>("s").Kind().Length;
			sum += new Stats<Name>(names[0]).Is<Name>() ? 1 : 0;
			sum += IsA<string>(names[0]) ? 100 : IsA<Name>(names[0]) ? 10 : 0;
			sum += Make<List<int>>().Count + Make<DateTime>().Year;
		}
		return sum * 1000 + Stats<int>.made + Stats<string>.made * 2 +
		       Stats<Name>.made * 4;
	}

	static void Main() { Loop.Run("generics", Round); }
}
