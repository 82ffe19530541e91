/*
 * matrix.cs - a class around an array, with checks of its own
 *
 *	matrix.exe N: N lines, each after the same work
 */
using System;

class Matrix {
	readonly double[] cells;
	readonly int columns;

	public Matrix(int rows, int columns)
	{
		this.columns = columns;
		cells = new double[rows * columns];
	}

	public double Get(int row, int column)
	{
		if (row < 0 || column < 0 || column >= columns)
			throw new IndexOutOfRangeException();
		return cells[row * columns + column];
	}

	public void Set(int row, int column, double value)
	{
		if (row < 0 || column < 0 || column >= columns)
			throw new IndexOutOfRangeException();
		cells[row * columns + column] = value;
	}
}

static class Program {
	static void Multiply(Matrix a, Matrix b, Matrix c, int n)
	{
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) {
				double sum = 0;

				for (int k = 0; k < n; k++)
					sum += a.Get(i, k) * b.Get(k, j);
				c.Set(i, j, sum);
			}
	}

	static void Main(string[] args)
	{
		const int n = 100;
		Matrix a = new Matrix(n, n), b = new Matrix(n, n);
		var c = new Matrix(n, n);

		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) {
				a.Set(i, j, i + j);
				b.Set(i, j, i - j);
			}
		for (int times = int.Parse(args[0]); times > 0; times--) {
			for (int i = 0; i < 20; i++)
				Multiply(a, b, c, n);
			Console.WriteLine("last {0}", c.Get(n - 1, n / 2));
		}
	}
}
