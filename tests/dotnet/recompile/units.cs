// units.cs - a test library for nunit-console
using System;
using System.Collections.Generic;
using NUnit.Framework;

[TestFixture]
public class Units {
	readonly List<int> some = new List<int>();

	[SetUp]
	public void Begin() { some.Clear(); }

	[Test]
	public void Sums() {
		long sum = 0;

		for (int n = 0; n < 2000; n++) {
			some.Add(n * 7919 % 1009);
			some.Sort();
			sum += some[n / 2];
		}
		Assert.AreEqual(1009140, sum - sum + 1009140);
		Assert.AreEqual(2000, some.Count);
	}

	[Test]
	[ExpectedException(typeof(DivideByZeroException))]
	public void Divides() { some.Add(1 / some.Count); }

	[Test]
	public void Throws() {
		for (int i = 0; i < 2000; i++)
			Assert.Throws<ArgumentOutOfRangeException>(() => some.RemoveAt(i));
	}

	[TestCase(1, 2, 3)]
	[TestCase(2, 3, 5)]
	public void Adds(int a, int b, int sum) { Assert.AreEqual(sum, a + b); }
}
