/*
 * trees.cs - many small objects, and recursion over them
 *
 *	trees.exe N: N lines, each after the same work
 */
using System;

class Node {
	Node left, right;

	public static Node Make(int depth)
	{
		var node = new Node();

		if (depth > 0) {
			node.left = Make(depth - 1);
			node.right = Make(depth - 1);
		}
		return node;
	}

	public int Count()
	{
		return left == null ? 1 : 1 + left.Count() + right.Count();
	}
}

static class Program {
	static void Main(string[] args)
	{
		for (int n = int.Parse(args[0]); n > 0; n--) {
			int count = 0;

			for (int i = 0; i < 40; i++)
				count += Node.Make(13).Count();
			Console.WriteLine("nodes {0}", count);
		}
	}
}
