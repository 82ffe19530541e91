/*
 * virtual.cs - calls through virtual methods and interfaces, three receivers
 *
 *	virtual.exe N: N lines, each after the same work
 */
using System;

abstract class Shape {
	public abstract double Area(int k);
}

interface IOperation {
	int Apply(int x);
}

class Square : Shape, IOperation {
	readonly double side;

	public Square(double side) { this.side = side; }
	public override double Area(int k) { return side * side + k; }
	public int Apply(int x) { return x + 1; }
}

class Circle : Shape, IOperation {
	readonly double radius;

	public Circle(double radius) { this.radius = radius; }
	public override double Area(int k) { return 3.14 * radius * radius - k; }
	public int Apply(int x) { return x ^ 3; }
}

class Triangle : Shape, IOperation {
	readonly double a, b;

	public Triangle(double a, double b) { this.a = a; this.b = b; }
	public override double Area(int k) { return 0.5 * a * b + k; }
	public int Apply(int x) { return x * 3; }
}

static class Program {
	static readonly Shape[] shapes = new Shape[64];

	static Shape Make(int i)
	{
		switch (i % 3) {
		case 0: return new Square(i);
		case 1: return new Circle(i);
		default: return new Triangle(i, i + 1);
		}
	}

	static double Sum(int times)
	{
		double area = 0;
		int x = 0;

		for (int n = 0; n < times; n++)
			foreach (Shape s in shapes) {
				area += s.Area(n & 7);
				x = ((IOperation)s).Apply(x);
			}
		return area + x;
	}

	static void Main(string[] args)
	{
		for (int i = 0; i < shapes.Length; i++)
			shapes[i] = Make(i);
		for (int n = int.Parse(args[0]); n > 0; n--) {
			double sum = 0;

			for (int i = 0; i < 20; i++)
				sum += Sum(4000);
			Console.WriteLine("area {0:F2}", sum);
		}
	}
}
