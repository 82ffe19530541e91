# csharp.awk - print `mb` megabytes of C# that compiles: classes that inherit,
# interfaces, generics, properties, closures, iterators, queries, switches,
# exceptions
#
#	awk -v mb=4 -f csharp.awk
#
# The output is the same with any awk, since all numbers are whole and below
# 2^53.

function random(n) {
	state = (state * 69069 + 12345) % 4294967296
	return int(state / 65536) % n
}

function put(line) {
	left -= length(line) + 1
	print line
}

# An expression of int, of the locals a, b, c.
function expression(deep,    k) {
	k = deep > 0 ? random(8) : random(2)
	if (k == 0)
		return substr("abc", 1 + random(3), 1)
	if (k == 1)	# mcs refuses a constant that overflows
		return "(" substr("abc", 1 + random(3), 1) " + " \
		       (1 + random(1000)) ")"
	if (k == 2)
		return "Helper.Clamp (" expression(deep - 1) ", 0, " \
		       (10 + random(90)) ")"
	if (k == 3)
		return "(" expression(deep - 1) " > " \
		       expression(deep - 1) " ? " \
		       expression(deep - 1) " : Size)"
	return "(" expression(deep - 1) " " substr("+-*^|&", 1 + random(6), 1) \
	       " " expression(deep - 1) ")"
}

function statement(    k) {
	k = random(8)
	if (k == 0) {
		put("\t\tfor (int i = 0; i < " (2 + random(9)) "; i++)")
		put("\t\t\ta += i * " expression(2) ";")
	} else if (k == 1) {
		put("\t\tswitch (b & 3) {")
		put("\t\tcase 0: c = " expression(2) "; break;")
		put("\t\tcase 1: b += " expression(1) "; break;")
		put("\t\tdefault: names.Add (\"n\" + c); break;")
		put("\t\t}")
	} else if (k == 2) {
		put("\t\tforeach (var s in " \
		    "names.Where (x => x.Length > (a & 7)))")
		put("\t\t\tb ^= s.Length;")
	} else if (k == 3) {
		put("\t\ttry {")
		put("\t\t\tc = checked (c + " expression(1) ");")
		put("\t\t} catch (OverflowException) {")
		put("\t\t\tc = 0;")
		put("\t\t}")
	} else if (k == 4) {
		put("\t\tFunc<int, int> f = x => x * a + " (1 + random(9)) ";")
		put("\t\tb = f (" expression(2) ");")
	} else {
		put("\t\t" substr("abc", 1 + random(3), 1) " = " \
		    expression(4) ";")
	}
}

function method(m,    n) {
	put("\tpublic " (m == 0 ? "override " : "") "int " \
	    (m == 0 ? "Step" : "Work" m) " (int a, int b)")
	put("\t{")
	put("\t\tint c = a - b;")
	for (n = 2 + random(8); n > 0; n--) {
		put("\t\t{")
		statement()
		put("\t\t}")
	}
	put("\t\treturn a + b * c;")
	put("\t}")
}

function class(k,    m) {
	put("sealed class C" k " : Shape, IEnumerable<Pair<int, string>> {")
	put("\treadonly List<string> names = new List<string> ();")
	put("\tpublic int Size { get; set; }")
	for (m = 0; m < 4 + random(6); m++)
		method(m)
	put("\tpublic IEnumerator<Pair<int, string>> GetEnumerator ()")
	put("\t{")
	put("\t\tfor (int i = 0; i < names.Count; i++)")
	put("\t\t\tyield return new Pair<int, string> (i, names[i]);")
	put("\t}")
	put("\tIEnumerator IEnumerable.GetEnumerator () " \
	    "{ return GetEnumerator (); }")
	put("}")
}

BEGIN {
	state = 1
	left = mb * 1000000
	put("using System;")
	put("using System.Collections;")
	put("using System.Collections.Generic;")
	put("using System.Linq;")
	put("struct Pair<A, B> {")
	put("\tpublic readonly A First; public readonly B Second;")
	put("\tpublic Pair (A a, B b) { First = a; Second = b; }")
	put("}")
	put("static class Helper {")
	put("\tpublic static int Clamp (int v, int low, int high)")
	put("\t{ return v < low ? low : v > high ? high : v; }")
	put("}")
	put("abstract class Shape { public abstract int Step (int a, int b); }")
	while (left > 0)
		class(k++)
}
