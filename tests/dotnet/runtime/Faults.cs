// hot
// What the processor or a check finds: null, division, bounds, casts, overflow.
using System;

class Node { public Node next; public int value; public virtual int Get() { return value; } }
class Leaf : Node { }
struct Wide { public long a, b, c, d; }
class Far { public Wide[] w; public int[] far; public int last; }

static class Program {
	static int Load(Node n) { return n.next.value + n.value; }
	static int Virtual(Node n) { return n.next.Get(); }
	static void Store(Far f, int v) { f.last = v; }
	static int Divide(int a, int b) { return a / b; }
	static long Remainder(long a, long b) { return a % b; }
	static int At(int[] of, int i) { return of[i]; }
	static Wide AtWide(Wide[] of, int i) { return of[i]; }
	static Leaf Cast(object o) { return (Leaf)o; }
	static int Unbox(object o) { return (int)o; }
	static void Put(object[] of, object o) { of[0] = o; }
	static byte Narrow(int i) { return checked((byte)i); }
	static int Length(string s) { return s.Length; }

	static int done;

	static int One(int i) {
		for (int more = 0; more < Loop.More; more++)
			done ^= more;

		var one = new Node { value = i };
		var two = new Node { value = 2, next = one };

		switch (i % 13) {
		case 0: return Load(i % 2 == 0 ? two : one);
		case 1: return Virtual(i % 3 == 0 ? one : two);
		case 2: Store(i % 2 == 0 ? null : new Far(), i); return 1;
		case 3: return Divide(i, i % 4);
		case 4: return (int)Remainder(i, i % 5 - 1);
		case 5: return At(new int[5], i % 8);
		case 6: return (int)AtWide(new Wide[3], i % 5).a;
		case 7: return Cast(i % 2 == 0 ? one : (object)new Leaf()).value;
		case 8: return Unbox(i % 2 == 0 ? (object)i : "text");
		case 9: Put(i % 2 == 0 ? new object[1] : new string[1], one); return 2;
		case 10: return Narrow(i);
		case 11: return Divide(int.MinValue, i % 2 == 0 ? -1 : 1);
		default: return Length(i % 3 == 0 ? null : "abc");
		}
	}

	static long Round() {
		long sum = 0;

		for (int i = 0; i < 390; i++) {
			try {
				sum = sum * 3 + One(i);
			} catch (NullReferenceException) {
				sum += 11;
			} catch (DivideByZeroException) {
				sum += 13;
			} catch (IndexOutOfRangeException) {
				sum += 17;
			} catch (InvalidCastException) {
				sum += 19;
			} catch (ArrayTypeMismatchException) {
				sum += 23;
			} catch (OverflowException) {
				sum += 29;
			}
		}
		return sum;
	}

	static void Main() { Loop.Run("faults", Round); }
}
