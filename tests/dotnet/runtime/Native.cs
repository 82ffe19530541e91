// hot
// Calls into C, and back from it: qsort() with a managed comparison, strings,
// structures, function pointers, errno.
using System;
using System.Runtime.InteropServices;
using System.Text;

static class Program {
	delegate int Compare(IntPtr a, IntPtr b);
	[StructLayout(LayoutKind.Sequential)]
	struct DivT { public int quot, rem; }

	[DllImport("libc", CallingConvention = CallingConvention.Cdecl)]
	static extern void qsort([In, Out] int[] of, IntPtr n, IntPtr size, Compare by);
	[DllImport("libc")]
	static extern IntPtr bsearch(ref int key, int[] of, IntPtr n, IntPtr size,
				     Compare by);
	[DllImport("libc")] static extern IntPtr strlen(string s);
	[DllImport("libc")] static extern int abs(int i);
	[DllImport("libc")] static extern DivT div(int a, int b);
	[DllImport("libc", SetLastError = true)] static extern int close(int fd);
	[DllImport("libm.so.6")] static extern double sqrt(double d);
	[DllImport("libc")]
	static extern int snprintf(StringBuilder to, IntPtr n, string format, int i);

	static int compared, done;

	static int By(IntPtr a, IntPtr b) {
		int x = Marshal.ReadInt32(a), y = Marshal.ReadInt32(b);

		for (int more = 0; more < Loop.More; more++)
			done ^= more;
		if (++compared % 64 == 0)
			GC.Collect(0);
		return x < y ? -1 : x > y ? 1 : 0;
	}

	static readonly Compare by = By;

	static long Round() {
		int[] of = new int[60];
		long sum = 0;

		compared = 0;
		for (int i = 0; i < of.Length; i++)
			of[i] = i * 7919 % 1009;
		qsort(of, (IntPtr)of.Length, (IntPtr)4, by);
		foreach (int i in of)
			sum = sum * 3 + i;
		for (int i = 0; i < 200; i++) {
			DivT d = div(i * 31, 7);

			sum += (long)strlen("native " + i) + abs(-i) + d.quot * d.rem +
			       (long)(sqrt(i) * 100);
			if (close(-1) != -1 || Marshal.GetLastWin32Error() != 9)
				sum += 1000000;
		}
		var text = new StringBuilder(64);
		snprintf(text, (IntPtr)64, "got %d", 42);
		return sum + compared + text.Length;
	}

	static void Main() { Loop.Run("native", Round); }
}
