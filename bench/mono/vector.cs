/*
 * vector.cs - a struct with operators
 *
 *	vector.exe N: N lines, each after the same work
 */
using System;

struct Vector {
	public double X, Y, Z;

	public Vector(double x, double y, double z)
	{
		X = x;
		Y = y;
		Z = z;
	}

	public static Vector operator +(Vector a, Vector b)
	{
		return new Vector(a.X + b.X, a.Y + b.Y, a.Z + b.Z);
	}

	public static Vector operator *(Vector a, double k)
	{
		return new Vector(a.X * k, a.Y * k, a.Z * k);
	}

	public double Dot(Vector o)
	{
		return X * o.X + Y * o.Y + Z * o.Z;
	}
}

static class Program {
	static double Walk(int steps)
	{
		var a = new Vector(1, 2, 3);
		var b = new Vector(.1, .2, .3);
		double sum = 0;

		for (int i = 0; i < steps; i++) {
			Vector c = a + b * (i & 3);
			sum += c.Dot(a);
			a = a * 0.999999;
		}
		return sum;
	}

	static void Main(string[] args)
	{
		for (int n = int.Parse(args[0]); n > 0; n--) {
			double sum = 0;

			for (int i = 0; i < 20; i++)
				sum += Walk(100000);
			Console.WriteLine("walked {0:F6}", sum);
		}
	}
}
