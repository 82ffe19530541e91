// hot
// Calls of all kinds: static, instance, virtual, abstract, interface, explicit,
// base, and recursion; arguments in registers and on the stack, by reference, out.
using System;

interface IShape { double Area(); int Sides { get; } }
interface INamed { int Name(int salt); }

abstract class Shape : IShape, INamed {
	public abstract double Area();
	public virtual int Sides { get { return 0; } }
	public virtual int Name(int salt) { return salt * 31 + Sides; }
	int INamed.Name(int salt) { return Name(salt) ^ 0x55; }
}

class Square : Shape {
	protected double a;
	public Square(double a) { this.a = a; }
	public override double Area() { return a * a; }
	public override int Sides { get { return 4; } }
}

sealed class Box : Square {
	public Box(double a) : base(a) { }
	public override double Area() { return 6 * base.Area(); }
	public override int Name(int salt) { return base.Name(salt + 1) + 7; }
}

class Circle : Shape {
	double r;
	public Circle(double r) { this.r = r; }
	public override double Area() { return 3 * r * r; }
}

static class Program {
	static int Many(int a, long b, double c, byte d, short e, uint f, ulong g,
			float h, int i, object j) {
		return (int)(a + b * 2 + (long)(c * 3) + d * 4 + e * 5 + f * 6 +
			     (long)g * 7 + (long)(h * 8) + i * 9) +
		       (j == null ? 1 : 10);
	}

	static void Swap(ref int a, ref int b) { int t = a; a = b; b = t; }

	static bool Halve(int a, out int half) {
		half = a / 2;
		return a % 2 == 0;
	}

	static int Fib(int n) { return n < 2 ? n : Fib(n - 1) + Fib(n - 2); }
	static bool Even(int n) { return n == 0 || Odd(n - 1); }
	static bool Odd(int n) { return n != 0 && Even(n - 1); }

	static double Areas(IShape[] shapes) {
		double sum = 0;

		foreach (IShape s in shapes)
			sum += s.Area() + s.Sides;
		return sum;
	}

	static int Names(Shape[] shapes) {
		int sum = 0;

		foreach (Shape s in shapes)
			sum = sum * 17 + s.Name(sum) + ((INamed)s).Name(3);
		return sum;
	}

	static long Round() {
		var shapes = new Shape[60];
		int a = 1, b = 2, half;
		long sum = 0;

		for (int i = 0; i < shapes.Length; i++)
			shapes[i] = i % 3 == 0 ? new Square(i) :
				    i % 3 == 1 ? (Shape)new Box(i) : new Circle(i);
		for (int i = 0; i < 200; i++) {
			sum += (long)Areas(shapes) + Names(shapes);
			sum += Many(i, i, i, (byte)i, (short)i, (uint)i,
				    (ulong)i, i, i, i % 2 == 0 ? null : "x");
			Swap(ref a, ref b);
			if (Halve(i, out half))
				sum += half * a;
			if (Even(i % 50))
				sum++;
		}
		return sum + Fib(20);
	}

	static void Main() { Loop.Run("calls", Round); }
}
