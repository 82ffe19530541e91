// hot
// Values: large ones by value and by reference, vectors, boxes, nullables, enums,
// arithmetic that is checked, converted, or not exact.
using System;
using System.Runtime.InteropServices;

struct V {
	public double x, y, z;
	public V(double x, double y, double z) { this.x = x; this.y = y; this.z = z; }
	public static V operator +(V a, V b) { return new V(a.x + b.x, a.y + b.y, a.z + b.z); }
	public static V operator *(V a, double k) { return new V(a.x * k, a.y * k, a.z * k); }
	public double Dot(V b) { return x * b.x + y * b.y + z * b.z; }
}

struct Big { public long a, b, c, d, e, f, g, h; public V v; }
struct Small { public byte a; public short b; }
struct Mixed { public float f; public int i; public object o; }
[StructLayout(LayoutKind.Explicit)]
struct Either { [FieldOffset(0)] public double d; [FieldOffset(0)] public long l; }
enum Colour : byte { Red, Green = 7, Blue }

interface IGrow { int Grow(int by); }
struct Plant : IGrow {
	int height;
	public int Grow(int by) { height += by; return height; }
	public override string ToString() { return "plant " + height; }
}

static class Program {
	static Big Change(Big b, int i) {
		b.a += i; b.h ^= b.a; b.v = b.v * 0.5 + new V(i, 1, 2);
		return b;
	}
	static void ChangeRef(ref Big b, int i) { b.c += i; b.v.x += b.c; }
	static Small Change(Small s) { s.a++; s.b -= s.a; return s; }
	static Mixed Change(Mixed m, object o) { m.f *= 1.5f; m.i++; m.o = o; return m; }
	static long Bits(double d) { Either e = new Either(); e.d = d; return e.l; }
	static int? Maybe(int i) { return i % 3 == 0 ? (int?)null : i; }

	static long Checked(int i) {
		try {
			return checked(i * 1000003);
		} catch (OverflowException) {
			return -1;
		}
	}

	static ref int Slot(int[] of, int i) { return ref of[i % of.Length]; }

	static long Vectors(int n) {
		V p = new V(1, 2, 3), v = new V(0.1, 0.2, 0.3);

		for (int i = 0; i < n; i++) {
			p = p + v * 0.25;
			if (p.Dot(p) > 1000)
				p = p * 0.01;
		}
		return Bits(p.Dot(v));
	}

	static long Round() {
		Big b = new Big();
		Small s = new Small();
		Mixed m = new Mixed { f = 1 };
		IGrow boxed = new Plant();
		Plant plain = new Plant();
		int[] slots = new int[7];
		decimal money = 1.10m;
		long sum = 0;

		for (int i = 0; i < 3000; i++) {
			b = Change(b, i);
			ChangeRef(ref b, i);
			s = Change(s);
			m = Change(m, i % 2 == 0 ? "even" : null);
			if (float.IsInfinity(m.f))
				m.f = 1;
			sum += Checked(i) + (Maybe(i) ?? 5) + (int)(Colour)(i % 9);
			sum += boxed.Grow(i % 5) - plain.Grow(i % 3);
			Slot(slots, i) += i;
			unchecked { sum = sum * 31 + (int)(uint)(i * 2654435761L) +
				(sbyte)i + (ushort)(short)-i + (long)(ulong)(i / 7.0); }
			if (i % 50 == 0)
				money = money * 1.01m % 1000m;
		}
		sum += Vectors(3000) + b.a + b.c + Bits(b.v.x) + s.b + m.i + slots[3];
		return sum + (m.o == null ? 1 : 2) + boxed.ToString().Length +
		       (long)(money * 100) + ((Colour)7).ToString().Length;
	}

	static void Main() { Loop.Run("values", Round); }
}
